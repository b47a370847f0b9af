import { expect, test as plainTest } from '@jest/globals';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { networkChecks } from './mtb/network.ts';
import { podChecks } from './mtb/pods.ts';
import { quotaChecks } from './mtb/quotas.ts';
import { rightsChecks } from './mtb/rights.ts';
import { storageChecks } from './mtb/storage.ts';
import { documentedChecks } from './mtb/table.ts';
import { classes, worldOf } from './mtb/world.ts';

const given = await sharedCluster();
const { test } = given;

/** The checks of kubectl-mtb, 19 under 18 ids, and the four that are only planned there. */
const checks = [...rightsChecks, ...podChecks, ...quotaChecks, ...storageChecks, ...networkChecks];
const documented = documentedChecks();

plainTest('the page has a row for every check, and no other', () => {
  expect(checks).toHaveLength(19 + 4);
  expect([...documented.keys()].toSorted()).toEqual(checks.map(({ name }) => name).toSorted());
});

plainTest('the page lists no open check for the hardened class', () => {
  const open = [...documented].filter(([, verdicts]) => verdicts.hardened === 'open');
  expect(open).toEqual([]);
});

for (const klass of classes) {
  for (const { name, ask } of checks) {
    const verdict = documented.get(name)?.[klass];
    test(`${name}, in class ${klass}: ${verdict}`, async () => {
      expect(await ask(await worldOf(given.cluster, klass))).toBe(verdict);
    });
  }
}
