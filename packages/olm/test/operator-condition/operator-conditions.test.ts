import { expect, test } from '@jest/globals';
import { operatorCondition } from '../../api/operator-condition.ts';
import type { ConditionInput } from '@tenantry/runtime/conditions/conditions';
import type { Live, Written } from '@tenantry/runtime/kinds/kind';
import {
  OperatorCondition,
  OperatorConditions,
  type OperatorConditionsProps,
} from '../../operator-condition/operator-conditions.ts';
import { until } from '@tenantry/testing/waiting/until';
import { Election, Managed } from '@tenantry/runtime/test/manager/managed';
import { ObservedCluster, refused } from '@tenantry/runtime/test/observed-cluster';

const second = 1000;
const at = { name: 'shops.v1.2.3', namespace: 'shops' };
const environment = { OPERATOR_CONDITION_NAME: at.name };

const busy: ConditionInput = {
  type: 'Upgradeable',
  status: 'False',
  reason: 'BackingUp',
  message: 'A backup is made.',
};
const free: ConditionInput = { ...busy, status: 'True', reason: 'Idle', message: '' };
const other = { ...busy, type: 'Reviewed', lastTransitionTime: '2026-01-01T00:00:00Z' };

/** Creates a cluster in which OLM has created the object. */
function olm(spec: Written<typeof OperatorCondition>['spec'] = {}): ObservedCluster {
  const cluster = new ObservedCluster({ definitions: [operatorCondition], namespaces: ['shops'] });
  cluster.put(OperatorCondition, { metadata: at, spec });
  return cluster;
}

/** Starts a manager that only writes conditions. */
async function telling(
  cluster: ObservedCluster,
  { election, ...props }: OperatorConditionsProps & { readonly election?: Election } = {},
) {
  const conditions = new OperatorConditions({ environment, namespace: 'shops', ...props });
  const given = { operatorConditions: conditions, leaderElection: election };
  const managed = await new Managed(given, { cluster }).start();
  return { conditions, managed };
}

const specIn = (cluster: ObservedCluster): Live<typeof OperatorCondition>['spec'] =>
  cluster.peek(OperatorCondition, at)?.spec;
const readConditions = (cluster: ObservedCluster) => specIn(cluster)?.conditions ?? [];
const writes = ({ calls }: ObservedCluster): number =>
  calls.filter((call) => call.startsWith('patch')).length;

test('a condition is written once, with its transition time, and again when it changes', async () => {
  const cluster = olm({ conditions: [other] });
  const { conditions, managed } = await telling(cluster);
  const now = (): string => `${managed.clock.date().toISOString().slice(0, 19)}Z`;
  void conditions.set(busy);
  await managed.pass(2 * second);
  const since = readConditions(cluster)[1]?.lastTransitionTime;
  expect(readConditions(cluster)).toEqual([other, { ...busy, lastTransitionTime: since }]);
  for (let i = 0; i < 10; i += 1) {
    void conditions.set({ ...busy });
    await managed.pass(10 * second);
  }
  expect(writes(cluster)).toBe(1);
  void conditions.set({ ...busy, message: 'It is half done.' });
  await managed.pass(2 * second);
  expect(readConditions(cluster)[1]).toMatchObject({
    message: 'It is half done.',
    lastTransitionTime: since,
  });
  void conditions.set(free);
  await managed.pass();
  expect(readConditions(cluster)[1]).toEqual({ ...free, lastTransitionTime: now() });
  expect(writes(cluster)).toBe(3);
  await managed.stop();
});

test('a caller can wait until OLM has the condition', async () => {
  const cluster = olm();
  let isAway = true;
  cluster.before = () => {
    if (isAway) throw refused(503, 'ServiceUnavailable');
  };
  const { conditions, managed } = await telling(cluster);
  let isKnown = false;
  const known = conditions.set(busy).then(() => (isKnown = true));
  await managed.pass(30 * second);
  expect([isKnown, readConditions(cluster)]).toEqual([false, []]);
  expect(managed.messages).toContain('the conditions could not be reported to OLM; trying again');
  isAway = false;
  await managed.pass(60 * second);
  await known;
  expect(readConditions(cluster)).toHaveLength(1);
  await conditions.set(busy);
  expect(writes(cluster)).toBe(1);
  await managed.stop();
});

test('a condition that is set during a write is written after it, and can be waited for', async () => {
  const cluster = olm();
  const { conditions, managed } = await telling(cluster);
  let later: Promise<void> | undefined;
  cluster.after = (call) => {
    if (call.startsWith('patch')) later ??= conditions.set(free);
  };
  let isWritten = false;
  void conditions.set(busy).then(() => (isWritten = true));
  await managed.pass(1.5 * second);
  expect(readConditions(cluster)).toEqual([expect.objectContaining(busy)]);
  expect(isWritten).toBe(false);
  await managed.pass(5 * second);
  await later;
  expect(isWritten).toBe(true);
  expect(readConditions(cluster)).toEqual([expect.objectContaining(free)]);
  await managed.stop();
});

test('however often a condition changes, it is written once a second', async () => {
  const cluster = olm();
  const { conditions, managed } = await telling(cluster);
  for (let i = 0; i < 100; i += 1) {
    void conditions.set({ ...busy, message: `${i} of 100` });
    await managed.pass(second / 10);
  }
  await managed.pass(2 * second);
  expect(readConditions(cluster)).toEqual([expect.objectContaining({ message: '99 of 100' })]);
  expect(writes(cluster)).toBeLessThanOrEqual(12);
  await managed.stop();
});

test('an override of an administrator applies until it is removed, and OLM has both', async () => {
  const cluster = olm({ conditions: [] });
  const { conditions, managed } = await telling(cluster);
  expect(conditions.inForce('Upgradeable')).toBeUndefined();
  void conditions.set(busy);
  await managed.pass(2 * second);
  expect(conditions.inForce('Upgradeable')).toEqual({ ...busy, isOverridden: false });
  const override = { ...free, reason: 'Urgent', message: 'Now.' };
  const spec = specIn(cluster);
  cluster.put(OperatorCondition, { metadata: at, spec: { ...spec, overrides: [override] } });
  await managed.pass(31 * second);
  expect(conditions.inForce('Upgradeable')).toEqual({ ...override, isOverridden: true });
  expect(readConditions(cluster)).toEqual([expect.objectContaining(busy)]);
  cluster.put(OperatorCondition, { metadata: at, spec: { ...spec, overrides: [] } });
  await managed.pass(31 * second);
  expect(conditions.inForce('Upgradeable')).toEqual({ ...busy, isOverridden: false });
  expect(managed.messages.filter((one) => String(one).includes('overridden'))).toEqual([
    'a condition for OLM is overridden',
    'a condition for OLM is no longer overridden',
  ]);
  await managed.stop();
});

test('no condition is lost when two clients write at once', async () => {
  const cluster = olm();
  let isFirst = true;
  cluster.before = (call) => {
    if (!call.startsWith('patch') || !isFirst) return;
    isFirst = false;
    cluster.put(OperatorCondition, { metadata: at, spec: { conditions: [other] } });
  };
  const { conditions, managed } = await telling(cluster);
  void conditions.set(busy);
  await managed.pass(2 * second);
  expect(readConditions(cluster).map(({ type }) => type)).toEqual(['Reviewed', 'Upgradeable']);
  expect(managed.messages).toContain('a condition was reported to OLM');
  expect(managed.messages).not.toContain(
    'the conditions could not be reported to OLM; trying again',
  );
  await managed.stop();
});

test('if another client writes all the time, the operator gives up after a few attempts and retries later', async () => {
  const cluster = olm();
  let count = 0;
  cluster.before = (call) => {
    if (!call.startsWith('patch')) return;
    count += 1;
    const conditions = [{ ...other, message: `${count}` }];
    cluster.put(OperatorCondition, { metadata: at, spec: { conditions } });
  };
  const { conditions, managed } = await telling(cluster);
  void conditions.set(busy);
  await managed.pass(1.1 * second);
  expect(count).toBe(6);
  expect(managed.messages).toContain('the conditions could not be reported to OLM; trying again');
  cluster.before = () => {};
  await managed.pass(31 * second);
  expect(readConditions(cluster).map(({ type }) => type)).toEqual(['Reviewed', 'Upgradeable']);
  await managed.stop();
});

test('a condition that another client removes is restored within the interval', async () => {
  const cluster = olm();
  const { conditions, managed } = await telling(cluster, { interval: 5 * second });
  void conditions.set(busy);
  await managed.pass(2 * second);
  cluster.put(OperatorCondition, { metadata: at, spec: { conditions: [] } });
  await managed.pass(5 * second);
  expect(readConditions(cluster)).toHaveLength(1);
  await managed.stop();
});

test('an operator knows whether OLM runs it', () => {
  expect(new OperatorConditions({ environment }).isRunByOlm).toBe(true);
});

test('without OLM the operator sends no requests, and logs this once', async () => {
  const cluster = olm();
  for (const environment of [{}, { OPERATOR_CONDITION_NAME: '' }]) {
    const { conditions, managed } = await telling(cluster, { environment, namespace: undefined });
    await conditions.set(busy);
    await managed.pass(600 * second);
    expect([conditions.isRunByOlm, conditions.inForce('Upgradeable')?.status]).toEqual([
      false,
      'False',
    ]);
    expect(managed.messages.filter((one) => String(one).includes('OLM'))).toEqual([
      'OLM does not run this operator, so no conditions are reported',
    ]);
    await managed.stop();
    expect(managed.ended).toBe('ended');
  }
  expect(cluster.calls).toEqual([]);
});

test('a missing object is waited for', async () => {
  const cluster = olm();
  cluster.remove(OperatorCondition, at);
  const { conditions, managed } = await telling(cluster);
  void conditions.set(busy);
  await managed.pass(10 * second);
  cluster.put(OperatorCondition, { metadata: at, spec: {} });
  await managed.pass(31 * second);
  expect(readConditions(cluster)).toHaveLength(1);
  await managed.stop();
});

test('a replica writes conditions while it leads, and forgets them when it loses the lead', async () => {
  const cluster = olm();
  const election = new Election([]);
  const { conditions, managed } = await telling(cluster, { election });
  void conditions.set(free);
  await managed.pass(60 * second);
  expect(cluster.calls).toEqual([]);
  election.lead();
  await managed.pass(2 * second);
  expect(readConditions(cluster)).toEqual([expect.objectContaining(free)]);
  election.isSure = false;
  const failure = conditions.set(busy).catch((error: Error) => error.message);
  await managed.pass(10 * second);
  expect(readConditions(cluster)).toEqual([expect.objectContaining(free)]);
  election.lose();
  expect(await failure).toBe('the lease is lost');
  await managed.pass();
  expect(conditions.inForce('Upgradeable')).toBeUndefined();
  election.isSure = true;
  election.lead();
  await managed.pass(60 * second);
  expect(readConditions(cluster)).toEqual([expect.objectContaining(free)]);
  await managed.stop();
});

test('a missing namespace is an error', async () => {
  const { managed } = await telling(olm(), { namespace: undefined });
  const ended = await until('it has ended', () => managed.ended, { every: 0 });
  expect(String(ended)).toContain('the namespace of the operator must be set');
});

test('an invalid condition is refused when it is set', () => {
  const conditions = new OperatorConditions({ environment });
  const wrong = { ...busy, reason: 'two words' };
  expect(() => conditions.set(wrong)).toThrow('the condition Upgradeable: reason must');
  expect(() => new OperatorConditions({ interval: 0 })).toThrow('above 0, got 0');
});
