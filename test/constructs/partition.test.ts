import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { divide } from '../../model/layers/partition.ts';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { NamespaceEntry } from '../../crds/tenant.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { desiredOf, hardOf, refused, type Given } from './given.ts';

const weights = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 12 });
const named = (list: readonly number[]) => list.map((weight, i) => ({ name: `n${i}`, weight }));

test('parts add up to the total, and each is less than a unit away from its exact share', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), weights, (units, list) => {
      const sum = BigInt(list.reduce((a, b) => a + b, 0));
      fc.pre(sum > 0n);
      const parts = divide(units, named(list));
      expect(parts.reduce((a, b) => a + b, 0n)).toBe(units);
      parts.forEach((part, i) => {
        const off = part * sum - units * BigInt(list[i]!);
        expect(off > -sum && off < sum).toBe(true);
        if (list[i] === 0) expect(part).toBe(0n);
      });
    }),
    runs(300),
  );
});

test('the parts depend on names and weights, never on the order', () => {
  const shuffled = weights.chain((list) =>
    fc.tuple(
      fc.constant(named(list)),
      fc.shuffledSubarray(named(list), { minLength: list.length }),
    ),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1000n }), shuffled, (units, [one, other]) => {
      fc.pre(one.some(({ weight }) => weight > 0));
      const shares = (parts: typeof one) => {
        const amounts = divide(units, parts);
        return Object.fromEntries(parts.map(({ name }, i) => [name, amounts[i]]));
      };
      expect(shares(other)).toEqual(shares(one));
    }),
    runs(200),
  );
});

test('of two equal remainders the earlier name gets the unit', () => {
  const parts = ['c', 'a', 'b'].map((name) => ({ name, weight: 1 }));
  expect(divide(4n, parts)).toEqual([1n, 2n, 1n]);
  expect(divide(5n, parts)).toEqual([1n, 2n, 2n]);
});

test('a total cannot be divided by weights of 0, and a total of 0 gives parts of 0', () => {
  expect(() => divide(1n, named([0, 0]))).toThrow('must have a weight above 0 to divide by');
  expect(divide(0n, named([0, 0]))).toEqual([0n, 0n]);
  expect(divide(0n, [])).toEqual([]);
});

function shared(total: Record<string, string | number>, ...entries: NamespaceEntry[]): Given {
  return { tenant: { quota: { total }, namespaces: entries } };
}

const partsOf = (given: Given, key: string): (string | undefined)[] =>
  desiredOf(given).namespaces.map(({ name }) => hardOf(given, name)![key]);

test('a total of a tenant is divided over its namespaces so that the parts add up, in every unit', () => {
  const amounts: fc.Arbitrary<[string, string]> = fc.oneof(
    fc.tuple(
      fc.constant('requests.cpu'),
      fc.nat(5000).map((n) => `${n}m`),
    ),
    fc.tuple(fc.constantFrom('limits.cpu', 'cpu', 'pods', 'secrets'), fc.nat(500).map(String)),
    fc.tuple(
      fc.constantFrom('requests.memory', 'requests.storage'),
      fc
        .tuple(fc.nat(300), fc.constantFrom('', 'k', 'Ki', 'Mi', 'Gi', '.5Gi', 'Ti', 'G'))
        .map((p) => p.join('')),
    ),
  );
  fc.assert(
    fc.property(
      amounts,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 7 }),
      ([key, total], list) => {
        const entries = list.map((weight, i) => ({ name: `n${i}`, quota: { weight } }));
        const parts = partsOf(shared({ [key]: total }, ...entries), key);
        const sum = parts.reduce((all, part) => all + parseQuantity(part!)!, 0n);
        expect(sum).toBe(parseQuantity(total));
      },
    ),
    runs(150),
  );
});

test('fixed parts of namespaces are subtracted first, and weights share the rest', () => {
  const given = shared(
    { 'requests.cpu': 10, pods: 100 },
    { name: 'a', quota: { hard: { 'requests.cpu': '4' } } },
    { name: 'b', quota: { weight: 2 } },
    { name: 'c' },
  );
  expect(partsOf(given, 'requests.cpu')).toEqual(['4', '4', '2']);
  expect(partsOf(given, 'pods')).toEqual(['25', '50', '25']);
});

test('a tenant without namespaces has the whole total in its own namespace', () => {
  const given: Given = { tenant: { quota: { total: { pods: 10, 'requests.cpu': 2 } } } };
  expect(hardOf(given)).toMatchObject({ pods: '10', 'requests.cpu': '2' });
});

test('a part has the unit of the total, and a finer one only where necessary', () => {
  const total = { 'requests.cpu': 20, 'limits.cpu': 5, 'requests.memory': '4Gi', pods: 7 };
  const given = shared(total, { name: 'a' }, { name: 'b' });
  expect(hardOf(given, 'a')).toMatchObject({
    'requests.cpu': '10',
    'limits.cpu': '2500m',
    'requests.memory': '2Gi',
    pods: '4',
  });
});

test('namespaces may fix the whole total, and leave nothing to share', () => {
  const given = shared(
    { pods: 10 },
    { name: 'a', quota: { hard: { pods: 4 } } },
    { name: 'b', quota: { hard: { pods: 6 } } },
  );
  expect(partsOf(given, 'pods')).toEqual(['4', '6']);
  const sharing = shared({ pods: 10 }, { name: 'a', quota: { hard: { pods: 10 } } }, { name: 'b' });
  expect(partsOf(sharing, 'pods')).toEqual(['10', '0']);
});

test('a part of the total overrides what the tenant sets for each namespace', () => {
  const tenant = {
    quota: { total: { pods: 10 }, hard: { pods: 99 } },
    namespaces: [{ name: 'a' }, { name: 'b' }],
  };
  expect(partsOf({ tenant }, 'pods')).toEqual(['5', '5']);
});

test('unlimited fixes nothing: the namespace gets a share', () => {
  const given = shared(
    { pods: 10 },
    { name: 'a', quota: { hard: { pods: 'unlimited' } } },
    { name: 'b' },
  );
  expect(partsOf(given, 'pods')).toEqual(['5', '5']);
});

test('a weight of 0 gets nothing at all', () => {
  expect(
    partsOf(shared({ pods: 10 }, { name: 'a', quota: { weight: 0 } }, { name: 'b' }), 'pods'),
  ).toEqual(['0', '10']);
});

test('the share of a Retired namespace goes to the others, while there are any', () => {
  const retired = { lifecycle: 'Retired' } as const;
  const one = shared({ secrets: 10 }, { name: 'a', ...retired }, { name: 'b' });
  expect(partsOf(one, 'secrets')).toEqual(['0', '10']);
  const all = shared({ secrets: 10 }, { name: 'a', ...retired }, { name: 'b', ...retired });
  expect(partsOf(all, 'secrets')).toEqual(['5', '5']);
});

test('a namespace on two clusters has two parts', () => {
  const given: Given = {
    platform: { clusters: [{ name: 'eu' }, { name: 'us' }] },
    tenant: { quota: { total: { pods: 10 } }, clusters: ['eu', 'us'], namespaces: [{ name: 'a' }] },
  };
  const parts = desiredOf(given).namespaces.map(({ cluster, objects }) => [
    cluster,
    (objects.find(({ kind }) => kind === 'ResourceQuota')!['spec'] as { hard: object }).hard,
  ]);
  expect(parts).toEqual([
    ['eu', expect.objectContaining({ pods: '5' })],
    ['us', expect.objectContaining({ pods: '5' })],
  ]);
});

test.each<[string, Given, string]>([
  [
    'less than what is fixed',
    shared({ pods: 10 }, { name: 'a', quota: { hard: { pods: 11 } } }, { name: 'b' }),
    'spec.quota.total.pods must be at least what its namespaces fix in quota.hard, got 10',
  ],
  [
    'more than what is fixed, with nobody to take the rest',
    shared({ pods: 10 }, { name: 'a', quota: { hard: { pods: 9 } } }),
    'spec.quota.total.pods must be divisible over the namespaces, got 10: no namespace is left to take the rest',
  ],
  [
    'a rest finer than its unit',
    shared({ cpu: '1' }, { name: 'a', quota: { hard: { cpu: '100u' } } }, { name: 'b' }),
    'spec.quota.total.cpu must be divisible over the namespaces, got 1: the rest is not a whole number of units',
  ],
  [
    'all weights are 0',
    shared({ pods: 10 }, { name: 'a', quota: { weight: 0 } }),
    'spec.quota.total.pods must have a weight above 0 to divide by',
  ],
])('a total that cannot be divided is refused: %s', (_name, given, message) => {
  expect(refused(given)).toEqual([message]);
});
