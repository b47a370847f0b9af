import fc from 'fast-check';
import * as dictionary from './dictionary.ts';

const keys = [
  'tenantry.dev/tenant',
  'tenantry.dev/environment',
  'app.kubernetes.io/managed-by',

  'kubernetes.io/metadata.name',
  'pod-security.kubernetes.io/enforce',
  'example.com/criticality',
  'example.com/app',
  'component',
  'app',
  'nonsense',
];
const values = fc.uniqueArray(
  fc.constantFrom(
    'tenantry',
    'victim',
    'mallory',
    'victim-prod',
    'mallory-dev',
    'prod',
    'baseline',
    'normal',
    'shop',
    'ingress-controllers',
    'x',
  ),
  { minLength: 1, maxLength: 3 },
);

/** Selectors of namespaces: of own ones, of known others, and of all in disguise. */
export const selector = fc.record(
  {
    matchLabels: fc.dictionary(
      fc.constantFrom(...keys),
      values.map(([first]) => first!),
      { maxKeys: 2, noNullPrototype: true },
    ),
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({
          key: fc.constantFrom(...keys),
          operator: fc.constantFrom('In', 'NotIn'),
          values,
        }),
        fc.record({
          key: fc.constantFrom(...keys),
          operator: fc.constantFrom('Exists', 'DoesNotExist'),
        }),
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const ipBlock = fc.record(
  {
    cidr: fc.constantFrom(...dictionary.cidrs),
    except: fc.uniqueArray(
      fc.constantFrom('10.0.0.0/9', '0.0.0.0/1', '10.40.128.0/17', '::/1', '128.0.0.0/1'),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['cidr'] },
);

const peer = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        namespaceSelector: selector,
        podSelector: fc.constantFrom({}, { matchLabels: { app: 'x' } }),
      },
      { requiredKeys: ['namespaceSelector'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ ipBlock }) },
  fc.record({ podSelector: fc.constantFrom({}, { matchLabels: { app: 'x' } }) }),
  fc.constant({}),
);
const peers = fc.array(peer, { maxLength: 3 });
const ports = fc.constantFrom([{ port: 80 }], [{ port: 1, endPort: 65_535 }], [{ port: 'http' }]);

/** The usual form with one peer, which is accepted most often. */
const usual = fc.oneof(
  peer.map((one) => ({ podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [one] }] })),
  peer.map((one) => ({ podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [one] }] })),
);

const unusual = fc.record(
  {
    podSelector: fc.constantFrom(
      {},
      { matchLabels: { app: 'x' } },
      { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
    ),
    policyTypes: fc.constantFrom(['Ingress'], ['Egress'], ['Ingress', 'Egress'], []),
    ingress: fc.array(fc.record({ from: peers, ports }, { requiredKeys: [] }), { maxLength: 2 }),
    egress: fc.array(fc.record({ to: peers, ports }, { requiredKeys: [] }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** An item of `network.policies`. */
export const policy = fc.record(
  {
    name: fc.constantFrom(
      'hole',
      'hole',
      'tenant-isolation',
      'tenant-egress',
      'allow-monitoring',
      'other',
    ),
    spec: fc.oneof({ weight: 2, arbitrary: usual }, unusual),
    labels: fc.constantFrom(
      { app: 'x' },
      { app: 'y' },
      { 'tenantry.dev/tenant': 'victim' },
      { 'argocd.argoproj.io/instance': 'x' },
    ),
  },
  { requiredKeys: ['name', 'spec'] },
);
