import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JenkinsHook } from '../../../../crds/types.ts';
import { jenkinsSender } from '../../../../operator/hooks/jenkins/jenkins-sender.ts';
import type { HookRefused } from '../../../../operator/hooks/sender.ts';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { call, contextWith, deliver, deliverThoughKilled } from '../attempt.ts';
import { JenkinsDouble } from '../doubles/jenkins.ts';
import { page, Served } from '../doubles/served.ts';

const JOB = 'platform/on board';
/** A context in which sleeping takes no time and is limited. */
const atOnce = {
  slept: 0,
  sleep(): Promise<void> {
    this.slept += 1;
    return this.slept > 500 ? Promise.reject(new Error('no end')) : Promise.resolve();
  },
};

let jenkins: JenkinsDouble;
let served: Served;
beforeEach(async () => {
  atOnce.slept = 0;
  jenkins = new JenkinsDouble();
  jenkins.jobs.set(JOB, { parameters: ['TENANT', 'TEAM', 'TENANTRY_KEY'] });
  served = await Served.start(jenkins);
});
afterEach(() => served.stop());

const token = () => ({ username: jenkins.user, token: jenkins.token });
const hookOf = (more: Partial<JenkinsHook> = {}): JenkinsHook => ({
  url: `${served.url}${jenkins.contextPath}`,
  job: JOB,
  parameters: { TENANT: 'tenant', TEAM: 'contact.team' },
  ...more,
});

/** Makes one attempt at the call. */
const attempt = (
  more: Partial<JenkinsHook> = {},
  nth = 0,
  clock: Pick<Clock, 'sleep'> = atOnce,
): Promise<string> => deliver(jenkinsSender(hookOf(more), clock), call, contextWith(token()), nth);

/** Returns the reason for the refusal. */
const refused = async (attempt: Promise<string>): Promise<HookRefused> => {
  const error: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: 'HookRefused' });
  expect((error as HookRefused).message).not.toContain(jenkins.token);
  return error as HookRefused;
};

/** Sleeps this number of times, and then the attempt times out. */
const sleeping = (times: number, meanwhile: () => void = () => {}) => {
  let left = times;
  return {
    sleep: (): Promise<void> => {
      meanwhile();
      left -= 1;
      return left < 0 ? Promise.reject(new Error('the time is over')) : Promise.resolve();
    },
  };
};

test('a job in a folder is built with the declared parameters of the tenant and with the key', async () => {
  expect(await attempt()).toBe('platform/on board #1');
  expect(jenkins.builds).toEqual([
    expect.objectContaining({
      job: JOB,
      parameters: { TENANT: 'acme', TEAM: 'Payments & <Friends>', TENANTRY_KEY: 'k-3f9a' },
    }),
  ]);
});

test('text of a tenant is one value of one parameter, whatever it contains', async () => {
  const team = 'a&TENANT=other&delay=0sec\r\nHost: evil;$(rm -rf /)%26+ü';
  const other = { ...call, tenant: { ...call.tenant, contact: { team } } };
  await deliver(jenkinsSender(hookOf(), atOnce), other, contextWith(token()), 0);
  expect(jenkins.builds[0]?.parameters).toMatchObject({ TENANT: 'acme', TEAM: team });
});

test('a contact field that the tenant lacks makes an empty parameter', async () => {
  const other = { ...call, tenant: { ...call.tenant, contact: {} } };
  await deliver(jenkinsSender(hookOf(), atOnce), other, contextWith(token()), 0);
  expect(jenkins.builds[0]?.parameters['TEAM']).toBe('');
});

test('the job of a branch with an encoded slash in its name is found', async () => {
  const job = 'platform/feature%2Fa';
  jenkins.jobs.set(job, { parameters: ['TENANTRY_KEY'] });
  expect(await attempt({ job, parameters: {} })).toBe(`${job} #1`);
});

test('the address that Jenkins reports for itself is not followed', async () => {
  jenkins.rootUrl = 'http://127.0.0.1:1/elsewhere';
  expect(await attempt()).toBe('platform/on board #1');
});

test('the key is sent in the declared parameter and in no other', async () => {
  jenkins.jobs.set(JOB, { parameters: ['ID'] });
  await attempt({ keyParameter: 'ID', parameters: { ID: 'tenant' } });
  expect(jenkins.builds[0]?.parameters).toEqual({ ID: 'k-3f9a' });
});

test('a job that lacks a declared parameter is not built, since Jenkins would drop the key', async () => {
  jenkins.jobs.set(JOB, { parameters: ['TENANT'] });
  const { message, final } = await refused(attempt());
  expect(message).toContain('lacks TEAM, TENANTRY_KEY');
  expect(final).toBe(false);
  expect(jenkins.queue).toEqual([]);
});

test('with an API token no crumb is requested', async () => {
  await attempt();
  expect(served.lines.filter((line) => line.includes('crumb'))).toEqual([]);
});

test('with a password one crumb is requested, and sent with its session', async () => {
  const context = contextWith({ username: jenkins.user, token: jenkins.password });
  expect(await deliver(jenkinsSender(hookOf(), atOnce), call, context, 0)).toMatch(/#1$/);
  expect(served.lines.filter((line) => line.includes('crumb'))).toHaveLength(1);
  expect(jenkins.builds).toHaveLength(1);
});

test('a second rejected crumb is a refusal, and no further crumb is requested', async () => {
  const denial = page('Error 403 No valid crumb was included in the request', 403);
  served.fail(2, denial);
  served.fail(4, denial);
  expect((await refused(attempt())).message).toContain('403: the user has no right to do that');
  expect(served.asked).toHaveLength(4);
});

for (const crumbRequestField of ['Authorization', 'X\r\nHost', 'Host', '']) {
  test(`a server that names its crumb '${encodeURI(crumbRequestField)}' cannot set that header`, async () => {
    served.fail(2, page('No valid crumb', 403));
    served.fail(3, { status: 200, body: JSON.stringify({ crumb: 'a', crumbRequestField }) });
    expect((await refused(attempt())).message).toContain('got no crumb that can be sent');
    expect(served.asked).toHaveLength(3);
  });
}

test('a call is delivered when its build has begun; until then the queue item is polled', async () => {
  jenkins.quietPeriod = 5;
  expect(await attempt()).toBe('platform/on board #1');
  expect(served.lines.filter((line) => line.includes('/queue/item/17/')).length).toBeGreaterThan(2);
});

test('a build that outlasts the attempt in the queue is found by the next one and not queued again', async () => {
  jenkins.quietPeriod = Infinity;
  const waits = await refused(attempt({}, 0, sleeping(3)));
  expect(waits.message).toBe('platform/on board waits in the queue as item 17');
  expect(waits.final).toBe(false);
  expect((await refused(attempt({}, 1, sleeping(3)))).message).toBe(waits.message);
  jenkins.quietPeriod = 0;
  expect(await attempt({}, 2)).toBe('platform/on board #1');
  expect(served.lines.filter((line) => line.startsWith('POST'))).toHaveLength(1);
});

test('with `wait: Queued` the reference is the queue item', async () => {
  jenkins.quietPeriod = Infinity;
  expect(await attempt({ wait: 'Queued' })).toBe('platform/on board, queue item 17');
  expect(await attempt({ wait: 'Queued' }, 1)).toBe('platform/on board, queue item 17');
  expect(jenkins.queue).toHaveLength(1);
});

test('with `wait: Succeeded` the end of the build is awaited', async () => {
  let left = 3;
  const meanwhile = () => void (--left === 0 && jenkins.end(1, 'SUCCESS'));
  expect(await attempt({ wait: 'Succeeded' }, 0, sleeping(9, meanwhile))).toMatch(/#1$/);
  expect(left).toBe(0);
});

test('a failed build is not started again, and a manual rebuild with its parameters counts', async () => {
  const fails = sleeping(9, () => jenkins.end(1, 'FAILURE'));
  const failed = await refused(attempt({ wait: 'Succeeded' }, 0, fails));
  expect(failed.message).toContain('platform/on board #1 ended with FAILURE');
  expect(failed).toMatchObject({ final: false, retryAfter: 300 });
  await refused(attempt({ wait: 'Succeeded' }, 1));
  expect(jenkins.builds).toHaveLength(1);
  jenkins.builds.unshift({ ...jenkins.builds[0]!, number: 2, result: 'SUCCESS' });
  expect(await attempt({ wait: 'Succeeded' }, 2)).toBe('platform/on board #2');
});

test('a build that was removed from the queue is not queued again', async () => {
  jenkins.quietPeriod = Infinity;
  const cancels = sleeping(9, () => {
    for (const item of jenkins.queue) item.isCancelled = true;
  });
  const { message, final } = await refused(attempt({}, 0, cancels));
  expect(message).toContain('queue item 17 was cancelled');
  expect(final).toBe(true);
});

test('a queue item that Jenkins has forgotten is looked for among the builds', async () => {
  served.fail(3, page('Not Found', 404));
  expect(await attempt()).toBe('platform/on board #1');
});

test('if an answer lacks the queue location, the build is looked for', async () => {
  jenkins.quietPeriod = 9;
  const post = { status: 201, headers: {} };
  await attempt({ wait: 'Queued' });
  jenkins.queue.length = 1;
  served.fail(2, post);
  expect(await attempt({ wait: 'Queued' })).toBe('platform/on board, queue item 17');
});

test('the build is found among a thousand since the event, and older ones are not requested', async () => {
  const at = Date.parse(call.at);
  const parameters = { TENANTRY_KEY: 'other' };
  for (let number = 1; number <= 1500; number++) {
    const timestamp = at + (number - 700) * 3_600_000;
    const ours = number === 720 ? { TENANTRY_KEY: call.key } : parameters;
    jenkins.builds.unshift({ number, job: JOB, parameters: ours, timestamp });
  }
  expect(await attempt({}, 1)).toBe('platform/on board #720');
  jenkins.builds.splice(1500 - 720, 1);
  const before = served.asked.length;
  expect(await attempt({}, 1)).toBe('platform/on board #1500');
  expect(
    served.asked.slice(before).filter(({ query }) => query.get('tree')?.includes('allBuilds')),
  ).toHaveLength(9);
});

const verdicts: readonly (readonly [title: string, (jenkins: JenkinsDouble) => void, RegExp])[] = [
  ['a missing job', (one) => one.jobs.clear(), /404: not there, or the user may/],
  ['a job that the user may not see', (one) => (one.jobs.get(JOB)!.mayRead = false), /404: not/],
  [
    'a job that the user may not build',
    (one) => (one.jobs.get(JOB)!.mayBuild = false),
    /403: the u/,
  ],
  ['a disabled job', (one) => (one.jobs.get(JOB)!.isBuildable = false), /409: the jo/],
  ['a closed queue', (one) => (one.refusesBuilds = true), /let no build into/],
];
for (const [title, arrange, message] of verdicts) {
  test(`${title} is reported and retried, since it can be corrected in Jenkins`, async () => {
    arrange(jenkins);
    const error = await refused(attempt());
    expect(error.message).toMatch(message);
    expect(error.final).toBe(false);
    expect(jenkins.builds).toEqual([]);
  });
}

test('a wrong token is reported and retried, since the Secret may be updated', async () => {
  const wrong = { username: jenkins.user, token: 'wrong' };
  const sender = jenkinsSender(hookOf(), atOnce);
  const { message, final } = await refused(deliver(sender, call, contextWith(wrong), 0));
  expect(message).toContain('401: username or token is not accepted');
  expect(final).toBe(false);
});

const answers: readonly (readonly [string, ReturnType<typeof page>, boolean, number?])[] = [
  ['503 while Jenkins starts', page('Starting Jenkins', 503), false],
  ['500', page('Oops', 500), false],
  ['429', { status: 429, headers: { 'retry-after': '7' } }, false, 7],
  ['400', page('Bad Request', 400), true],
  ['a login page with 200', page('Sign in', 200), false],
  ['a redirect to a login', { status: 302, headers: { location: '/login?from=/job/a/' } }, false],
  ['a redirect to https', { status: 301, headers: { location: 'https://ci/job/a/' } }, true],
];
for (const [title, answer, final, retryAfter] of answers) {
  for (const nth of [1, 2, 3]) {
    test(`${title} in answer to request ${nth} is reported correctly`, async () => {
      served.fail(nth, answer);
      const error = await refused(attempt());
      expect(error).toMatchObject({ final, retryAfter });
      expect(error.message.length).toBeLessThan(160);
      expect(error.message).not.toMatch(/Sign in|Oops|<html>/);
    });
  }
}

for (const quietPeriod of [0, 2, 4, Infinity]) {
  for (const wait of ['Started', 'Queued'] as const) {
    if (quietPeriod === Infinity && wait === 'Started') continue;
    test(`a call makes one build, even if the operator is killed twice (${wait}, after ${quietPeriod})`, async () => {
      let kills = 0;
      for (let first = 1; ; first++) {
        for (let second = 1; ; second++) {
          atOnce.slept = 0;
          const double = new JenkinsDouble();
          double.jobs.set(JOB, { parameters: ['TENANT', 'TEAM', 'TENANTRY_KEY'] });
          double.quietPeriod = quietPeriod;
          const at = await Served.start(double);
          const credentials = { username: double.user, token: double.password };
          const hook = hookOf({ wait, url: `${at.url}/ci` });
          const sender = jenkinsSender(hook, atOnce);
          const { killed } = await deliverThoughKilled(sender, call, credentials, [first, second]);
          await at.stop();
          expect(double.queue).toHaveLength(1);
          kills = killed;
          if (killed < 2) break;
        }
        if (kills < 1) break;
        expect(first).toBeLessThan(50);
      }
    });
  }
}

test('a connection that breaks after Jenkins has queued the build causes no second build', async () => {
  served.fail(2, 'torn');
  await expect(attempt()).rejects.toThrow();
  expect(await attempt({}, 1)).toBe('platform/on board #1');
  expect(jenkins.queue).toHaveLength(1);
});

test('credentials are read at each attempt and are sent in a header only', async () => {
  await attempt();
  await attempt({}, 1);
  for (const { path, query, body, headers } of served.asked) {
    expect(`${path}${query.toString()}${body}`).not.toContain(jenkins.token);
    const basic = Buffer.from(`${jenkins.user}:${jenkins.token}`).toString('base64');
    expect(headers.authorization).toBe(`Basic ${basic}`);
  }
});
