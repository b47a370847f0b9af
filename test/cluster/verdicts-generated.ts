import fc from 'fast-check';
import type { Given } from '../constructs/given.ts';
import { network, policySpec } from './verdicts-network.ts';
import { annotations, anyText, map, named, optional, selector, some } from './verdicts-shapes.ts';
import * as text from './verdicts-text.ts';

/** A declaration that is odd in one respect, and the name of that respect. */
export interface OddTenant {
  readonly about: string;
  readonly given: Given;
}

const { keys, labelValues, names, quantities, resourceNames } = text;

const scopeNames = fc.constantFrom(
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
);

const hard = map(fc.oneof(quantities, fc.constant('unlimited')), resourceNames);

const scoped = named(
  fc.record(
    {
      name: names,
      hard: map(
        quantities,
        fc.oneof(
          fc.constantFrom(
            'pods',
            'cpu',
            'limits.memory',
            'requests.nvidia.com/gpu',
            'count/pods',
            'ephemeral-storage',
            'hugepages-2Mi',
          ),
          resourceNames,
        ),
        2,
      ),
      scopes: some(scopeNames),
      scopeSelector: some(
        fc.record(
          {
            scopeName: scopeNames,
            operator: fc.constantFrom('In', 'NotIn', 'Exists', 'Exists', 'DoesNotExist'),
            values: some(fc.oneof(names, keys), 2),
          },
          { requiredKeys: ['scopeName', 'operator'] },
        ),
        2,
      ),
    },
    { requiredKeys: ['name', 'hard'] },
  ),
);

const limited = fc.oneof(
  fc.constantFrom('cpu', 'memory', 'storage', 'hugepages-2Mi', 'nvidia.com/gpu', 'kubernetes.io/x'),
  resourceNames,
);
const near = fc.oneof(fc.constantFrom('1', '2', 2, '1500m', '1.5', '0', '1k', '1000'), quantities);
const limits = fc.uniqueArray(
  limited.chain((key) =>
    fc.record(
      {
        type: fc.constantFrom(
          'Container',
          'Container',
          'Pod',
          'PersistentVolumeClaim',
          'openshift.io/Image',
          'openshift.io/ImageStream',
        ),
        max: map(near, fc.oneof(fc.constant(key), limited), 2),
        min: map(near, fc.constant(key), 1),
        default: map(near, fc.constant(key), 1),
        defaultRequest: map(near, fc.constant(key), 1),
        maxLimitRequestRatio: map(near, fc.constant(key), 1),
      },
      { requiredKeys: ['type'] },
    ),
  ),
  { selector: ({ type }) => type, maxLength: 2 },
);

const amounts = fc.oneof(
  fc.constantFrom('1%', '50%', '99%', '100%', '0%', 0, 1, 49, 50, 2 ** 31 - 1, 149_999, 150_000),
  fc.nat(),
);
const budgets = named(
  fc.record(
    {
      name: names,
      selector,
      minAvailable: amounts,
      maxUnavailable: amounts,
      unhealthyPodEvictionPolicy: fc.constantFrom('IfHealthyBudget', 'AlwaysAllow'),
    },
    { requiredKeys: ['name', 'selector'] },
  ),
);

const accounts = named(
  fc.record(
    {
      name: names,
      labels: map(labelValues),
      annotations,
      imagePullSecrets: fc.uniqueArray(names, { maxLength: 3 }),
      automountServiceAccountToken: fc.boolean(),
    },
    { requiredKeys: ['name'] },
  ),
);

const holders = {
  users: fc.uniqueArray(text.people, { maxLength: 3 }),
  groups: fc.uniqueArray(text.people, { maxLength: 3 }),
  serviceAccounts: some(
    fc.record({ name: names, namespace: fc.constantFrom('verdict', 'a', '0') }),
  ),
  bindingName: fc.oneof(
    text.rbacNames,
    fc.constantFrom(
      '{namespace}',
      '{namespace}-admin',
      'A:{namespace}',
      `{namespace}${'a'.repeat(240)}`,
    ),
  ),
};
const words = (...known: string[]) =>
  fc.uniqueArray(fc.constantFrom(...known), { minLength: 1, maxLength: 2 });
const rule = fc.record(
  {
    apiGroups: words('', 'apps', 'example.com', '0', 'a..b'),
    resources: words('pods', 'pods/log', 'things', 'a.b', 'a//b'),
    verbs: words('get', 'list', 'patch', 'x'),
    resourceNames: fc.uniqueArray(text.people, { maxLength: 2 }),
  },
  { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
);
const access = optional({
  admins: optional(holders),
  viewers: optional(holders),
  roles: some(
    fc.record(
      { name: text.rbacNames, rules: some(rule, 2), ...holders },
      { requiredKeys: ['name', 'rules'] },
    ),
    2,
  ),
});

const podSecurity = optional({
  enforce: fc.constantFrom('baseline', 'restricted', 'none'),
  warn: fc.constantFrom('privileged', 'baseline', 'restricted', 'none'),
  version: fc.oneof(
    fc.constantFrom('latest', 'none', 'v1.0', 'v1.36', 'v1.00', 'v1.036', 'v1.999', 'v1.1000'),
    fc.nat(999).map((minor) => `v1.${minor}`),
  ),
});

/** Generates many annotations, most of 16 KiB. An object may have at most sixteen of that size. */
const full = fc
  .tuple(fc.integer({ min: 14, max: 17 }), fc.constantFrom(16_384, 16_320, 16_100), fc.boolean())
  .map(([count, size, wide]) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `k${i}`,
        (wide ? 'ä' : 'a').repeat(wide ? size / 2 : size),
      ]),
    ),
  );

const parts: Readonly<Record<string, fc.Arbitrary<object>>> = {
  quota: hard.map((bounds) => ({ quota: { preset: 'none', hard: bounds } })),
  'a total': fc
    .tuple(
      map(quantities, resourceNames, 2),
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 }),
    )
    .map(([total, weights]) => ({
      quota: { preset: 'none', total },
      namespaces: weights.map((weight, i) => ({ name: `n${i}`, quota: { weight } })),
    })),
  'a lifecycle': fc
    .tuple(fc.constantFrom('Suspended', 'Retired'), hard)
    .map(([lifecycle, { pods: _pods, ...bounds }]) => ({ lifecycle, quota: { hard: bounds } })),
  'scoped quota': scoped.map((items) => ({ quota: { scoped: items } })),
  limits: limits.map((items) => ({ limits: { preset: 'none', items } })),
  network: network.map((settings) => ({ network: settings })),
  'raw policies': fc
    .record({ spec: policySpec })
    .map(({ spec }) => ({ network: { policies: [{ name: 'raw', spec }] } })),
  budgets: budgets.map((items) => ({ disruptionBudgets: items })),
  accounts: accounts.map((items) => ({ serviceAccounts: items })),
  access: access.map((settings) => ({ access: settings })),
  'labels and annotations': optional({
    labels: map(labelValues),
    annotations,
    contact: map(anyText, fc.constantFrom('team', 'owner')),
    environment: fc.constantFrom('prod', '0', 'a'.repeat(63)),
    podSecurity,
  }),
  'many annotations': full.map((many) => ({ annotations: many })),
};

/** The Tenant's own labels and annotations. */
const metadata = optional({ labels: map(labelValues), annotations: fc.oneof(annotations, full) });

/** A class that allows everything that the API server does not check. */
const klass = {
  allow: { serviceAccounts: ['verdict', 'a', '0'].map((namespace) => ({ namespace })) },
};

/** Generates tenants that are odd in one respect. They may or may not fit the schema. */
export const oddTenants: fc.Arbitrary<OddTenant> = fc.oneof(
  ...Object.entries(parts).map(([about, spec]) =>
    spec.map((tenant): OddTenant => ({ about, given: { tenant, klass } })),
  ),
  metadata.map((own): OddTenant => ({ about: 'metadata of the Tenant', given: own as Given })),
);
