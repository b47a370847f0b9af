import { expect, test } from '@jest/globals';
import { formatAge } from '../../../cli/console-output.ts';
import { findFailing } from '../../../cli/tenants/fail-on.ts';
import { findOperatorHints } from '../../../cli/tenants/operator-hints.ts';
import {
  summarizeTenant,
  sortWorstFirst,
  totalsLine,
  countByState,
} from '../../../cli/tenants/tenant-summary.ts';
import {
  ago,
  besides,
  conditions,
  cordoned,
  drifted,
  fine,
  now,
  refused,
  rolling,
  tenant,
} from './given.ts';

const all = [
  tenant('fine', fine),
  tenant('alone', cordoned),
  tenant('besides', besides),
  tenant('rolling', rolling),
  tenant('new'),
  tenant('changed', fine, { generation: 2 }),
  tenant('unready', { ...fine, conditions: conditions('FFFF', 'Other') }),
  tenant('less', {
    ...drifted,
    counts: { ...drifted.counts!, driftedFields: 1, undeclared: 0 },
  }),
  tenant('drifted', drifted),
  tenant('refused', refused),
];

test('the worst come first, and of two drifted tenants the one with more fields', () => {
  expect(
    sortWorstFirst(all.map(summarizeTenant)).map(({ name, state }) => `${name} ${state}`),
  ).toEqual([
    'refused Degraded',
    'drifted Drifted',
    'less Drifted',
    'new Unseen',
    'changed Outdated',
    'unready NotReady',
    'rolling Progressing',
    'besides Undeclared',
    'alone Cordoned',
    'fine Ready',
  ]);
});

test('a drifted tenant is not called outdated, since drift is worse', () => {
  const old = tenant('old', drifted, { generation: 2 });
  expect(summarizeTenant(old).state).toBe('Drifted');
  expect(summarizeTenant(tenant('old', { observedGeneration: 1 })).state).toBe('Unseen');
});

test('the line of totals counts tenants by state, fields and undeclared objects', () => {
  expect(totalsLine(countByState(all.map(summarizeTenant)))).toBe(
    '10 tenants: 1 degraded, 2 drifted, 1 not looked at, 1 not looked at since changed, 1 not ready, 1 rolling out, 1 ready, with something undeclared, 1 cordoned, 1 ready; 3 differences, 4 undeclared',
  );
  expect(totalsLine(countByState([]))).toBe('0 tenants');
  expect(totalsLine(countByState([summarizeTenant(tenant('fine', fine))]))).toBe(
    '1 tenant: 1 ready',
  );
  expect(totalsLine(countByState([summarizeTenant(all[7]!)]))).toContain('; 1 difference');
});

test('ages use the largest useful unit, and a future time counts as now', () => {
  const ages = [0, 1.5, 2, 119, 120, 47 * 60, 48 * 60, -5];
  expect(ages.map((minutes) => formatAge(ago(minutes), now))).toEqual([
    '0s',
    '90s',
    '2m',
    '119m',
    '2h',
    '47h',
    '2d',
    '0s',
  ]);
});

test('--fail-on drift names drifted tenants and those of unknown drift, except cordoned ones', () => {
  const failing = findFailing(all, ['drift']);
  expect(failing.map(({ tenant, because }) => `${tenant}: ${because}`)).toEqual([
    'new: not observed by the operator yet',
    'changed: changed since the operator last observed it',
    'less: 1 drifted',
    'drifted: 2 drifted',
    'refused: not compared (Refused)',
  ]);
  const isBehind = tenant('behind', drifted, { generation: 2 });
  expect(findFailing([isBehind], ['drift'])).toHaveLength(1);
});

test('--fail-on not-ready and --fail-on undeclared can be combined', () => {
  const unready = findFailing(all, ['not-ready']).map(({ tenant }) => tenant);
  expect(unready).toEqual(['rolling', 'new', 'changed', 'unready', 'less', 'drifted', 'refused']);
  const undeclared = findFailing(all, ['undeclared']).map(({ tenant }) => tenant);
  expect(undeclared).toEqual(['besides', 'new', 'changed', 'drifted', 'refused']);
  expect(findFailing([tenant('d', drifted)], ['drift', 'undeclared', 'not-ready'])).toEqual([
    { tenant: 'd', because: '2 drifted, 1 undeclared, not ready (Drifted)' },
  ]);
  expect(findFailing(all, [])).toEqual([]);
});

test('an operator that has written no status for a minute is reported as not running', () => {
  expect(findOperatorHints(all, now).map(({ message }) => message)).toEqual([
    '1 tenant has no status (new): the operator does not seem to run on this cluster',
    '1 tenant changed over a minute ago, and its status is outdated (changed): the operator does not seem to run on this cluster',
  ]);
  const [two] = findOperatorHints([tenant('a'), tenant('b')], now);
  expect(two).toEqual({
    message: expect.stringContaining('2 tenants have no status (a, b): '),
    tenants: ['a', 'b'],
  });
});

test('an operator with less than a minute is not reported', () => {
  const young = (minutes: number, status?: typeof fine) => {
    const given = tenant('young', status, { generation: 2 });
    const managedFields = [
      { manager: 'argocd-controller', time: ago(minutes) },
      { manager: 'tenantry', subresource: 'status', time: ago(0) },
      { manager: 'kubectl', time: ago(300) },
    ];
    return findOperatorHints([{ ...given, metadata: { ...given.metadata, managedFields } }], now)
      .length;
  };
  expect([young(0.5), young(1.5), young(0.5, fine), young(1.5, fine)]).toEqual([0, 1, 0, 1]);
});
