import { expect, test } from '@jest/globals';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import type { Kind, Live, ObjectName } from '@tenantry/runtime/kinds/kind';
import { VirtualClock } from '../../clock/virtual-clock.ts';
import { until, untilGone, untilObject } from '../../waiting/until.ts';

const soon = { within: 30, every: 1 };
const late = { within: 5000, every: 1 };
const settings = { namespace: 'shop', name: 'settings' };

/** A client that gives one answer after the other and repeats the last one. */
function answering(...answers: readonly (object | Error)[]) {
  const left = [...answers];
  return {
    asked: [] as [string, ObjectName][],
    get<K extends Kind>(kind: K, name: ObjectName): Promise<Live<K>> {
      this.asked.push([kind.kind, name]);
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(answer as Live<K>);
    },
  };
}

const configMap = (data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...settings, uid: '1', managedFields: [{ manager: 'someone' }] },
  data,
});
const notFound = new ApiError({ code: 404, reason: 'NotFound' });

test('the first truthy answer or 0 ends the wait, and earlier answers do not', async () => {
  const answers = [undefined, false, null, 0, 1];
  expect(await until('there is a number', () => answers.shift(), late)).toBe(0);
  expect(answers).toEqual([1]);
});

test('an error does not end the wait', async () => {
  let asked = 0;
  const ask = (): boolean => {
    asked += 1;
    if (asked < 3) throw new Error('not yet');
    return true;
  };
  await until('it has been asked three times', ask, late);
  expect(asked).toBe(3);
});

test('a timeout reports the condition, the duration and the last error', async () => {
  const cause = new Error('connection refused');
  const waiting = until('it is up', () => Promise.reject<true>(cause), soon);
  const message =
    'timed out after 30 ms waiting until it is up; the last attempt failed: connection refused';
  await expect(waiting).rejects.toMatchObject({ message, cause });
  const never = until('it is up', () => false, { within: 1, every: 1 });
  await expect(never).rejects.toThrow(/^timed out after 1 ms waiting until it is up$/);
});

test('the environment sets the timeout if the caller does not', async () => {
  const before = process.env['TENANTRY_WITHIN'];
  try {
    process.env['TENANTRY_WITHIN'] = '20';
    await expect(until('it is up', () => false)).rejects.toThrow(
      /^timed out after 20 ms waiting until/,
    );
    expect(await until('it is up', () => true, late)).toBe(true);
    process.env['TENANTRY_WITHIN'] = 'long';
    await expect(until('it is up', () => true)).rejects.toThrow(
      "TENANTRY_WITHIN must be milliseconds such as 120000, got 'long'",
    );
  } finally {
    if (before === undefined) delete process.env['TENANTRY_WITHIN'];
    else process.env['TENANTRY_WITHIN'] = before;
  }
});

test('a virtual clock advances with each unsuccessful look', async () => {
  const clock = new VirtualClock();
  let isReady = false;
  clock.after(3000, () => (isReady = true));
  await until('it is ready', () => isReady, { clock, step: 1000, every: 0 });
  expect(clock.now()).toBe(3000);
});

test('an object is awaited until it exists and matches', async () => {
  const client = answering(notFound, configMap({ colour: 'red' }), configMap({ colour: 'blue' }));
  const isBlue = ({ data }: Live<typeof ConfigMap>): boolean => data?.['colour'] === 'blue';
  const found = await untilObject('it is blue', client, ConfigMap, settings, isBlue, late);
  expect(found.data).toEqual({ colour: 'blue' });
  expect(client.asked).toEqual(Array.from({ length: 3 }, () => ['ConfigMap', settings]));
});

test('a timeout for an object reports its last state without its managedFields', async () => {
  const red = answering(configMap({ colour: 'red' }));
  const waiting = untilObject('it is blue', red, ConfigMap, settings, () => false, soon);
  await expect(waiting).rejects.toThrow(
    [
      'timed out after 30 ms waiting until it is blue; last seen:',
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  namespace: shop',
      '  name: settings',
      '  uid: "1"',
      'data:',
      '  colour: red',
    ].join('\n'),
  );
  const nothing = untilObject('it is', answering(notFound), ConfigMap, settings, () => true, soon);
  await expect(nothing).rejects.toThrow(/last seen:\n'no configmaps shop\/settings'$/);
});

test('an integer that YAML cannot represent is shown nevertheless', async () => {
  const large = answering({ ...configMap({}), big: 2n ** 60n });
  const waiting = untilObject('it is', large, ConfigMap, settings, () => false, soon);
  await expect(waiting).rejects.toThrow('big: 1152921504606846976n');
});

test('an object is gone if the API server reports so, and not if the server cannot be reached', async () => {
  const broken = new ApiError({ code: 500 });
  const client = answering(configMap({}), broken, notFound);
  await untilGone(client, ConfigMap, settings, late);
  expect(client.asked).toHaveLength(3);
  await expect(untilGone(answering(broken), ConfigMap, settings, soon)).rejects.toThrow(
    /^timed out after 30 ms waiting until configmaps shop\/settings is gone; the last attempt failed/,
  );
  const there = answering({ ...configMap({}), metadata: { ...settings, finalizers: ['a.b/c'] } });
  await expect(untilGone(there, ConfigMap, settings, soon)).rejects.toThrow(
    /finalizers:\n *- a.b\/c/,
  );
});
