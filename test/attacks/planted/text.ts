import { NAMESPACE, object, RBAC, type Planted } from './plant.ts';

const label = (key: string, value: string): NonNullable<Planted['replace']> => [
  'labels:\n',
  `labels:\n    ${key}: ${value}\n`,
];
const annotation = (key: string): NonNullable<Planted['replace']> => [
  'annotations:\n',
  `annotations:\n    ${key}: x\n`,
];

export const metadata: Readonly<Record<string, Planted>> = {
  "another's label": {
    replace: ['tenantry.dev/tenant: mallory', 'tenantry.dev/tenant: victim'],
    rule: 'metadata/owner',
  },
  'no label': { replace: [/ {4}tenantry.dev\/tenant: mallory\n/, ''], rule: 'metadata/owner' },
  'a tracking label': {
    replace: label('app.kubernetes.io/instance', 'apps'),
    rule: 'metadata/tracking',
  },
  'a command to Argo CD': {
    replace: annotation('argocd.argoproj.io/hook'),
    rule: 'metadata/tracking',
  },
  'a label that the platform trusts': {
    replace: label('example.com/backup-tier', 'gold'),
    rule: 'metadata/trusted',
  },
  'a label that a selector trusts': {
    replace: label('component', 'ingress-controllers'),
    rule: 'metadata/selected',
  },
  'a label that the class does not allow': {
    replace: label('admission.gatekeeper.sh/ignore', 'x'),
    rule: 'metadata/closed',
  },
  'a value that the class does not allow': {
    replace: label('istio-injection', 'disabled'),
    rule: 'metadata/closed',
  },
  'an annotation whose key is only allowed as a label': {
    replace: annotation('team'),
    rule: 'metadata/closed',
  },
  'a label that is only allowed in other classes': {
    klass: 'open',
    replace: label('example.com/tier', 'web'),
    rule: 'metadata/closed',
  },
  'an exemption from Pod Security': {
    replace: label('pod-security.kubernetes.io/exempt', 'x'),
    rule: 'metadata/trusted',
  },
  'a command to tools that read Git': {
    objects: object('v1', 'ConfigMap', {
      annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' },
    }),
    rule: 'metadata/closed',
  },
  'a Namespace that Argo CD deletes': {
    replace: ['Prune=false,Delete=false', 'Delete=false'],
    rule: 'metadata/staying',
  },
  'a binding that Argo CD keeps': {
    file: RBAC,
    replace: [
      /(kind: RoleBinding\nmetadata:\n)/,
      '$1  annotations:\n    argocd.argoproj.io/sync-options: Delete=false\n',
    ],
    rule: 'metadata/staying',
  },
  'an object that no sync misses and Argo CD prunes': {
    objects: object('v1', 'ConfigMap', {
      annotations: { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' },
    }),
    rule: 'metadata/staying',
  },
  'a limit in its own sync wave': {
    replace: [
      /(kind: LimitRange\nmetadata:\n {2}annotations:\n)/,
      '$1    argocd.argoproj.io/sync-wave: "-1"\n',
    ],
    rule: 'metadata/wave',
  },
  'a resource in its own sync wave': {
    objects: object('v1', 'ConfigMap', { annotations: { 'argocd.argoproj.io/sync-wave': '-1' } }),
    rule: 'metadata/wave',
  },
  'an invalid label': { replace: label('a/b/c', 'x'), rule: 'metadata/form' },
};

export const structure: Readonly<Record<string, Planted>> = {
  'a list': { objects: [{ ...object('v1', 'ConfigMap')[0], items: [] }], rule: 'structure/list' },
  'a kind of list': { objects: object('v1', 'List'), rule: 'structure/list' },
  'a field that the kind lacks': {
    replace: ['  podSelector: {}', '  podselector: {}'],
    rule: 'structure/fields',
  },
  'the same key twice': {
    replace: ['kind: Namespace', 'kind: Namespace\nkind: Namespace'],
    rule: 'structure/unreadable',
  },
  'text that is no object': { replace: [/$/, '---\nhello\n'], rule: 'structure/unreadable' },
  'a text that makes Argo CD skip the file': {
    replace: [/$/, '# +argocd:skip-file-rendering\n'],
    rule: 'structure/skipped',
  },
  'access before its bounds': {
    objects: [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'planted' },
        spec: { podSelector: {} },
      },
    ],
    rule: 'structure/order',
  },
  'a finalizer': {
    objects: object('v1', 'ConfigMap', { finalizers: ['example.com/x'] }),
    rule: 'structure/metadata',
  },
  'an owner elsewhere': {
    objects: object('v1', 'ConfigMap', { ownerReferences: [] }),
    rule: 'structure/metadata',
  },
  'a binding next to the limits': {
    files: ({ [RBAC]: text = '', ...files }) => ({
      ...files,
      [RBAC]: '',
      [NAMESPACE]: `${files[NAMESPACE]}---\n${text}`,
    }),
    rule: 'structure/part',
  },
  'a namespace without a file for access': {
    files: ({ [RBAC]: _gone, ...files }) => files,
    rule: 'structure/part',
  },
  'an object without a version': {
    objects: object('V1', 'ConfigMap'),
    rule: 'structure/no-object',
  },
};
