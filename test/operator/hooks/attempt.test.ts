import { afterEach, expect, test } from '@jest/globals';
import type { Hook } from '../../../crds/types.ts';
import { attemptDelivery, createReceiver } from '../../../operator/hooks/attempt.ts';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { JenkinsDouble } from './doubles/jenkins.ts';
import { Served, type Double } from './doubles/served.ts';
import { SlackDouble } from './doubles/slack.ts';
import { call, MountedSecrets } from './given.ts';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(double: Double): Promise<Served> {
  const served = await Served.start(double);
  stops.push(() => served.stop());
  return served;
}

/** Makes an attempt as the operator does. */
function deliver(
  receiver: Partial<Hook>,
  data: Readonly<Record<string, string>>,
  isAgain = false,
): Promise<string> {
  const secrets = new MountedSecrets().put('hook', data);
  stops.push(() => secrets[Symbol.dispose]());
  const about = { name: 'hook', events: ['Onboarded'], secret: 'hook', plainHttp: true } as const;
  const hook: Hook = { ...about, timeoutSeconds: 1, ...receiver };
  const stop = new AbortController().signal;
  const at = '2026-03-01T12:00:00Z';
  const one = { hook, call: { ...call, at }, isAgain, time: 1000, stop };
  return attemptDelivery({ credentials: secrets.folder }, { ...one, clock: systemClock });
}

test('a job that was queued without a timely answer is found by the next attempt', async () => {
  const double = new JenkinsDouble();
  double.jobs.set('onboard', { parameters: ['TENANT', 'TENANTRY_KEY'] });
  const served = await serve(double);
  const parameters = { TENANT: 'tenant' };
  const jenkins = { url: `${served.url}/ci/`, job: 'onboard', parameters };
  const data = { username: double.user, token: `${double.token}\n` };
  served.fail(2, 'silent');
  await expect(deliver({ jenkins }, data)).rejects.toMatchObject({
    message: `no answer of ${new URL(served.url).host} in time`,
    final: false,
  });
  expect(await deliver({ jenkins }, data, true)).toBe('onboard #1');
  expect(double.builds.map(({ parameters }) => parameters)).toEqual([
    { TENANT: 'acme', TENANTRY_KEY: call.key },
  ]);
});

test('an attempt that times out in the queue reports the queue item', async () => {
  const double = new JenkinsDouble();
  double.jobs.set('onboard', { parameters: ['TENANTRY_KEY'] });
  double.quietPeriod = Infinity;
  const served = await serve(double);
  const jenkins = { url: `${served.url}/ci`, job: 'onboard' };
  const data = { username: double.user, token: double.token };
  await expect(deliver({ jenkins }, data)).rejects.toMatchObject({
    message: 'onboard waits in the queue as item 17',
    final: false,
  });
});

test('a channel that was created without a timely answer is completed by the next attempt', async () => {
  const double = new SlackDouble();
  const served = await serve(double);
  const slack = { url: `${served.url}/api`, channel: 'team-{tenant}', onboarded: 'Hello' };
  served.fail(1, 'silent');
  await expect(deliver({ slack }, { token: double.token })).rejects.toMatchObject({ final: false });
  expect(await deliver({ slack }, { token: double.token }, true)).toBe('C00000 #team-acme');
  expect(double.channels).toHaveLength(1);
  expect(double.posts).toHaveLength(1);
});

test('an error names the Secret and the key that it lacks, and no call is made', async () => {
  const served = await serve(new SlackDouble());
  const slack = { url: `${served.url}/api`, channel: 'team-{tenant}' };
  await expect(deliver({ slack }, { other: 'x' })).rejects.toMatchObject({
    message: expect.stringContaining("Secret hook must have the key 'token'"),
  });
  expect(served.asked).toEqual([]);
});

test("channels are created in Slack's public API unless another URL is set", () => {
  const hook: Hook = { name: 'hook', events: ['Onboarded'], secret: 'hook' };
  const { address } = createReceiver({ ...hook, slack: { channel: '{tenant}' } }, systemClock);
  expect(address.origin).toBe('https://slack.com');
});
