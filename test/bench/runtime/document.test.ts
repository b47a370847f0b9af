import { expect, test } from '@jest/globals';
import { isMet } from '../../../bench/goal.ts';
import { Results } from '../../../bench/results.ts';
import { goals, operators, type Scope } from '../../../bench/runtime/document.ts';
import type { OperatorRun, Quantity } from '../../../bench/runtime/race.ts';

const run: OperatorRun = {
  wall: 20,
  cpu: 10,
  memory: 100,
  peak: 120,
  rest: 0.002,
  median: 2,
  percentile99: 8,
  restart: 2,
  restartCpu: 2,
  restartMemory: 90,
  restartWrites: 0,
  load: 0.5,
};

const scope: Scope = {
  options: { objects: 10_000, runs: 1, workers: [1], changes: 400 },
  missing: [],
  cached: 1.25,
  shares: new Map([['making 10,000', new Map([['JSON', 0.125]])]]),
};

/** @param times the ratio of our results to those of the peer */
function resultsWhere(times: number, writes = 0): Results<Quantity> {
  const results = new Results<Quantity>();
  const own = Object.entries(run).map(([of, value]) => [of, value * times]);
  results.add('ours', 1, 0, { ...(Object.fromEntries(own) as OperatorRun), restartWrites: writes });
  results.add('controller-runtime', 1, 0, run);
  return results;
}

const met = (results: Results<Quantity>, cached: number) =>
  goals(results, { ...scope, cached }).map((goal) => isMet(goal));

test("the goals are no more than controller-runtime's results, and no write after a restart", () => {
  expect(met(resultsWhere(1), 1.5)).toEqual([true, true, true, true, true, true]);
  expect(met(resultsWhere(1.01, 1), 1.51)).toEqual([false, false, false, false, false, false]);
});

test('the page has the results of both, with the ratio', () => {
  const page = operators(resultsWhere(0.5), scope);
  expect(page).toContain('| 1 worker | @tenantry/runtime | controller-runtime 0.24.1 | ratio |');
  expect(page).toContain('| start until all are made, s | 10.0 | 20 | 0.50 |');
  expect(page).toContain('| CPU at rest, ms a second | 1.00 | 2.00 | 0.50 |');
  expect(page).toContain('| writes of it | 0.00 | 0.00 |  |');
  expect(page).toContain('| JSON | 13% |');
});

test('without Go the page has only our results, and the reason', () => {
  const results = new Results<Quantity>();
  results.add('ours', 1, 0, run);
  const page = operators(results, {
    ...scope,
    missing: [{ title: 'controller-runtime 0.24.1', reason: 'there is no `go` in the PATH' }],
  });
  expect(page).toContain(
    '- **controller-runtime 0.24.1 was not measured**: there is no `go` in the PATH',
  );
  expect(page).toContain('| 1 worker: cold restart | at most 1.00 x |  | not measured |');
  expect(page).toContain('| cold restart, nothing to do, s | 2.00 |  |');
});
