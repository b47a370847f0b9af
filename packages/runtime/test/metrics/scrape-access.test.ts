import { expect, test } from '@jest/globals';
import type { Client } from '../../client/client.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { Unreachable } from '../../errors/client-errors.ts';
import type { TokenReview } from '../../kinds/authentication.ts';
import type { SubjectAccessReview } from '../../kinds/authorization.ts';
import type { Live } from '../../kinds/kind.ts';
import { ScrapeAccess } from '../../metrics/scrape-access.ts';

type Status<T extends { status?: object }> = NonNullable<T['status']>;
type Review = Live<typeof TokenReview> | Live<typeof SubjectAccessReview>;

/** A client that answers reviews and records them. */
class Reviewer {
  readonly asked: Review[] = [];
  user: Status<TokenReview> = {
    authenticated: true,
    user: { username: 'scraper', groups: ['g'], uid: 'u', extra: { a: ['b'] } },
  };
  access: Status<SubjectAccessReview> = { allowed: true };
  failure: unknown;

  readonly client: Pick<Client, 'create'> = {
    create: async <T>(kind: { readonly kind: string }, object: object): Promise<T> => {
      const status = kind.kind === 'TokenReview' ? this.user : this.access;
      this.asked.push(JSON.parse(JSON.stringify({ kind: kind.kind, ...object })));
      await Promise.resolve();
      if (this.failure) throw this.failure;
      const answer: T = JSON.parse(JSON.stringify({ ...object, status }));
      return answer;
    },
  };
}

const setUp = () => {
  const clock = new VirtualClock();
  const reviewer = new Reviewer();
  const access = new ScrapeAccess({ client: reviewer.client, clock });
  const decide = (token = 't') => access.decide(`Bearer ${token}`, '/metrics');
  return { clock, reviewer, access, decide };
};

test('the cluster reviews whose token it is, and whether that user may get the path', async () => {
  const { reviewer, decide } = setUp();
  expect(await decide('secret')).toBe('allowed');
  expect(reviewer.asked).toEqual([
    { kind: 'TokenReview', metadata: {}, spec: { token: 'secret' } },
    {
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        user: 'scraper',
        groups: ['g'],
        uid: 'u',
        extra: { a: ['b'] },
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
      },
    },
  ]);
});

test.each([undefined, '', 'secret', 'Basic c2VjcmV0', 'Bearer', 'Bearer a b'])(
  'the header %p has no token, and nothing is reviewed',
  async (header) => {
    const { reviewer, access } = setUp();
    expect(await access.decide(header, '/metrics')).toBe('unknown');
    expect(reviewer.asked).toEqual([]);
  },
);

test('a token that the cluster does not know is refused, and its rights are not reviewed', async () => {
  const { reviewer, decide } = setUp();
  reviewer.user = { authenticated: false, error: 'no such token', user: { username: 'scraper' } };
  expect(await decide()).toBe('unknown');
  expect(reviewer.asked).toHaveLength(1);
});

test.each([{ allowed: false }, { allowed: true, denied: true }])(
  '%j does not grant access',
  async (answer) => {
    const { reviewer, decide } = setUp();
    reviewer.access = answer;
    expect(await decide()).toBe('forbidden');
  },
);

test('an acceptance is cached for a minute, a refusal for ten seconds', async () => {
  const { reviewer, clock, decide } = setUp();
  await decide();
  reviewer.access = { allowed: false };
  await clock.advance(59_999);
  expect(await decide()).toBe('allowed');
  await clock.advance(1);
  expect(await decide()).toBe('forbidden');
  reviewer.access = { allowed: true };
  await clock.advance(9999);
  expect(await decide()).toBe('forbidden');
  await clock.advance(1);
  expect(await decide()).toBe('allowed');
  expect(reviewer.asked).toHaveLength(6);
});

test('an acceptance applies only to its token and path', async () => {
  const { reviewer, access, decide } = setUp();
  await decide('one');
  reviewer.access = { allowed: false };
  expect(await decide('two')).toBe('forbidden');
  expect(await access.decide('Bearer one', '/debug')).toBe('forbidden');
});

test('simultaneous scrapes share one review', async () => {
  const { reviewer, decide } = setUp();
  expect(await Promise.all([decide(), decide(), decide()])).toEqual(
    Array.from({ length: 3 }, () => 'allowed'),
  );
  expect(reviewer.asked).toHaveLength(2);
});

test('a failed review is not cached', async () => {
  const { reviewer, decide } = setUp();
  reviewer.failure = new Unreachable('the cluster cannot be reached');
  await expect(decide()).rejects.toThrow('cannot be reached');
  reviewer.failure = undefined;
  expect(await decide()).toBe('allowed');
});

test('an accepted token is still reviewed while many made-up tokens arrive', async () => {
  const { reviewer, clock, decide } = setUp();
  await decide('good');
  const { user } = reviewer;
  const makeUp = async (): Promise<void> => {
    reviewer.user = { authenticated: false };
    for (let n = 0; n < 30; n += 1) await decide(`bad-${clock.now()}-${n}`);
    expect(await decide('bad')).toBe('busy');
    reviewer.user = user;
  };
  await clock.advance(60_000);
  await makeUp();
  expect(await decide('good')).toBe('allowed');
  await clock.advance(60_000);
  await makeUp();
  reviewer.failure = new Unreachable('the cluster cannot be reached');
  await expect(decide('good')).rejects.toThrow('cannot be reached');
  reviewer.failure = undefined;
  expect(await decide('good')).toBe('allowed');
  reviewer.access = { allowed: false };
  await clock.advance(60_000);
  expect(await decide('good')).toBe('forbidden');
  await clock.advance(10_000);
  await makeUp();
  expect(await decide('good')).toBe('busy');
});

test('made-up tokens are reviewed at a limited rate, and known tokens are not affected', async () => {
  const { reviewer, clock, decide } = setUp();
  await decide('good');
  reviewer.user = { authenticated: false };
  const answers = [];
  for (let n = 0; n < 30; n += 1) answers.push(await decide(`bad-${n}`));
  expect(answers.filter((one) => one === 'busy')).toHaveLength(11);
  expect(await decide('good')).toBe('allowed');
  await clock.advance(500);
  expect([await decide('bad-30'), await decide('bad-31')]).toEqual(['unknown', 'busy']);
});
