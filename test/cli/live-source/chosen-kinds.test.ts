import { expect, test } from '@jest/globals';
import { chooseKinds } from '../../../cli/live-source/chosen-kinds.ts';
import { parseServedKinds } from '../../../cli/live-source/served-kinds.ts';
import { formatKindName, tenancyKinds } from '../../../import/live-kinds.ts';
import type { Kind } from '@tenantry/runtime/kinds/kind';

const kind = (group: string, kind: string, scope: Kind['scope'] = 'Namespaced'): Kind => ({
  group,
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope,
});

const tenancy = tenancyKinds.map((one) =>
  kind(one.group, one.kind, one.kind === 'Namespace' ? 'Cluster' : 'Namespaced'),
);
const served = [
  ...tenancy,
  kind('', 'Secret'),
  kind('', 'ConfigMap'),
  kind('', 'Event'),
  kind('', 'Node', 'Cluster'),
  kind('apps', 'Deployment'),
  kind('crd.projectcalico.org', 'NetworkPolicy'),
  kind('discovery.k8s.io', 'EndpointSlice'),
];

const names = (kinds: readonly Kind[]): string[] => kinds.map(formatKindName);
const chosen = (...wanted: string[]) => {
  const { read, notRead } = chooseKinds(served, wanted);
  return { read: names(read.filter((one) => !tenancy.includes(one))), notRead: names(notRead) };
};

test('only the kinds of tenancy are read by default, and the others of people are named', () => {
  expect(chosen()).toEqual({
    read: [],
    notRead: ['Secret', 'ConfigMap', 'Deployment.apps', 'NetworkPolicy.crd.projectcalico.org'],
  });
});

test('kinds are added by kind or resource, in any case, and * adds all of people but Secrets', () => {
  expect(chosen('configmaps', 'Deployment.apps').read).toEqual(['ConfigMap', 'Deployment.apps']);
  expect(chosen('deployment').read).toEqual(['Deployment.apps']);
  expect(chosen('*')).toEqual({
    read: ['ConfigMap', 'Deployment.apps', 'NetworkPolicy.crd.projectcalico.org'],
    notRead: ['Secret'],
  });
});

test('all names that are no kind to be read are reported together', () => {
  expect(() => chooseKinds(served, ['Secret', 'Node', 'Event', 'NetworkPolicy', 'Nope'])).toThrow(
    "--kinds must name kinds to read: Secrets are never read; Node is cluster-scoped, and belongs to the platform; only controllers write Event objects; 'NetworkPolicy' is one of NetworkPolicy.networking.k8s.io, NetworkPolicy.crd.projectcalico.org; the cluster serves no 'Nope' that can be listed",
  );
});

test('a cluster without a kind of tenancy is refused', () => {
  expect(() => chooseKinds(served.slice(1), [])).toThrow('serves no Namespace');
});

const resource = (plural: string, kind: string, verbs = ['list'], scope = 'Namespaced') => ({
  resource: plural,
  responseKind: { kind },
  scope,
  verbs,
});

test('the preferred version of each kind that can be listed is known, and groups that do not answer are named', () => {
  const groups = [
    {
      metadata: { name: '' },
      versions: [
        { version: 'v1', resources: [resource('nodes', 'Node', ['get', 'list'], 'Cluster')] },
      ],
    },
    {
      metadata: { name: 'example.com' },
      versions: [
        { version: 'v2', resources: [resource('shops', 'Shop')] },
        {
          version: 'v1',
          resources: [resource('shops', 'Shop'), resource('reviews', 'Review', ['create'])],
        },
      ],
    },
    {
      metadata: { name: 'metrics.k8s.io' },
      versions: [{ version: 'v1', freshness: 'Stale', resources: [] }],
    },
    'nonsense',
  ];
  expect(parseServedKinds(groups)).toEqual({
    kinds: [
      { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' },
      { group: 'example.com', version: 'v2', kind: 'Shop', plural: 'shops', scope: 'Namespaced' },
    ],
    unavailable: ['metrics.k8s.io/v1'],
  });
});
