import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PressureEntry } from '../../../crds/tenant-status.ts';
import { computeLevels, findQuotaPressure } from '../../../operator/tenant/pressure.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const quota = (used: string | undefined, hard = '100', name = 'q', namespace = 'a') => ({
  metadata: { name, namespace },
  hard: { pods: hard },
  used: used === undefined ? {} : { pods: used },
});

/** Returns the number of pressure entries after each of these amounts of a hundred, in order. */
function course(...amounts: readonly number[]): number[] {
  let pressure: readonly PressureEntry[] | undefined;
  return amounts.map((amount) => {
    pressure = findQuotaPressure([quota(String(amount))], pressure);
    return pressure.length;
  });
}

test('pressure begins at nine tenths and ends below eight tenths', () => {
  expect(course(0, 79, 89, 90, 100, 89, 80, 79, 80, 89, 90)).toEqual([
    0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1,
  ]);
});

test('pressure neither begins nor ends between the two thresholds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 80, max: 89 })),
      fc.boolean(),
      (amounts, isUnderPressure) => {
        const [first, ...rest] = course(isUnderPressure ? 95 : 5, ...amounts);
        expect(rest.every((one) => one === first)).toBe(true);
      },
    ),
    runs(50),
  );
});

test('amounts are compared as quantities, not as text', () => {
  const hard = { cpu: '1500m', memory: '1Gi' };
  const used = { cpu: '1.4', memory: '900Mi' };
  expect(computeLevels({ metadata: { name: 'q' }, hard, used })).toEqual({
    cpu: 'little left',
    memory: 'some left',
  });
});

test('a limit of zero, an unused resource and an unreadable amount are no pressure', () => {
  const levels = [
    quota('0', '0'),
    quota(undefined),
    quota('half'),
    quota('9', 'ten'),
    { metadata: { name: 'new' } },
  ].map((one) => Object.values(computeLevels(one)));
  expect(levels).toEqual([['enough left'], ['enough left'], ['enough left'], ['enough left'], []]);
});

test('pressure names the quota and the resource, in the same order whatever the input order', () => {
  const one = {
    metadata: { name: 'q', namespace: 'b' },
    hard: { b: '1', a: '1' },
    used: { b: '1', a: '1' },
  };
  const all = [one, quota('100', '100', 'r'), quota('100', '100', 'q')];
  const pressure = findQuotaPressure(all);
  expect(
    pressure.map(({ namespace, quota: name, resource }) => `${namespace}/${name} ${resource}`),
  ).toEqual(['a/q pods', 'a/r pods', 'b/q a', 'b/q b']);
  expect(findQuotaPressure(all.toReversed())).toEqual(pressure);
  expect(pressure[0]).toEqual({ namespace: 'a', quota: 'q', resource: 'pods', hard: '100' });
});

test('pressure on one quota does not affect another quota', () => {
  const before = findQuotaPressure([quota('95')]);
  expect(
    findQuotaPressure([quota('85', '100', 'other'), quota('85', '100', 'q', 'b')], before),
  ).toEqual([]);
});
