import { expect, test } from '@jest/globals';
import { isMet } from '../../../bench/goal.ts';
import { goals, tenantOperator, type Scope } from '../../../bench/operator/document.ts';
import type { OperatorRun, Quantity } from '../../../bench/operator/race.ts';
import { Results } from '../../../bench/results.ts';

const run: OperatorRun = {
  wall: 20,
  cpu: 10,
  memory: 400,
  peak: 420,
  restCpu: 0.2,
  restRequests: 100,
  restWrites: 0,
  median: 20,
  percentile99: 1000,
  changeCpu: 3,
  changeRequests: 500,
  restart: 60,
  restartCpu: 8,
  restartMemory: 390,
  restartWrites: 100,
  load: 0.5,
};

const scope: Scope = {
  options: { tenants: [1000], seconds: 60 },
  missing: [],
  took: { all: 8, loading: 2 },
};

function resultsWhere(own: Partial<OperatorRun>): Results<Quantity> {
  const results = new Results<Quantity>();
  results.add('ours', 1000, 0, { ...run, ...own });
  results.add('dry-runs', 1000, 0, { ...run, restRequests: 1000 });
  return results;
}

const met = (results: Results<Quantity>) => goals(results, scope).map((goal) => isMet(goal));

test('goals are met at their bounds and missed beyond them', () => {
  expect(met(resultsWhere({}))).toEqual([true, true, true, true, true, true]);
  const beyond = {
    percentile99: 1001,
    restWrites: 1,
    restRequests: 101,
    changeRequests: 501,
    memory: 401,
    restart: 61,
  };
  expect(met(resultsWhere(beyond))).toEqual([false, false, false, false, false, false]);
});

test('the page has the results of both, with the ratio', () => {
  const page = tenantOperator(resultsWhere({ changeRequests: 250 }), scope);
  expect(page).toContain(
    '| 1,000 tenants | tenantry operator | dry runs, controller-runtime 0.24.1 | ratio |',
  );
  expect(page).toContain('| requests at rest, a minute | 100 | 1000 | 0.10 |');
  expect(page).toContain('| requests under change, a minute | 250 | 500 | 0.50 |');
  expect(page).toContain('| RSS at 12,000 watched objects | at most 400 MB | 400 MB | met |');
});

test('without Go the page has only our results, and the reason', () => {
  const results = new Results<Quantity>();
  results.add('ours', 1000, 0, run);
  const missing = [{ title: 'dry runs', reason: 'there is no `go` in the PATH' }];
  const page = tenantOperator(results, { ...scope, missing });
  expect(page).toContain('- **dry runs was not measured**: there is no `go` in the PATH');
  expect(page).toContain(
    'requests under change, of those of dry runs | at most 1.00 x |  | not measured',
  );
});
