import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '@tenantry/kube/object';
import type { NetworkSettings } from '../../crds/network.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { desiredOf, namesOf, ofKind, specOf, type Given } from './given.ts';

const given = (network: NetworkSettings, more: Given = {}): Given => ({
  ...more,
  tenant: { network, ...more.tenant },
});

function policy(world: Given, name: string, namespace?: string) {
  const found = ofKind(world, 'NetworkPolicy', namespace).find((one) => one.metadata.name === name);
  return specOf(found);
}

const names = (world: Given): string[] => namesOf(ofKind(world, 'NetworkPolicy'));
const named = (...values: string[]) => ({
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }],
  },
});

test('an empty tenant is isolated, except from ingress controllers and monitoring', () => {
  expect(names({})).toEqual(['tenant-isolation', 'allow-ingress-controllers', 'allow-monitoring']);
  expect(policy({}, 'tenant-isolation')).toEqual({
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [named('acme')] }],
  });
});

const entries = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });

test("SameTenant selects exactly the names of the tenant's own namespaces on the cluster", () => {
  fc.assert(
    fc.property(entries, entries, (here, there) => {
      const world: Given = {
        platform: { clusters: [{ name: 'eu' }, { name: 'us' }] },
        tenant: {
          network: { isolation: 'SameTenant', egress: 'SameTenant' },
          namespaces: [
            ...here.map((name) => ({ name: `eu-${name}`, clusters: ['eu'] })),
            ...there.map((name) => ({ name: `us-${name}`, clusters: ['us'] })),
          ],
        },
      };
      for (const { cluster, objects } of desiredOf(world).namespaces) {
        const own = (cluster === 'eu' ? here : there)
          .map((name) => `${cluster}-${name}`)
          .toSorted();
        const specs = objects.filter(({ kind }) => kind === 'NetworkPolicy');
        const peers = JSON.stringify([named(...own)]);
        for (const name of ['tenant-isolation', 'tenant-egress']) {
          const spec = JSON.stringify(specs.find((one) => one.metadata.name === name));
          expect(spec).toContain(peers);
        }
      }
    }),
    runs(60),
  );
});

test('no rendered selector uses a label that a tenant can set on a namespace', () => {
  const world = given({ isolation: 'SameTenant', egress: 'SameTenant' });
  const keys = ofKind(world, 'NetworkPolicy').flatMap((one: KubeObject) =>
    [...JSON.stringify(one).matchAll(/"namespaceSelector":(\{.*?\}\]?\})/g)].map(
      (match) => match[1]!,
    ),
  );
  expect(keys.length).toBeGreaterThan(3);
  for (const selector of keys) expect(selector).toContain('kubernetes.io/metadata.name');
});

test.each<[NetworkSettings['isolation'], object]>([
  ['SameNamespace', { ingress: [{ from: [{ podSelector: {} }] }] }],
  ['Closed', {}],
])('isolation %s', (isolation, expected) => {
  expect(policy(given({ isolation: isolation! }), 'tenant-isolation')).toEqual({
    podSelector: {},
    policyTypes: ['Ingress'],
    ...expected,
  });
});

test('isolation Open renders no policy, because an allow rule would exclude everything else', () => {
  expect(names(given({ isolation: 'Open' }))).toEqual([]);
});

test.each<[NetworkSettings['egress'], object[]]>([
  ['Closed', []],
  ['SameNamespace', [{ to: [{ podSelector: {} }] }]],
  ['SameTenant', [{ to: [named('acme')] }]],
])('egress %s still reaches DNS', (egress, more) => {
  expect(policy(given({ egress: egress! }), 'tenant-egress')).toEqual({
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [
      {
        to: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
            podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
          },
        ],
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
      },
      ...more,
    ],
  });
});

test('the peers that the platform trusts differ by cluster', () => {
  const peer = (name: string) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
  });
  const world: Given = {
    platform: {
      clusters: [{ name: 'eu' }, { name: 'us', ingressControllers: [peer('routers')] }],
      ingressControllers: [peer('nginx')],
    },
    tenant: { clusters: ['eu', 'us'] },
  };
  const sources = desiredOf(world).namespaces.map(({ objects }) =>
    specOf<{ ingress: unknown }>(
      objects.find(({ metadata }) => metadata.name === 'allow-ingress-controllers'),
    ),
  );
  expect(sources.map(({ ingress }) => ingress)).toEqual([
    [{ from: [peer('nginx')] }],
    [{ from: [peer('routers')] }],
  ]);
});

test('where the platform trusts no peer, none gets in: an empty list of peers would allow all', () => {
  const platform = { ingressControllers: [], monitoring: [], dns: [] };
  const world = given({ egress: 'Closed' }, { platform });
  expect(names(world)).toEqual(['tenant-isolation', 'tenant-egress']);
  expect(policy(world, 'tenant-egress')).toMatchObject({ egress: [] });
});

test('no policy that is rendered from a field has a rule without peers', () => {
  const peers = fc.constantFrom(undefined, [], [{ podSelector: {} }]);
  const word = fc.constantFrom('Open', 'SameTenant', 'SameNamespace', 'Closed');
  const settings = fc.record({ isolation: word, egress: word, who: peers, dns: peers });
  fc.assert(
    fc.property(settings, ({ isolation, egress, who, dns }) => {
      const platform = {
        ...(who && { ingressControllers: who, monitoring: who }),
        ...(dns && { dns }),
      };
      const world = given({ isolation, egress } as NetworkSettings, { platform });
      for (const one of ofKind(world, 'NetworkPolicy')) {
        const { ingress = [], egress: out = [] } =
          specOf<Record<string, { from?: []; to?: [] }[]>>(one);
        for (const rule of [...ingress, ...out]) {
          expect((rule.from ?? rule.to ?? []).length).toBeGreaterThan(0);
        }
      }
    }),
    runs(100),
  );
});

test('ingress controllers and monitoring can be denied', () => {
  expect(names(given({ monitoring: 'Deny', ingressControllers: 'Deny' }))).toEqual([
    'tenant-isolation',
  ]);
});

test('every policy can have another name', () => {
  const policyNames = { isolation: 'a', ingressControllers: 'b', monitoring: 'c', egress: 'd' };
  expect(names(given({ egress: 'Closed', policyNames }))).toEqual(['a', 'b', 'c', 'd']);
});

test('allowFrom allows ingress by name, by label, by pod and by address', () => {
  const ports = [{ port: 8080, protocol: 'TCP' as const }];
  const allow = (rule: object) => {
    const world = given({ allowFrom: [{ name: 'x', podLabels: { app: 'a' }, ...rule }] });
    return (policy(world, 'x') as { ingress: { from: unknown }[] }).ingress[0]!.from;
  };
  const podSelector = { matchLabels: { app: 'a' } };
  expect(allow({})).toEqual([{ podSelector }]);
  expect(allow({ namespaces: ['b', 'a', 'b'].slice(0, 2) })).toEqual([
    { ...named('a', 'b'), podSelector },
  ]);
  expect(allow({ namespaceLabels: { team: 'x' } })).toEqual([
    { namespaceSelector: { matchLabels: { team: 'x' } }, podSelector },
  ]);
  const world = given({
    allowFrom: [{ name: 'x', pods: { app: 'b' }, cidrs: ['10.0.0.0/8'], ports }],
  });
  expect(policy(world, 'x')).toEqual({
    podSelector: { matchLabels: { app: 'b' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports }],
  });
});

test('allowTo allows egress', () => {
  const world = given({ egress: 'Closed', allowTo: [{ name: 'db', namespaces: ['db'] }] });
  expect(policy(world, 'db')).toEqual({
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [{ to: [named('db')] }],
  });
});

test('a written-out NetworkPolicy keeps its spec, its labels and its annotations', () => {
  const spec = { policyTypes: ['Egress' as const], podSelector: { matchLabels: { a: 'b' } } };
  const world = given({
    policies: [{ name: 'raw', labels: { x: 'y' }, annotations: { z: '' }, spec }],
  });
  const found = ofKind(world, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'raw')!;
  expect(found['spec']).toEqual(spec);
  expect(found.metadata.labels).toMatchObject({ x: 'y', 'tenantry.dev/tenant': 'acme' });
  expect(found.metadata.annotations).toEqual({
    z: '',
    'argocd.argoproj.io/sync-options': 'Delete=false',
  });
});
