import { expect, test } from '@jest/globals';
import type { QuotaSettings } from '../../crds/quota.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { Ceilings } from '../../crds/tenant-class.ts';
import { hardOf, namesOf, ofKind, specOf, collectFindings, type Given } from './given.ts';

type Quota = NonNullable<TenantSpec['quota']>;
type Scoped = NonNullable<QuotaSettings['scoped']>[number];

const given = (quota: Quota, ceilings: Ceilings = {}, more: TenantSpec = {}): Given => ({
  tenant: { quota, ...more },
  klass: { ceilings },
});

test('quantities are strings, as the API server would store them', () => {
  expect(hardOf(given({ preset: 'none', hard: { pods: 50, cpu: '4' } }))).toEqual({
    pods: '50',
    cpu: '4',
  });
});

test('a quota can have another name', () => {
  expect(namesOf(ofKind(given({ name: 'compute' }), 'ResourceQuota'))[0]).toBe('compute');
});

const domain = (length: number) => `${'a'.repeat(49)}.`.repeat(4) + 'a'.repeat(length - 200);

test.each([
  'cpu',
  'pods',
  'requests.cpu',
  'requests.storage',
  'limits.ephemeral-storage',
  'count/jobs.batch',
  'count/pods',
  'count/things.example.com',
  'count/events.example.com',
  'hugepages-2Mi',
  'requests.hugepages-1Gi',
  'requests.nvidia.com/gpu',
  'requests.deviceclass.resource.kubernetes.io/gpu',
  `requests.${domain(244)}/gpu`,
  'gold.storageclass.storage.k8s.io/requests.storage',
  'gold.storageclass.storage.k8s.io/persistentvolumeclaims',
  'gold.deviceclass.resource.k8s.io/devices',
])('Kubernetes counts %s', (key) => {
  expect(collectFindings(given({ preset: 'none', hard: { [key]: '1Gi' } }))).toEqual([]);
});

test.each([
  ['pod', "; did you mean 'pods'?"],
  ['request.cpu', "; did you mean 'requests.cpu'?"],
  ['gpus', ''],
  ['count/', ''],
  ['count/a..b', ''],
  ['count/UP', ''],
  ['count/things.', ''],
  ['count/deployments.apps.', "; did you mean 'count/deployments.apps'?"],
  ['count/deployments', "; did you mean 'count/deployments.apps'?"],
  ['count/ingresses', "; did you mean 'count/ingresses.networking.k8s.io'?"],
  ['count/nodes', "; did you mean 'count/pods'?"],
  ['count/pod', "; did you mean 'count/pods'?"],
  ['hugepages-', ''],
  ['hugepages-0', ''],
  ['hugepages-x', ''],
  ['xhugepages-2Mi', ''],
  ['limits.hugepages-2Mi', ''],
  ['hugepages-requests.2Mi', ''],
  ['Gold!.storageclass.storage.k8s.io/requests.storage', ''],
  ['nvidia.com/gpu', "; did you mean 'requests.nvidia.com/gpu'?"],
  ['nvidia.com/gpu/x', ''],
  ['requests.kubernetes.io/x', ''],
  ['requests.requests.example.com/x', ''],
  ['gold.storageclass.storage.k8s.io/requests.cpu', ''],
  ['gold.deviceclass.resource.k8s.io/device', ''],
])('%s is not a quota key', (key, hint) => {
  const at = /^[a-z0-9-]+$/i.test(key) ? `.${key}` : `["${key}"]`;
  expect(collectFindings(given({ hard: { [key]: 1 } }))).toEqual([
    `spec.quota.hard${at} must be a resource that Kubernetes counts, got '${key}'${hint}`,
  ]);
});

test('a name that is too long with the prefix requests. is not an extended resource', () => {
  expect(collectFindings(given({ hard: { [`requests.${domain(245)}/gpu`]: 1 } }))).toHaveLength(1);
});

test.each(['count/events', 'count/events.events.k8s.io'])(
  '%s is refused: no quota counts it',
  (key) => {
    const [message] = collectFindings(given({ hard: { [key]: 1 } }));
    expect(message).toContain(`must be a resource that Kubernetes counts, got '${key}'`);
    expect(message).not.toContain("mean 'count/events");
  },
);

test('a count must be a whole number, and a quantity need not be', () => {
  expect(collectFindings(given({ hard: { pods: '1500m' } }))).toEqual([
    "spec.quota.hard.pods must be a whole number for pods, got '1500m'",
  ]);
  expect(collectFindings(given({ hard: { 'requests.cpu': '1500m', pods: '2k' } }))).toEqual([]);
  expect(
    collectFindings(given({ hard: { 'count/hugepages-claims.example.com': '1.5' } })),
  ).toHaveLength(1);
  const pages = { 'hugepages-2Mi': '1.5', 'requests.hugepages-2Mi': '1.5' };
  expect(collectFindings(given({ hard: pages }))).toEqual([]);
});

test('values beyond the range of the API server are refused', () => {
  const most = { pods: '1P', memory: '9223372036854775807' };
  expect(collectFindings(given({ preset: 'none', hard: most }))).toEqual([]);
  expect(collectFindings(given({ hard: { pods: '1000000000000001', memory: '8Ei' } }))).toEqual([
    "spec.quota.hard.pods must be a number up to 1P for pods, got '1000000000000001'",
    "spec.quota.hard.memory must be less than 8Ei for memory, got '8Ei'",
  ]);
});

test('requests above limits are valid in a quota, and cause a warning', () => {
  expect(collectFindings(given({ hard: { 'requests.cpu': 4, 'limits.cpu': 2 } }))).toEqual([
    'warning spec.quota.hard["limits.cpu"] must be at least the 4 of requests.cpu for that to be of use, got 2 for limits.cpu',
    'warning spec.quota.hard["limits.cpu"] must admit a pod that states no resources, got no cpu limit, required by limits.cpu of quota tenant-quota',
  ]);
  expect(hardOf(given({ hard: { 'requests.cpu': 4, 'limits.cpu': 2 } }))).toMatchObject({
    'requests.cpu': '4',
    'limits.cpu': '2',
  });
  const warned = (hard: object) =>
    collectFindings(given({ preset: 'none', hard: { ...hard } })).filter((one) =>
      one.includes('to be of use'),
    );
  for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
    const limit = { [`limits.${resource}`]: '2Gi' };
    expect(warned(limit)).toEqual([]);
    expect(warned({ [`requests.${resource}`]: '2Gi', ...limit })).toEqual([]);
    expect(warned({ [`requests.${resource}`]: '3Gi', ...limit })).toHaveLength(1);
  }
  const plain = { cpu: 3, 'limits.cpu': 2 };
  expect(warned(plain)).toHaveLength(1);
  expect(warned({ ...plain, 'requests.cpu': 1 })).toEqual([]);
});

test('a ceiling limits each namespace', () => {
  const ceilings = { quota: { pods: 50, 'requests.memory': '16Gi' } };
  expect(
    collectFindings(given({ hard: { pods: 50, 'requests.memory': '16384Mi' } }, ceilings)),
  ).toEqual([]);
  expect(collectFindings(given({ hard: { pods: 51 } }, ceilings))).toEqual([
    'spec.quota.hard.pods must be at most 50 for pods (ceiling of class standard), got 51 in namespace acme',
  ]);
});

test('a resource without a bound is unlimited, and so above every ceiling', () => {
  const message =
    'must be at most 9 for secrets (ceiling of class standard), got no bound in namespace acme';
  expect(collectFindings(given({}, { quota: { secrets: 9 } }))).toEqual([`spec.quota ${message}`]);
  expect(collectFindings({ klass: { ceilings: { quota: { secrets: 9 } } } })).toEqual([
    `spec.className ${message}`,
  ]);
  expect(collectFindings(given({ hard: { pods: 'unlimited' } }, { quota: { pods: 9 } }))).toEqual([
    'spec.quota.hard.pods must be at most 9 for pods (ceiling of class standard), got no bound in namespace acme',
  ]);
  expect(collectFindings(given({ preset: 'none' }, { quota: { pods: 9 } }))).toHaveLength(1);
});

test('a value above a ceiling is an error, and never reduced silently', () => {
  expect(() => hardOf(given({ hard: { pods: 51 } }, { quota: { pods: 50 } }))).toThrow(
    /at most 50/,
  );
});

test('a ceiling applies to a preset, to a total and to the entry of a namespace', () => {
  const klass = {
    ceilings: { quota: { pods: 5 } },
    presets: { quotas: [{ name: 'big', hard: { pods: 6 } }] },
  };
  expect(collectFindings({ klass, tenant: { quota: { preset: 'big' } } })).toHaveLength(1);
  expect(collectFindings({ klass, tenant: { quota: { total: { pods: 6 } } } })).toHaveLength(1);
  const namespaces = [{ name: 'a', quota: { hard: { pods: 6 } } }, { name: 'b' }];
  expect(collectFindings({ klass, tenant: { quota: { hard: { pods: 5 } }, namespaces } })).toEqual([
    'spec.namespaces[0].quota.hard.pods must be at most 5 for pods (ceiling of class standard), got 6 in namespace a',
  ]);
});

test('a ceiling for all namespaces together applies to their sum', () => {
  const namespaces = [{ name: 'a' }, { name: 'b' }];
  const ceilings = { tenantQuota: { pods: 10 } };
  expect(collectFindings(given({ hard: { pods: 5 } }, ceilings, { namespaces }))).toEqual([]);
  expect(collectFindings(given({ hard: { pods: 6 } }, ceilings, { namespaces }))).toEqual([
    'spec.quota.hard.pods must be at most 10 for pods in all namespaces together (ceiling of class standard), got 6 + 6',
  ]);
  expect(collectFindings(given({ total: { pods: 11 } }, ceilings, { namespaces }))).toEqual([
    "spec.quota.total.pods must be at most 10 for pods in all namespaces together (ceiling of class standard), got '6' + '5'",
  ]);
  const open = [{ name: 'a', quota: { hard: { pods: 'unlimited' } } }, { name: 'b' }];
  expect(collectFindings(given({ hard: { pods: 5 } }, ceilings, { namespaces: open }))).toEqual([
    'spec.quota.hard.pods must be at most 10 for pods in all namespaces together (ceiling of class standard), got no bound in some namespace',
  ]);
});

test('a ceiling for all namespaces together also applies to values from the class', () => {
  const klass = { ceilings: { tenantQuota: { pods: 99 } } };
  const namespaces = [{ name: 'a' }, { name: 'b' }];
  expect(collectFindings({ klass, tenant: { namespaces: namespaces.slice(1) } })).toEqual([]);
  expect(collectFindings({ klass, tenant: { namespaces } })).toEqual([
    'spec.namespaces must be at most 99 for pods in all namespaces together (ceiling of class standard), got 50 + 50',
  ]);
});

test('a namespace on two clusters counts twice for the tenant', () => {
  const world: Given = {
    ...given({ hard: { pods: 6 } }, { tenantQuota: { pods: 10 } }, { clusters: ['eu', 'us'] }),
    platform: { clusters: [{ name: 'eu' }, { name: 'us' }] },
  };
  expect(collectFindings(world)).toHaveLength(1);
});

const scoped = (item: Partial<Scoped>): Given => ({
  tenant: { quota: { scoped: [{ name: 'extra', hard: { pods: 1 }, ...item }] } },
});

const priority = (operator: 'In' | 'NotIn' | 'Exists', ...values: string[]): Partial<Scoped> => ({
  scopeSelector: [{ scopeName: 'PriorityClass', operator, ...(values.length > 0 && { values }) }],
});

test('a quota with scopes is an additional quota', () => {
  const scopeSelector = [
    { scopeName: 'PriorityClass' as const, operator: 'In' as const, values: ['high'] },
  ];
  const [, extra] = ofKind(
    scoped({ scopeSelector, hard: { pods: 2, cpu: 'unlimited' } }),
    'ResourceQuota',
  );
  expect(extra!.metadata.name).toBe('extra');
  expect(specOf(extra)).toEqual({
    hard: { pods: '2' },
    scopeSelector: { matchExpressions: scopeSelector },
  });
  expect(specOf(ofKind(scoped({ scopes: ['BestEffort'] }), 'ResourceQuota')[1])).toEqual({
    hard: { pods: '1' },
    scopes: ['BestEffort'],
  });
});

test.each<[Partial<Scoped>, string]>([
  [{}, "must have scopes or a scopeSelector in 'extra'"],
  [
    { scopes: ['BestEffort', 'NotBestEffort'] },
    "must have either BestEffort or NotBestEffort, got both in 'extra'",
  ],
  [
    {
      scopes: ['Terminating'],
      scopeSelector: [{ scopeName: 'NotTerminating', operator: 'Exists' }],
    },
    "must have either Terminating or NotTerminating, got both in 'extra'",
  ],
  [
    { scopes: ['BestEffort'], hard: { cpu: 1 } },
    "must not bound cpu in scope BestEffort, which does not count it in 'extra'",
  ],
  [
    { scopes: ['Terminating'], hard: { 'requests.storage': '1Gi' } },
    "must not bound requests.storage in scope Terminating, which does not count it in 'extra'",
  ],
  [
    { scopeSelector: [{ scopeName: 'Terminating', operator: 'In', values: ['x'] }] },
    "must have the operator Exists for scope Terminating, got In in 'extra'",
  ],
  [priority('In'), "must have values for In of PriorityClass in 'extra'"],
  [priority('NotIn'), "must have values for NotIn of PriorityClass in 'extra'"],
  [priority('Exists', 'high'), "must have no values for Exists of PriorityClass in 'extra'"],
  [priority('In', 'high', 'no name'), "must have names as values, got 'no name' in 'extra'"],
  [
    { scopes: ['Terminating'], hard: { pods: '1.5' } },
    "must be a whole number for pods, got '1.5'",
  ],
])('a scope that Kubernetes refuses is refused: %j', (item, message) => {
  expect(collectFindings(scoped(item))).toEqual([`spec.quota.scoped ${message}`]);
});

test.each([
  ['pod', 'pods'],
  ['xcpu', 'cpu'],
  ['cpux', 'cpu'],
])('%s is counted by no quota, also not in a scope', (key, meant) => {
  expect(collectFindings(scoped({ scopes: ['Terminating'], hard: { [key]: 1 } }))).toEqual([
    `spec.quota.scoped must be a resource that Kubernetes counts, got '${key}'; did you mean '${meant}'?`,
    `spec.quota.scoped must not bound ${key} in scope Terminating, which does not count it in 'extra'`,
  ]);
});

test.each<Partial<Scoped>>([
  { scopeSelector: [{ scopeName: 'Terminating', operator: 'Exists' }] },
  priority('In', 'high'),
  priority('NotIn', 'high'),
  priority('Exists'),
  { scopes: ['BestEffort'], hard: { pods: 1, 'count/pods': 1, 'requests.nvidia.com/gpu': 1 } },
  { scopes: ['Terminating'], hard: { pods: 'unlimited', cpu: 1 } },
  {
    scopes: ['Terminating'],
    hard: { cpu: 1, memory: '1Gi', 'requests.cpu': 1, 'limits.memory': '1Gi' },
  },
])('a scope that Kubernetes accepts is accepted: %j', (item) => {
  expect(collectFindings(scoped(item))).toEqual([]);
});

test.each<[string, number, number]>([
  ['resourcequotas', 0, 1],
  ['count/resourcequotas', 0, 1],
  ['configmaps', 0, 1],
  ['count/configmaps', 0, 1],
  ['count/serviceaccounts', 0, 1],
  ['count/networkpolicies.networking.k8s.io', 2, 3],
])(
  'a quota of %s without room for the initial objects of a namespace is refused',
  (key, less, room) => {
    expect(collectFindings(given({ hard: { [key]: less } }))).toEqual([
      `spec.quota.hard${/^[a-z]+$/.test(key) ? `.${key}` : `["${key}"]`} must be at least ${room} for ${key}, which namespace acme has from the start, got ${less}`,
    ]);
    expect(collectFindings(given({ hard: { [key]: room } }))).toEqual([]);
  },
);

test('a declared object that Kubernetes also creates in every namespace needs room once', () => {
  const room = (count: number, ...names: string[]) =>
    collectFindings(
      given(
        { hard: { 'count/serviceaccounts': count } },
        {},
        {
          serviceAccounts: names.map((name) => ({ name })),
        },
      ),
    );
  expect(room(1, 'default')).toEqual([]);
  expect(room(1, 'ci')).toHaveLength(1);
  expect(room(2, 'ci', 'default')).toEqual([]);
});

test.each(['secrets', 'services', 'persistentvolumeclaims', 'replicationcontrollers', 'pods'])(
  'a quota may allow 0 %s where a namespace initially has none',
  (key) => {
    expect(collectFindings(given({ hard: { [key]: 0 } }))).toEqual([]);
  },
);

test('two quotas cannot have the same name', () => {
  expect(collectFindings(scoped({ name: 'tenant-quota', scopes: ['Terminating'] }))).toEqual([
    "spec.quota.scoped must have a name of its own, got ResourceQuota 'tenant-quota', which quota already gives",
  ]);
});

test.each([
  ['requests.memory', 16, '16 bytes; write the unit, such as 16Gi or 16Mi'],
  ['requests.storage', '1', '1 byte; write the unit, such as 1Gi or 1Mi'],
  ['limits.memory', '512Ki', "'512Ki'"],
])('%s of %s has no unit, which is one warning', (key, amount, got) => {
  expect(collectFindings(given({ hard: { [key]: amount } }))).toEqual([
    `warning spec.quota.hard["${key}"] must be at least 1Mi for ${key} to be of use, got ${got}`,
  ]);
  expect(collectFindings(given({ preset: 'none', hard: { [key]: '1Mi' } })).join()).not.toContain(
    'to be of use',
  );
});

test('a default of a LimitRange without a unit is a warning, and a minimum is not', () => {
  const limits = (field: 'default' | 'min') => ({
    limits: { preset: 'none', items: [{ type: 'Container' as const, [field]: { memory: 512 } }] },
  });
  expect(collectFindings(given({}, {}, limits('default')))).toEqual([
    'warning spec.limits.items must be at least 1Mi for memory to be of use, got 512 bytes; write the unit, such as 512Gi or 512Mi (Container default)',
  ]);
  expect(collectFindings(given({}, {}, limits('min'))).join()).not.toContain('to be of use');
});

test('a total that leaves a namespace without pods is a warning, unless its weight is 0', () => {
  const shares = (weight: number | undefined, total: Record<string, string | number>) =>
    collectFindings(
      given(
        { total },
        {},
        {
          namespaces: [
            { name: 'a' },
            { name: 'b', ...(weight !== undefined && { quota: { weight } }) },
          ],
        },
      ),
    );
  expect(shares(undefined, { pods: 1 })).toEqual([
    'warning spec.quota.total.pods must be enough for all namespaces, got 1, of which b gets none',
  ]);
  expect(shares(0, { pods: 1 })).toEqual([]);
  expect(shares(undefined, { pods: 2 })).toEqual([]);
  expect(shares(undefined, { 'services.loadbalancers': 1 })).toEqual([]);
});
