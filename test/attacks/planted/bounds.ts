import { object, type Planted } from './plant.ts';

const label = (key: string, value: string): NonNullable<Planted['replace']> => [
  'labels:\n',
  `labels:\n    ${key}: ${value}\n`,
];

export const bounds: Readonly<Record<string, Planted>> = {
  'a quota above the ceiling': {
    replace: [/ {4}pods: "20"/, '    pods: "51"'],
    rule: 'bounds/quota',
  },
  'a quota without the key': { replace: [/ {4}pods: "20"\n/, ''], rule: 'bounds/quota' },
  'a quota for some pods only': {
    replace: ['  hard:', '  scopes: [Terminating]\n  hard:'],
    rule: 'bounds/quota',
  },
  'a key that the API server rejects': {
    replace: [' pods:', ' pods: "1"\n    podz:'],
    rule: 'bounds/quota-key',
  },
  'the sum over namespaces': {
    klass: 'regulated',
    replace: [/requests.cpu: "4"/, 'requests.cpu: "21"'],
    rule: 'bounds/tenant-quota',
  },
  'a limit above the ceiling': {
    klass: 'regulated',
    objects: [
      {
        ...object('v1', 'LimitRange')[0],
        spec: { limits: [{ type: 'Container', max: { cpu: '8001m' } }] },
      },
    ],
    rule: 'bounds/limits',
  },
  'no Pod Security': {
    replace: [/ {4}pod-security.kubernetes.io\/enforce: baseline\n/, ''],
    rule: 'bounds/pod-security',
  },
  'an older version of Pod Security': {
    replace: label('pod-security.kubernetes.io/enforce-version', 'v1.0'),
    rule: 'bounds/pod-security',
  },
  'a class for other tenants': { klass: 'reserved', rule: 'bounds/class' },
  'a kind that the class does not list': {
    klass: 'regulated',
    objects: object('v1', 'Pod'),
    rule: 'bounds/kind',
  },
  'a kind that a class has to list': {
    objects: object('projectcalico.org/v3', 'NetworkPolicy'),
    rule: 'bounds/kind',
  },
  'an unusual kind that a wildcard does not cover': {
    klass: 'neighbourly',
    objects: object('discovery.k8s.io/v1', 'EndpointSlice'),
    rule: 'bounds/kind',
  },
  "an Application of Argo CD's under a wildcard": {
    klass: 'neighbourly',
    objects: object('argoproj.io/v1alpha1', 'Application'),
    rule: 'bounds/kind',
  },
  'a quota that is already full': {
    replace: [' pods: "20"', ' configmaps: "0"\n    pods: "20"'],
    rule: 'bounds/room',
  },
};
