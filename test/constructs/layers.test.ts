import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Settings } from '../../crds/settings.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import {
  bindingsOf,
  hardOf,
  namesOf,
  objectsOf,
  ofKind,
  specOf,
  collectFindings,
  type Given,
} from './given.ts';

type Layers = readonly [
  klass?: Settings | undefined,
  environment?: Settings | undefined,
  tenant?: Settings | undefined,
  namespace?: Settings | undefined,
];

/** A tenant with one namespace `shop` in `prod`, and the settings of each layer. */
function layered([klass, environment, tenant, namespace]: Layers, more: Given = {}): Given {
  return {
    ...more,
    klass: {
      ...more.klass,
      ...(klass && { defaults: klass }),
      environments: [
        { name: 'prod', ...environment },
        { name: 'dev', labels: { wrong: 'yes' } },
      ],
    },
    tenant: { ...tenant, namespaces: [{ name: 'shop', environment: 'prod', ...namespace }] },
  };
}

test('built in < class < environment < tenant < namespace: the highest layer wins', () => {
  const presence = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(presence, (speaks) => {
      const names = ['class', 'environment', 'tenant', 'namespace'];
      const layers = speaks.map((speaks, i): Settings | undefined =>
        speaks
          ? {
              quota: { hard: { pods: i + 1 } },
              limits: { name: names[i]! },
              labels: { owner: names[i]! },
              podSecurity: { warn: i % 2 === 0 ? 'baseline' : 'restricted' },
            }
          : undefined,
      ) as unknown as Layers;
      const last = speaks.lastIndexOf(true);
      const given = layered(layers);
      const labels = ofKind(given, 'Namespace')[0]!.metadata.labels!;
      expect(hardOf(given)!['pods']).toBe(last < 0 ? '50' : String(last + 1));
      expect(namesOf(ofKind(given, 'LimitRange'))).toEqual([names[last] ?? 'tenant-limits']);
      expect(labels['owner']).toBe(names[last]);
      expect(labels['pod-security.kubernetes.io/warn']).toBe(
        [undefined, 'baseline', 'restricted', 'baseline', 'restricted'][last + 1],
      );
    }),
    runs(60),
  );
});

test('maps merge by key', () => {
  const given = layered([
    { labels: { team: 'class', owner: 'class' }, quota: { hard: { services: 1, secrets: 1 } } },
    { labels: { owner: 'environment', project: 'environment' } },
    {
      labels: { project: 'tenant', purpose: 'tenant' },
      quota: { hard: { secrets: 2, configmaps: 2 } },
    },
    { labels: { purpose: 'namespace' } },
  ]);
  expect(ofKind(given, 'Namespace')[0]!.metadata.labels).toMatchObject({
    team: 'class',
    owner: 'environment',
    project: 'tenant',
    purpose: 'namespace',
  });
  expect(hardOf(given)).toMatchObject({ pods: '50', services: '1', secrets: '2', configmaps: '2' });
});

test('lists of objects merge by name, and limits by type', () => {
  const given = layered([
    {
      network: {
        allowFrom: [
          { name: 'a', namespaces: ['one'] },
          { name: 'b', namespaces: ['one'] },
        ],
      },
      limits: { items: [{ type: 'Container', max: { cpu: '2' } }] },
      serviceAccounts: [{ name: 'ci', annotations: { by: 'class' } }],
    },
    undefined,
    {
      network: {
        allowFrom: [
          { name: 'b', namespaces: ['two'] },
          { name: 'c', namespaces: ['two'] },
        ],
      },
      limits: {
        items: [
          { type: 'Container', max: { memory: '1Gi' } },
          { type: 'Pod', max: { cpu: 4 } },
        ],
      },
      serviceAccounts: [{ name: 'ci', automountServiceAccountToken: false }],
    },
  ]);
  const sources = ofKind(given, 'NetworkPolicy')
    .filter(({ metadata }) => metadata.name.length === 1)
    .map((policy) => [policy.metadata.name, JSON.stringify(policy['spec']).match(/one|two/g)]);
  expect(sources).toEqual([
    ['a', ['one']],
    ['b', ['two']],
    ['c', ['two']],
  ]);
  expect(specOf(ofKind(given, 'LimitRange')[0])).toEqual({
    limits: [
      {
        type: 'Container',
        default: { memory: '512Mi' },
        defaultRequest: { cpu: '50m', memory: '128Mi' },
        max: { cpu: '2', memory: '1Gi' },
      },
      { type: 'Pod', max: { cpu: '4' } },
    ],
  });
  expect(ofKind(given, 'ServiceAccount')[0]).toMatchObject({
    metadata: { annotations: { by: 'class' } },
    automountServiceAccountToken: false,
  });
});

test('access accumulates: no layer removes what a lower one grants', () => {
  const given = layered([
    { access: { admins: { groups: ['platform'] } } },
    { access: { admins: { groups: ['on-call'] } } },
    { access: { admins: { users: ['alice'] }, viewers: { groups: ['platform'] } } },
    { access: { admins: { users: ['bob', 'alice'] } } },
  ]);
  expect(bindingsOf(given)).toEqual([
    'tenant-clusterrole-admin: ClusterRole admin <- Group on-call, Group platform, User alice, User bob',
    'tenant-clusterrole-view: ClusterRole view <- Group platform',
  ]);
});

test('unlimited removes a bound, none removes a level, and the next layer can set either again', () => {
  const open = layered([
    {},
    {},
    { quota: { hard: { pods: 'unlimited' } }, podSecurity: { enforce: 'none' } },
  ]);
  expect(hardOf(open)).not.toHaveProperty('pods');
  expect(Object.keys(ofKind(open, 'Namespace')[0]!.metadata.labels!)).not.toContain(
    'pod-security.kubernetes.io/enforce',
  );
  const again = layered([
    {},
    {},
    { quota: { hard: { pods: 'unlimited' } } },
    { quota: { hard: { pods: 7 } } },
  ]);
  expect(hardOf(again)!['pods']).toBe('7');
});

test('unlimited also removes a bound of a limit', () => {
  const max = { cpu: '2', memory: '1Gi' };
  const given = layered([
    { limits: { preset: 'none', items: [{ type: 'Pod', max, min: { cpu: '1' } }] } },
    undefined,
    { limits: { items: [{ type: 'Pod', max: { cpu: 'unlimited' }, min: { cpu: 'unlimited' } }] } },
  ]);
  expect(specOf(ofKind(given, 'LimitRange')[0])).toEqual({
    limits: [{ type: 'Pod', max: { memory: '1Gi' } }],
  });
});

test('pull secrets accumulate without duplicates', () => {
  const serviceAccounts = [{ name: 'ci' }];
  const given = layered([
    { imagePullSecrets: ['a', 'b'], serviceAccounts },
    undefined,
    { imagePullSecrets: ['b', 'c'] },
  ]);
  expect(ofKind(given, 'ServiceAccount')[0]!['imagePullSecrets']).toEqual(
    ['a', 'b', 'c'].map((name) => ({ name })),
  );
});

test('totals of the class and of the tenant merge by key', () => {
  const given: Given = {
    klass: { defaults: { quota: { total: { pods: 8, secrets: 8 } } } },
    tenant: { quota: { total: { secrets: 6 } }, namespaces: [{ name: 'a' }, { name: 'b' }] },
  };
  expect(hardOf(given, 'a')).toMatchObject({ pods: '4', secrets: '3' });
  expect(hardOf({ ...given, klass: {} }, 'b')).toMatchObject({ pods: '50', secrets: '3' });
});

test('the preset none removes the quota and the limits', () => {
  const given = layered([{}, {}, { quota: { preset: 'none' }, limits: { preset: 'none' } }]);
  expect(namesOf(ofKind(given, 'ResourceQuota'))).not.toContain('tenant-quota');
  expect(objectsOf(given).map(({ kind }) => kind)).not.toContain('LimitRange');
});

const presets = {
  quotas: [{ name: 'small', hard: { services: 3 } }],
  limits: [{ name: 'tight', items: [{ type: 'Pod' as const, max: { cpu: 1 } }] }],
  networks: [{ name: 'shut', isolation: 'Closed' as const }],
};

test('a preset discards settings of lower layers, except for names of objects', () => {
  const given = layered(
    [
      {
        quota: { name: 'compute', hard: { pods: 9, secrets: 9 } },
        limits: { name: 'bounds', items: [{ type: 'Container', max: { cpu: 9 } }] },
        network: { egress: 'Closed', monitoring: 'Deny', policyNames: { isolation: 'shut-in' } },
      },
      undefined,
      {
        quota: { preset: 'small', hard: { configmaps: 5 } },
        limits: { preset: 'tight' },
        network: { preset: 'shut' },
      },
    ],
    { klass: { presets } },
  );
  const quota = ofKind(given, 'ResourceQuota')[0]!;
  expect([quota.metadata.name, specOf(quota)]).toEqual([
    'compute',
    { hard: { services: '3', configmaps: '5' } },
  ]);
  const limits = ofKind(given, 'LimitRange')[0]!;
  expect([limits.metadata.name, specOf(limits)]).toEqual([
    'bounds',
    { limits: [{ type: 'Pod', max: { cpu: '1' } }] },
  ]);
  // Fields that the network preset does not set have built-in defaults: egress Open, monitoring Allow.
  expect(namesOf(ofKind(given, 'NetworkPolicy'))).toEqual([
    'shut-in',
    'allow-ingress-controllers',
    'allow-monitoring',
  ]);
});

test.each(['quota', 'limits', 'network'] as const)(
  'an unknown preset of %s is one error, whatever the class bounds',
  (field) => {
    const ceilings = {
      quota: { pods: 10, 'requests.cpu': 4 },
      tenantQuota: { pods: 20 },
      limits: { cpu: 2 },
      network: { isolation: 'SameNamespace' as const, egress: 'Closed' as const },
    };
    const defaults: Settings = {
      quota: { hard: { pods: 10, 'requests.cpu': 4 } },
      network: { isolation: 'Closed', egress: 'Closed' },
      limits: { items: [] },
    };
    const tenant = { [field]: { preset: 'huge' } };
    expect(collectFindings({ klass: { ceilings, defaults }, tenant })).toEqual([
      `spec.${field}.preset must be a preset of class standard (left out: it has none), got 'huge'`,
    ]);
  },
);

test('an unknown preset is refused with the list of presets', () => {
  const chosen: Settings = { quota: { preset: 'smal' }, limits: { preset: 'tight' } };
  expect(collectFindings(layered([{}, {}, chosen], { klass: { presets } }))).toEqual([
    "spec.quota.preset must be a preset of class standard (one of small), got 'smal'; did you mean 'small'?",
    'warning spec.limits must admit a pod that states no resources, got no cpu limit, required by max 1 of Pod',
  ]);
  expect(collectFindings(layered([{}, {}, {}, { network: { preset: 'shut' } }]))).toEqual([
    "spec.namespaces[0].network.preset must be a preset of class standard (left out: it has none), got 'shut'",
  ]);
  expect(collectFindings(layered([{ quota: { preset: 'x' } }]))).toEqual([
    "spec.className must be a preset of class standard (left out: it has none), got 'x'",
  ]);
});

test('an unknown preset is reported once where it is set, regardless of the number of namespaces', () => {
  const namespaces = [{ name: 'a' }, { name: 'b' }];
  const defaults: Settings = { quota: { preset: 'x' }, limits: { preset: 'y' } };
  const message = (name: string) =>
    `must be a preset of class standard (left out: it has none), got '${name}'`;
  expect(collectFindings({ klass: { defaults }, tenant: { namespaces } })).toEqual([
    `spec.className ${message('x')}`,
    `spec.className ${message('y')}`,
  ]);
  const each = namespaces.map(({ name }) => ({ name, quota: { preset: 'x' } }));
  expect(collectFindings({ tenant: { namespaces: each } })).toEqual([
    `spec.namespaces[0].quota.preset ${message('x')}`,
    `spec.namespaces[1].quota.preset ${message('x')}`,
  ]);
});

test('the environment comes from its field, not from the name of a namespace', () => {
  const klass = { environments: [{ name: 'prod', labels: { tier: 'gold' } }] };
  const label = (given: Given, name?: string) =>
    ofKind(given, 'Namespace', name)[0]!.metadata.labels!['tier'];
  const namespaces = [{ name: 'shop-prod' }, { name: 'shop', environment: 'prod' }];
  expect(label({ klass, tenant: { namespaces } }, 'shop-prod')).toBeUndefined();
  expect(label({ klass, tenant: { namespaces } }, 'shop')).toBe('gold');
  expect(label({ klass, tenant: { environment: 'prod', namespaces } }, 'shop-prod')).toBe('gold');
  const other = [{ name: 'shop', environment: 'dev' }];
  expect(label({ klass, tenant: { environment: 'prod', namespaces: other } })).toBeUndefined();
});

test('a tenant without namespaces has one with its own name', () => {
  expect(objectsOf({ name: 'solo' })[0]).toMatchObject({
    kind: 'Namespace',
    metadata: { name: 'solo' },
  });
});

test('the prefix is added to the name of every entry', () => {
  const tenant = { namespacePrefix: 'acme-', namespaces: [{ name: 'dev' }, { name: 'prod' }] };
  expect(ofKind({ tenant }, 'Namespace', 'acme-dev')).toHaveLength(1);
  expect(ofKind({ tenant }, 'Namespace', 'acme-prod')).toHaveLength(1);
});
