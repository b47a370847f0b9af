import fc from 'fast-check';
import { anyCodePoint } from '@tenantry/kube/test/code-points';

/** Texts at the limits of valid names, keys, quantities and address blocks. */
const long = (length: number) => 'a'.repeat(length);

const few = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });

/** Keys of labels and annotations, and near misses. */
export const keys: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('app', 'a.b', 'a_b', 'A', 'example.com/name', 'example.com/a_b.C', 'x-y/z'),
  fc.constantFrom('', '/', '/a', 'a/', 'a/b/c', '-a', 'a-', 'a..b/c', 'a b', 'ä', 'Example.com/x'),
  fc.constantFrom(long(63), long(64), `${long(253)}/a`, `${long(254)}/a`, `a/${long(64)}`),
  few('aA0-_./ !'),
);

export const labelValues: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'A.b_c-D', '0', long(63)),
  few('aA0-_.'),
);

/** Names of objects, most of them valid. */
export const names: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('a', 'default', 'a.b', 'a-b', '0', '1.2', long(63), long(64), long(253)),
  few('a0-.'),
);

export const rbacNames: fc.Arbitrary<string> = fc.oneof(
  names,
  fc.constantFrom('A', 'a:b', 'a_b', 'a..b', 'system:x', '0:0'),
  few('aA0:._-'),
);

const suffixes = [
  '',
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e0',
  'e3',
  'E3',
  'e-3',
  'e+9',
  'e-9',
  'e-12',
  'e18',
  'e30',
  'e99',
];

const digits = fc.oneof(
  fc.constantFrom('0', '1', '2', '10', '999', '1000', '1024', '1500', '007', ''),
  fc.constantFrom(
    '9223372036854775807',
    '9223372036854775808',
    '5000000000000000001',
    '1'.repeat(30),
  ),
  fc.nat(5000).map(String),
);
const fractions = fc.constantFrom(
  '',
  '',
  '',
  '.',
  '.5',
  '.50',
  '.001',
  '.0001',
  '.999999999',
  '.9999999999',
);

/** Quantities in every notation, except for `unlimited`. */
export const quantities: fc.Arbitrary<string | number> = fc.oneof(
  fc
    .tuple(digits, fractions, fc.constantFrom(...suffixes))
    .map((parts) => parts.join(''))
    .filter((text) => /\d/.test(text.replace(/[eE].*$/, ''))),
  fc.constantFrom('0', '1', '500m', '1Gi', 1, 0, 10),
  fc.nat(),
);

const resources = [
  'cpu',
  'memory',
  'storage',
  'ephemeral-storage',
  'pods',
  'services',
  'secrets',
  'configmaps',
  'services.loadbalancers',
  'services.nodeports',
  'replicationcontrollers',
  'resourcequotas',
  'persistentvolumeclaims',
  'podz',
  'requests.storage',
  '2Mi',
  '1.5Gi',
  '0',
  '!',
  '..',
  '-1Mi',
  'jobs.batch',
  'deployments.apps',
  'deployments',
  'Jobs.batch',
  'things.example.com',
  'events',
  'nvidia.com/gpu',
  'example.com/a_b',
  'kubernetes.io/a',
  'devices',
  long(40),
  long(53),
  long(64),
];
const prefixes = [
  '',
  '',
  'requests.',
  'limits.',
  'count/',
  'hugepages-',
  'requests.hugepages-',
  'gold.storageclass.storage.k8s.io/',
  'x.deviceclass.resource.k8s.io/',
  'a/',
  'kubernetes.io/',
  'requests.deviceclass.resource.kubernetes.io/',
  'requests.requests.',
  'count/count/',
];

/** Names of resources in quotas and limits, and near misses. */
export const resourceNames: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...prefixes), fc.constantFrom(...resources))
      .map((parts) => parts.join('')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'cpu',
      'memory',
      'requests.cpu',
      'limits.memory',
      'pods',
      'hugepages-2Mi',
      'nvidia.com/gpu',
      'storage',
    ),
  },
  { weight: 1, arbitrary: keys },
);

/** Names of users and groups: any text that an identity provider may use. */
export const people: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'alice',
    'alice@example.com',
    'github:pay',
    'CN=Team A,OU=x',
    '*',
    'a/b',
    'ünï',
    '🙂',
  ),
  fc.constantFrom('a\nb', '\u0000', '\t', '\u200b', '\u202e', ' a', 'a ', '"', "'", '#', ': '),
  fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 10 }),
);

/** Address blocks of both families, with and without bits after the prefix. */
export const cidrs: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('10.0.0.0/8', '0.0.0.0/0', '::/0', '10.0.0.1/32', '2001:db8::/32', 'fe80::1/128'),
  fc.constantFrom('10.0.0.1/8', '10.0.0.0/33', '010.0.0.0/8', '10.0.0.0/08', '::1/64', '1.2.3/24'),
  fc.constantFrom('::ffff:10.0.0.0/104', '::ffff:10.0.0.0/8', '2001:DB8::/32', '::10.0.0.0/128'),
  fc.constantFrom('0:0:0:0:0:0:0:0/0', '2001:db8:0:0::/64', '1:2:3:4:5:6:7::/112', ':::/0'),
  fc.tuple(fc.ipV4(), fc.nat(33)).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(fc.ipV6(), fc.nat(129)).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `${a}.${b}.0.0/16`),
);
