import fc from 'fast-check';
import type { ComparedKind } from './objects.ts';

/** The content of an object of a kind. */
export interface ComparedObject {
  readonly kind: ComparedKind;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Amounts, each in several spellings. */
export const amounts: readonly (readonly (string | number)[])[] = [
  ['0', 0, '0m', '0Mi'],
  ['1', 1, '1000m', '1.0', '999999u'],
  ['2', '2e0', '2000m', '1.9999999'],
  ['500m', '0.5', '.5', '500000u'],
  ['1k', '1000', '1e3', 1000],
  ['1Gi', '1024Mi', '1073741824', '1048576Ki'],
  ['1G', '1000M', '1e9'],
];

const amount = fc.constantFrom(...amounts.flat());
const wholes = ['0', 1, '1000m', '2e0', '10', 10, '1k', '1000'];
const some = <T>(item: fc.Arbitrary<T>, minLength = 0) =>
  fc.array(item, { minLength, maxLength: 3 });
const few = (...words: string[]) => fc.uniqueArray(fc.constantFrom(...words), { maxLength: 3 });
const maybe = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });

const labels = fc.dictionary(
  fc.constantFrom('app', 'constructor', 'example.com/tier', 'selector'),
  fc.constantFrom('', 'a', 'b'),
  { maxKeys: 3 },
);
const expression = fc.oneof(
  fc.record({
    key: fc.constantFrom('app', 'tier'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(fc.constantFrom('a', 'b', ''), { minLength: 1 }),
  }),
  fc.record({ key: fc.constant('app'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const selector = maybe({ matchLabels: labels, matchExpressions: some(expression) });

const port = fc.oneof(
  maybe({ protocol: fc.constantFrom('TCP', 'UDP'), port: fc.constantFrom(80, 443, 'web') }),
  fc.record({ port: fc.constant(80), endPort: fc.constantFrom(80, 90) }),
);
const peer = fc.oneof(
  fc.record({ podSelector: selector, namespaceSelector: selector }),
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector: selector }),
  fc.record({
    ipBlock: fc.record(
      { cidr: fc.constant('10.0.0.0/8'), except: few('10.1.0.0/16', '10.2.0.0/16') },
      { requiredKeys: ['cidr'] },
    ),
  }),
);
const directions: fc.Arbitrary<string[]> = fc.subarray(['Egress', 'Ingress']);

const networkPolicy = maybe({
  podSelector: selector,
  ingress: some(maybe({ ports: some(port), from: some(peer) })),
  egress: some(maybe({ ports: some(port), to: some(peer) })),
  policyTypes: directions,
}).map((spec) => ({ spec }));

const quota = maybe({
  hard: fc.dictionary(
    fc.constantFrom('pods', 'requests.memory', 'limits.cpu', 'count/jobs.batch', 'requests.cpu'),
    amount,
  ),
}).map(({ hard = {} }) => ({
  spec: {
    hard: Object.fromEntries(
      Object.entries(hard).map(([key, value]) => [key, isCounted(key) ? whole(value) : value]),
    ),
  },
}));

const isCounted = (key: string): boolean => key === 'pods' || key.startsWith('count/');
const whole = (value: string | number) => wholes[String(value).length % wholes.length]!;

/** Minimum, request, default and maximum of one resource. */
const bounds = fc.subarray(['min', 'defaultRequest', 'default', 'max']).map((fields) =>
  Object.fromEntries(
    fields.map((field) => {
      const at = ['min', 'defaultRequest', 'default', 'max'].indexOf(field);
      return [
        field,
        { cpu: ['0.1', '200m', 1, '2000m'][at], memory: ['1Mi', '10Mi', '0.5Gi', '1Gi'][at] },
      ];
    }),
  ),
);
const podBounds = fc
  .subarray(['min', 'max'])
  .map((fields) =>
    Object.fromEntries(fields.map((field) => [field, { cpu: field === 'min' ? '10m' : '4' }])),
  );
const limitRange = fc
  .record({
    container: fc.option(bounds),
    pod: fc.option(podBounds),
    ratio: fc.option(fc.constantFrom('2', '2.0001')),
  })
  .map(({ container, pod, ratio }) => ({
    spec: {
      limits: [
        ...(container ? [{ type: 'Container', ...container }] : []),
        ...(pod
          ? [{ type: 'Pod', ...pod, ...(ratio && { maxLimitRequestRatio: { memory: ratio } }) }]
          : []),
      ],
    },
  }));

const rule = fc.record({
  apiGroups: fc.constantFrom([''], ['apps'], ['', 'apps']),
  resources: fc.uniqueArray(fc.constantFrom('pods', 'services', 'deployments'), { minLength: 1 }),
  verbs: fc.uniqueArray(fc.constantFrom('get', 'list', 'watch', '*'), { minLength: 1 }),
  resourceNames: few('a', 'b'),
});
const group = 'rbac.authorization.k8s.io';
const person = fc.record(
  {
    kind: fc.constantFrom('User', 'Group'),
    name: fc.constantFrom('alice', 'team:a', 'a,name=b]', 'x\u202ey'),
    apiGroup: fc.constantFrom('', group),
  },
  { requiredKeys: ['kind', 'name'] },
);
const account = fc.record(
  {
    kind: fc.constant('ServiceAccount'),
    name: fc.constantFrom('ci', 'default'),
    namespace: fc.constantFrom('shop', 'pay'),
    apiGroup: fc.constant(''),
  },
  { requiredKeys: ['kind', 'name', 'namespace'] },
);
const binding = fc.record({
  roleRef: fc.record(
    {
      apiGroup: fc.constantFrom('', group),
      kind: fc.constant('ClusterRole'),
      name: fc.constant('view'),
    },
    { requiredKeys: ['kind', 'name'] },
  ),
  subjects: some(fc.oneof(person, account)),
});
const serviceAccount = maybe({
  automountServiceAccountToken: fc.boolean(),
  imagePullSecrets: few('a', 'b', 'c').map((names) => names.map((name) => ({ name }))),
});
const budget = fc
  .tuple(
    fc.constantFrom({ minAvailable: 1 }, { maxUnavailable: '50%' }, { minAvailable: '10%' }, {}),
    maybe({
      selector,
      unhealthyPodEvictionPolicy: fc.constantFrom('AlwaysAllow', 'IfHealthyBudget'),
    }),
  )
  .map(([count, rest]) => ({ spec: { ...count, ...rest } }));

const byKind: Readonly<Record<ComparedKind, fc.Arbitrary<object>>> = {
  Namespace: fc.constant({}),
  ResourceQuota: quota,
  LimitRange: limitRange,
  ServiceAccount: serviceAccount,
  Role: fc.record({ rules: some(rule) }),
  RoleBinding: binding,
  NetworkPolicy: networkPolicy,
  PodDisruptionBudget: budget,
};

/** Two objects of a kind that the API server accepts. */
export const anyTwo: fc.Arbitrary<readonly [ComparedObject, ComparedObject]> = fc
  .constantFrom(...(Object.keys(byKind) as ComparedKind[]))
  .chain((kind) => {
    const anyOne = byKind[kind].map((fields): ComparedObject => ({ kind, fields: { ...fields } }));
    return fc.tuple(anyOne, anyOne);
  });

/** Returns the same value with its lists in another order. */
export function reordered(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) {
    const all = value.map((one) => reordered(one, turn));
    const at = turn % Math.max(1, all.length);
    const turned = [...all.slice(at), ...all.slice(0, at)];
    return turn % 2 === 0 ? turned : turned.toReversed();
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, reordered(one, turn)] as const);
  return Object.fromEntries(turn % 2 === 0 ? entries : entries.toReversed());
}

/** Returns the same value with each amount in another spelling. */
export function respelled(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((one) => respelled(one, turn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      amountFields.has(key) ? otherAmounts(one as object, turn) : respelled(one, turn),
    ]),
  );
}

const amountFields = new Set(['hard', 'min', 'max', 'default', 'defaultRequest']);

function otherAmounts(given: object, turn: number): object {
  return Object.fromEntries(
    Object.entries(given).map(([key, one]) => {
      const spellings = amounts.find((all) => all.includes(one as string)) ?? [one as string];
      const isFine = (text: string | number) => !isCounted(key) || !/[u.]/.test(String(text));
      const fitting = spellings.filter(isFine);
      return [key, fitting[turn % fitting.length] ?? one];
    }),
  );
}
