import { expect, test } from '@jest/globals';
import { checkClass } from '../../model/class-check.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { LimitItem, ScopedQuota } from '../../crds/quota.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { formatPath } from '@tenantry/kube/problem';
import { collectFindings, type Given } from './given.ts';

type Hard = NonNullable<ScopedQuota['hard']>;

const given = (items: LimitItem[], hard: Hard = {}, scoped: ScopedQuota[] = []): Given => ({
  tenant: {
    limits: { preset: 'none', items },
    quota: { preset: 'none', hard, scoped },
  },
});

const container = (item: Omit<LimitItem, 'type'>): LimitItem => ({ type: 'Container', ...item });
const pod = (item: Omit<LimitItem, 'type'>): LimitItem => ({ type: 'Pod', ...item });

const limits = (got: string): string[] => [
  `warning spec.limits.items must admit a pod that states no resources, got ${got}`,
];

test.each<[string, LimitItem[], string]>([
  [
    'a ratio between its defaults',
    [
      container({
        default: { memory: '512Mi' },
        defaultRequest: { memory: '64Mi' },
        maxLimitRequestRatio: { memory: 4 },
      }),
    ],
    'a memory limit of 512Mi that is 8 times the request of 64Mi, above maxLimitRequestRatio 4 of Container',
  ],
  [
    'the ratio of its max, which is the limit where there is no default',
    [
      container({
        max: { cpu: 2 },
        defaultRequest: { cpu: '100m' },
        maxLimitRequestRatio: { cpu: 10 },
      }),
    ],
    'a cpu limit of 2 that is 20 times the request of 100m, above maxLimitRequestRatio 10 of Container',
  ],
  [
    'a ratio without defaults',
    [container({ maxLimitRequestRatio: { memory: 4 } })],
    'no memory request, required by maxLimitRequestRatio 4 of Container',
  ],
  [
    'a ratio without a default limit',
    [container({ min: { memory: '1Mi' }, maxLimitRequestRatio: { memory: 4 } })],
    'no memory limit, required by maxLimitRequestRatio 4 of Container',
  ],
  [
    'the max of a pod below the default of its containers',
    [container({ default: { memory: '2Gi' } }), pod({ max: { memory: '1Gi' } })],
    'a memory limit of 2Gi, above max 1Gi of Pod',
  ],
  [
    'the max of a pod whose containers have no default limit',
    [container({ defaultRequest: { memory: '1Mi' } }), pod({ max: { memory: '1Gi' } })],
    'no memory limit, required by max 1Gi of Pod',
  ],
  [
    'the min of a pod above the default of its containers',
    [container({ defaultRequest: { cpu: '50m' } }), pod({ min: { cpu: '100m' } })],
    'a cpu request of 50m, below min 100m of Pod',
  ],
  [
    'the min of a pod without default requests',
    [pod({ min: { cpu: '100m' } })],
    'no cpu request, required by min 100m of Pod',
  ],
  [
    'the ratio of a pod',
    [
      container({ default: { cpu: 1 }, defaultRequest: { cpu: '100m' } }),
      pod({ maxLimitRequestRatio: { cpu: 2 } }),
    ],
    'a cpu limit of 1 that is 10 times the request of 100m, above maxLimitRequestRatio 2 of Pod',
  ],
])('a LimitRange that refuses pods without resources by %s is reported', (_what, items, got) => {
  expect(collectFindings(given(items))).toEqual(limits(got));
});

test.each<[string, LimitItem[]]>([
  [
    'a ratio that its defaults just reach',
    [
      container({
        default: { memory: '256Mi' },
        defaultRequest: { memory: '64Mi' },
        maxLimitRequestRatio: { memory: 4 },
      }),
    ],
  ],
  [
    'a ratio beside a default limit, which is the request too',
    [container({ default: { memory: '1Gi' }, maxLimitRequestRatio: { memory: 1 } })],
  ],
  ['a max, which is the limit and the request', [container({ max: { cpu: 1 } })]],
  ['a min, which is the request', [container({ min: { cpu: 1 } })]],
  [
    'the max of a pod at the default',
    [container({ default: { cpu: 1 } }), pod({ max: { cpu: 1 }, min: { cpu: 1 } })],
  ],
  ['bounds of volume claims', [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }]],
])('a LimitRange with %s is not reported', (_what, items) => {
  expect(collectFindings(given(items))).toEqual([]);
});

const quota = (key: string, got: string): string =>
  `warning spec.quota.hard${key.includes('.') ? `["${key}"]` : `.${key}`} must admit a pod that states no resources, got ${got}`;

test('a quota below the defaults is reported for each of its keys', () => {
  const items = [container({ default: { memory: '512Mi' }, defaultRequest: { memory: '128Mi' } })];
  const hard = { 'limits.memory': '256Mi', 'requests.memory': '64Mi', memory: '127Mi', pods: 5 };
  const above = (amount: string, key: string, bound: string) =>
    quota(key, `a pod with ${amount} of ${key}, above ${bound} of quota tenant-quota`);
  expect(collectFindings(given(items, hard))).toEqual([
    above('512Mi', 'limits.memory', '256Mi'),
    above('128Mi', 'requests.memory', '64Mi'),
    above('128Mi', 'memory', '127Mi'),
  ]);
  expect(
    collectFindings(given(items, { 'limits.memory': '512Mi', 'requests.memory': '128Mi' })),
  ).toEqual([]);
});

test('a quota that requires a resource without a default is intended, and not reported', () => {
  expect(collectFindings(given([], { 'limits.cpu': 4, memory: '4Gi' }))).toEqual([]);
  const memory = container({ default: { memory: '1Gi' } });
  expect(collectFindings(given([memory], { 'requests.cpu': 2, 'limits.cpu': 4, cpu: 3 }))).toEqual(
    [],
  );
  const free = { 'requests.ephemeral-storage': '1Gi', 'requests.nvidia.com/gpu': 0, pods: 3 };
  expect(collectFindings(given([], free))).toEqual([]);
});

test.each<[string, Omit<LimitItem, 'type'>, Hard, string[]]>([
  [
    'a default request',
    { defaultRequest: { cpu: '100m' } },
    { 'limits.cpu': 4 },
    [quota('limits.cpu', 'no cpu limit, required by limits.cpu of quota tenant-quota')],
  ],
  [
    'a min, which is the request',
    { min: { memory: '1Mi' } },
    { 'limits.memory': '4Gi', 'requests.memory': '4Gi' },
    [quota('limits.memory', 'no memory limit, required by limits.memory of quota tenant-quota')],
  ],
  [
    'a default limit, which is the request too',
    { default: { cpu: 1 } },
    { 'limits.cpu': 4, 'requests.cpu': 4, cpu: 4 },
    [],
  ],
])(
  'a quota on cpu or memory beside %s is reported with what is missing',
  (_what, item, hard, all) => {
    expect(collectFindings(given([container(item)], hard))).toEqual(all);
  },
);

test('defaults that exceed a quota are reported, even where the quota requires another resource', () => {
  const items = [container({ default: { memory: '512Mi' } })];
  expect(collectFindings(given(items, { 'requests.cpu': 2, 'limits.memory': '256Mi' }))).toEqual([
    quota('limits.memory', 'a pod with 512Mi of limits.memory, above 256Mi of quota tenant-quota'),
  ]);
});

test('extended resources and huge pages of the defaults are included', () => {
  const gpu = container({
    default: { 'nvidia.com/gpu': 1 },
    defaultRequest: { 'nvidia.com/gpu': 1 },
  });
  expect(collectFindings(given([gpu], { 'requests.nvidia.com/gpu': 0 }))).toEqual([
    quota(
      'requests.nvidia.com/gpu',
      'a pod with 1 of requests.nvidia.com/gpu, above 0 of quota tenant-quota',
    ),
  ]);
});

test.each<[string, Partial<ScopedQuota>, boolean]>([
  ['of all pods that use resources', { scopes: ['NotBestEffort'] }, true],
  [
    'of pods without resources',
    { scopes: ['BestEffort'], hard: { 'requests.x.example/gpu': 0 } },
    false,
  ],
  ['of long running pods', { scopes: ['NotTerminating'] }, true],
  ['of pods with a deadline', { scopes: ['Terminating'] }, true],
  [
    'of a priority',
    { scopeSelector: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    true,
  ],
  [
    'of no priority',
    { scopeSelector: [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }] },
    true,
  ],
])('a quota %s is compared with the defaults', (_what, scoped, isReported) => {
  const items = [container({ default: { memory: '2Gi' } })];
  const found = collectFindings(
    given(items, {}, [{ name: 'extra', hard: { 'limits.memory': '1Gi' }, ...scoped }]),
  );
  const got = 'a pod with 2Gi of limits.memory, above 1Gi of quota extra';
  expect(found).toEqual(
    isReported
      ? [`warning spec.quota.scoped must admit a pod that states no resources, got ${got}`]
      : [],
  );
});

test('a pod with defaults is never in the scope BestEffort', () => {
  const scoped: ScopedQuota[] = [
    { name: 'extra', hard: { 'requests.nvidia.com/gpu': 0 }, scopes: ['BestEffort'] },
  ];
  const gpu = { 'nvidia.com/gpu': 1 };
  const items = (memory: object) => [
    container({ default: { ...gpu, ...memory }, defaultRequest: gpu }),
  ];
  expect(collectFindings(given(items({ memory: '2Gi' }), {}, scoped))).toEqual([]);
  expect(collectFindings(given(items({}), {}, scoped))).toHaveLength(1);
});

test('a quota that allows no pods in its scopes is intended, and not reported', () => {
  const scoped: ScopedQuota[] = [
    {
      name: 'none',
      hard: { pods: 0, 'limits.memory': '1Mi' },
      scopeSelector: [{ scopeName: 'PriorityClass', operator: 'Exists' }],
    },
  ];
  expect(collectFindings(given([container({ default: { memory: '2Gi' } })], {}, scoped))).toEqual(
    [],
  );
});

test('a quota below the minimum of a container or of a claim is reported: it admits none', () => {
  const items: LimitItem[] = [
    container({ min: { memory: '1Gi' } }),
    { type: 'PersistentVolumeClaim', min: { storage: '10Gi' } },
  ];
  const words = (type: string, key: string, what: string, bound: string, least: string) =>
    `warning spec.quota.hard["${key}"] must be at least the min of a ${type} for ${key} of quota tenant-quota to admit any ${what}, got '${bound}' below '${least}'`;
  const hard = { 'requests.memory': '1023Mi', 'requests.storage': '9Gi' };
  expect(collectFindings(given(items, hard))).toEqual([
    words('Container', 'requests.memory', 'pod', '1023Mi', '1Gi'),
    words('PersistentVolumeClaim', 'requests.storage', 'claim', '9Gi', '10Gi'),
  ]);
  expect(
    collectFindings(given(items, { 'requests.memory': '1Gi', 'requests.storage': '10Gi' })),
  ).toEqual([]);
});

test('a Pod max below a Container min is reported', () => {
  const items = (min: string) => [
    container({ min: { cpu: min }, default: { cpu: 4 } }),
    pod({ max: { cpu: 1 } }),
  ];
  expect(collectFindings(given(items('2')))[0]).toBe(
    "warning spec.limits.items must have Container min at most Pod max for cpu to admit any pod, got '2' above 1",
  );
  expect(collectFindings(given(items('1'))).join('\n')).not.toContain('to admit any pod');
});

test('a namespace that allows no pods is intended, and not reported', () => {
  const items = [container({ default: { memory: '512Mi' } })];
  for (const key of ['pods', 'count/pods']) {
    expect(collectFindings(given(items, { 'limits.memory': '1Mi', [key]: 0 }))).toEqual([]);
  }
  const { tenant } = given(items, { 'limits.memory': '1Mi' });
  expect(collectFindings({ tenant: { ...tenant, lifecycle: 'Suspended' } })).toEqual([]);
});

test.each(['requests.cpu', 'limits.memory', 'cpu'])(
  'a quota of 0 for %s admits no pod, which is one warning, with and without defaults',
  (key) => {
    const message = `must be above 0 for ${key} of quota tenant-quota to admit any pod, got '0'; to exclude pods on purpose, set pods to 0`;
    for (const items of [[], [container({ default: { memory: '512Mi', cpu: 1 } })]]) {
      expect(collectFindings(given(items, { [key]: '0' }))).toEqual([
        `warning spec.quota.hard${key.includes('.') ? `["${key}"]` : `.${key}`} ${message}`,
      ]);
    }
    const { tenant } = given([], { [key]: '0' });
    expect(collectFindings({ tenant: { ...tenant, lifecycle: 'Retired' } })).toEqual([]);
  },
);

test('a LimitRange that the API server refuses anyway is reported only as such', () => {
  const items = [container({ min: { memory: '2Gi' }, default: { memory: '1Gi' } })];
  expect(collectFindings(given(items, { 'limits.memory': '1Mi' }))).toEqual([
    "spec.limits.items must have min at most default for Container memory, got '2Gi' above '1Gi'",
  ]);
});

const small: TenantClassSpec = {
  defaults: {
    limits: { items: [{ type: 'Container', default: { memory: '512Mi' } }] },
    quota: { hard: { 'limits.memory': '256Mi', 'requests.memory': '256Mi' } },
  },
};

const ofClass = (spec: TenantClassSpec): string[] =>
  checkClass({ name: 'standard', spec }, resolvePlatform({})).findings.map(
    ({ rule, severity, path }) => `${severity} ${rule} ${formatPath(path)}`,
  );

test('a conflict is reported at the class that sets both values', () => {
  expect(ofClass(small)).toEqual([
    'warning quota-refuses-defaults spec.defaults.quota.hard["limits.memory"]',
  ]);
  const prod = { name: 'prod', ...small.defaults };
  expect(ofClass({ environments: [prod] })).toEqual([
    'warning quota-refuses-defaults spec.environments[0].quota.hard["limits.memory"]',
  ]);
});

test('a conflict within a class is an error of the class, unless a tenant sets the bound', () => {
  const got = 'must admit a pod that states no resources, got a pod with 512Mi of limits.memory';
  const other: Partial<NonNullable<Given['tenant']>>[] = [
    {},
    { quota: { hard: { secrets: 5 } } },
    { quota: { preset: 'tiny' }, limits: { preset: 'usual' } },
  ];
  const hard = { 'limits.memory': '256Mi' };
  const items = [container({ default: { memory: '512Mi' } })];
  const klass: TenantClassSpec = {
    presets: { quotas: [{ name: 'tiny', hard }], limits: [{ name: 'usual', items }] },
    defaults: { quota: { preset: 'tiny' }, limits: { preset: 'usual' } },
  };
  const ofClassAlone = `warning spec.className ${got}, above 256Mi of quota tenant-quota`;
  for (const tenant of other) expect(collectFindings({ klass, tenant })).toEqual([ofClassAlone]);
  expect(ofClass(klass)).toEqual([
    'warning quota-refuses-defaults spec.presets.quotas[0].hard["limits.memory"]',
  ]);
  const own = (bound: string) =>
    collectFindings({ klass, tenant: { quota: { hard: { 'limits.memory': bound } } } });
  for (const bound of ['256Mi', '128Mi']) {
    expect(own(bound)).toEqual([
      `warning spec.quota.hard["limits.memory"] ${got}, above ${bound} of quota tenant-quota`,
    ]);
  }
  expect(own('512Mi')).toEqual([]);
});

test('a conflict in one environment of a class is not reported for tenants of another environment', () => {
  const environments = [
    { name: 'prod', quota: { preset: 'none', hard: { 'limits.memory': '256Mi' } } },
  ];
  const klass = { environments };
  const tenant = { limits: { preset: 'none' } };
  const entry = (environment: string) => ({ namespaces: [{ name: 'a', environment }] });
  expect(collectFindings({ klass, tenant: entry('prod') })).toEqual([
    expect.stringMatching(/^warning spec\.className .* above 256Mi of quota tenant-quota$/),
  ]);
  expect(collectFindings({ klass, tenant: entry('dev') })).toEqual([]);
  expect(collectFindings({ klass, tenant: { ...tenant, ...entry('prod') } })).toEqual([]);
});

test('a conflict with a built-in default is reported at the class that sets the other value', () => {
  const limits = { items: [{ type: 'Container' as const, default: { memory: '33Gi' } }] };
  expect(ofClass({ defaults: { limits } })).toEqual([
    'warning quota-refuses-defaults spec.defaults.limits.items',
  ]);
});

test('presets are compared with what they are used with, not with the built-in defaults', () => {
  const items: LimitItem[] = [container({ default: { memory: '33Gi' } })];
  const quotas = [{ name: 'tiny', hard: { 'limits.memory': '1Mi' } }];
  const presets = { limits: [{ name: 'large', items }], quotas };
  expect(ofClass({ presets })).toEqual([]);
  const klass = { presets };
  expect(collectFindings({ klass, tenant: { quota: { preset: 'tiny' } } })).toEqual([
    'warning spec.quota must admit a pod that states no resources, got a pod with 512Mi of limits.memory, above 1Mi of quota tenant-quota',
  ]);
  const odd = [
    container({
      default: { cpu: 2 },
      defaultRequest: { cpu: 1 },
      maxLimitRequestRatio: { cpu: 1 },
    }),
  ];
  expect(ofClass({ presets: { limits: [{ name: 'odd', items: odd }] } })).toEqual([
    'warning limits-refuse-defaults spec.presets.limits[0].items',
  ]);
});

test('a min of claims above the limit of a storage class admits no claim of that class', () => {
  const items: LimitItem[] = [{ type: 'PersistentVolumeClaim', min: { storage: '10Gi' } }];
  const key = 'gold.storageclass.storage.k8s.io/requests.storage';
  expect(collectFindings(given(items, { [key]: '10Gi' }))).toEqual([]);
  expect(collectFindings(given(items, { [key]: '5Gi' }))).toEqual([
    `warning spec.quota.hard["${key}"] must be at least the min of a PersistentVolumeClaim for ${key} of quota tenant-quota to admit any claim, got '5Gi' below '10Gi'`,
  ]);
});

test('a min of an extended resource gives a request without a limit, which no pod may have', () => {
  const key = 'nvidia.com/gpu';
  expect(collectFindings(given([container({ min: { [key]: 1 } })]))).toEqual(
    limits(`a ${key} request of 1 without a limit, which must be the same`),
  );
  expect(collectFindings(given([container({ min: { [key]: 1 }, max: { [key]: 2 } })]))).toEqual([]);
});

test('a container that fits into no pod is reported once', () => {
  const least = { memory: '1Gi' };
  const items = [container({ min: least, default: least }), pod({ max: { memory: '512Mi' } })];
  expect(collectFindings(given(items))).toEqual([
    "warning spec.limits.items must have Container min at most Pod max for memory to admit any pod, got '1Gi' above '512Mi'",
  ]);
});
