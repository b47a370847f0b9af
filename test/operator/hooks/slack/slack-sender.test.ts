import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { SlackHook } from '../../../../crds/types.ts';
import { slackSender } from '../../../../operator/hooks/slack/slack-sender.ts';
import type { HookCall, HookRefused } from '../../../../operator/hooks/sender.ts';
import { call, contextWith, deliver, deliverThoughKilled } from '../attempt.ts';
import { json, page, Served } from '../doubles/served.ts';
import { SlackDouble } from '../doubles/slack.ts';

let slack: SlackDouble;
let served: Served;
beforeEach(async () => {
  slack = new SlackDouble();
  slack.people.set('ann@example.com', 'U0ANN').set('ben@example.com', 'U0BEN');
  served = await Served.start(slack);
});
afterEach(() => served.stop());

const all: Partial<SlackHook> = {
  topic: 'Tenant {tenant}, team {contact.team}',
  invite: ['ben@example.com'],
  inviteContacts: ['email'],
  onboarded: 'Welcome, {contact.team}: {namespaces}. <https://docs.example.com|Read me>',
  offboarding: '{tenant} is being removed.',
};
const leaving: HookCall = { ...call, key: 'k-7c1d', event: 'Offboarding' };
const saying = (contact: Readonly<Record<string, string>>): HookCall => ({
  ...call,
  tenant: { ...call.tenant, contact },
});

const attempt = (more: Partial<SlackHook> = all, of = call, nth = 0): Promise<string> => {
  const hook = { url: `${served.url}/api/`, channel: 'team-{tenant}', ...more };
  return deliver(slackSender(hook), of, contextWith({ token: slack.token }), nth);
};

const refused = async (attempt: Promise<string>): Promise<HookRefused> => {
  const error: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: 'HookRefused' });
  expect((error as HookRefused).message).not.toContain(slack.token);
  return error as HookRefused;
};

test('a new tenant gets a channel with its topic, its members and a welcome message', async () => {
  expect(await attempt()).toBe('C00000 #team-acme');
  const [channel, ...others] = slack.channels;
  expect(others).toEqual([]);
  expect(channel).toMatchObject({
    name: 'team-acme',
    is_private: false,
    topic: { value: 'Tenant acme, team Payments & <Friends>' },
  });
  expect([...channel!.members].toSorted()).toEqual(['U0ANN', 'U0BEN', 'U0BOT']);
  expect(slack.posts.map(({ text }) => text)).toEqual([
    'Welcome, Payments &amp; &lt;Friends&gt;: acme-dev, acme-prod. <https://docs.example.com|Read me>',
  ]);
});

test('a deletion is announced in the channel of the tenant, which is then archived', async () => {
  await attempt();
  expect(await attempt(all, leaving)).toBe('C00000 #team-acme, archived');
  expect(slack.channels[0]?.is_archived).toBe(true);
  expect(slack.posts.at(-1)?.text).toBe('acme is being removed.');
});

test('the channel can be kept, and an archived channel is accepted', async () => {
  await attempt();
  expect(await attempt({ ...all, archive: false }, leaving)).toBe('C00000 #team-acme');
  expect(slack.channels[0]?.is_archived).toBe(false);
  slack.channels[0]!.is_archived = true;
  served.fail(4, json({ ok: false, error: 'already_archived' }));
  slack.channels[0]!.is_archived = false;
  expect(await attempt(all, leaving)).toBe('C00000 #team-acme, archived');
});

test('a tenant without an open channel has nothing to archive', async () => {
  slack.add('other', { members: new Set([slack.bot]) });
  expect(await attempt(all, leaving)).toBe('no open channel of the tenant');
  await attempt();
  slack.channels[1]!.is_archived = true;
  expect(await attempt(all, leaving)).toBe('no open channel of the tenant');
  expect(slack.channels[0]?.is_archived).toBe(false);
});

test('a private channel is independent of public channels', async () => {
  expect(await attempt({ ...all, private: true })).toBe('C00000 #team-acme');
  expect(slack.channels[0]?.is_private).toBe(true);
  await attempt({ ...all, private: true }, leaving);
  expect(slack.channels[0]?.is_archived).toBe(true);
});

test('without texts and invitations nothing is posted and no user is looked up', async () => {
  await attempt({});
  await attempt({}, leaving);
  expect(slack.posts).toEqual([]);
  expect(slack.channels[0]).toMatchObject({ topic: { value: '' }, is_archived: true });
  expect(served.lines.some((line) => /lookupByEmail|invite|setTopic/.test(line))).toBe(false);
});

test('unknown users and those who may not be invited are reported, and the others are invited', async () => {
  slack.guests.add('U0BEN');
  const invite = ['nobody@example.com', 'ben@example.com'];
  const of = saying({ email: 'ann@example.com', phone: '<!channel>\n555' });
  const reference = await attempt({ ...all, invite, inviteContacts: ['phone', 'email'] }, of);
  expect(reference).toBe(
    'C00000 #team-acme, could not invite nobody@example.com, ben@example.com, a contact that is no address',
  );
  expect(slack.channels[0]?.members).toContain('U0ANN');
});

test('an invitation of a current member is accepted, even of the bot', async () => {
  slack.people.set('bot@example.com', slack.bot);
  const invite = ['ben@example.com', 'bot@example.com'];
  expect(await attempt({ invite })).toBe('C00000 #team-acme');
  expect(await attempt({ invite }, call, 1)).toBe('C00000 #team-acme');
});

test('text of a tenant cannot mention, link, or begin a new line', async () => {
  const team = '<!channel> <@U0ANN> <https://evil.example|here>\n\u2028\u202eadmin: & done';
  await attempt(all, saying({ team }));
  const text = slack.posts[0]!.text;
  expect(text.match(/[<>\n]|\u2028|\u202e/g)).toEqual(['<', '>']);
  expect(text).toContain('&lt;!channel&gt;');
  expect(text).toContain('admin: &amp; done');
});

test('long texts of a tenant do not make the message or the topic too long', async () => {
  const team = '&'.repeat(50_000);
  const onboarded = '{contact.team}'.repeat(200);
  expect(await attempt({ ...all, onboarded }, saying({ team }))).toBe('C00000 #team-acme');
  expect([...slack.channels[0]!.topic.value]).toHaveLength(250);
});

test('a taken channel name is reported and retried, since that channel may be renamed', async () => {
  slack.add('team-acme');
  const { message, final } = await refused(attempt());
  expect(message).toContain('the name team-acme is taken by a channel that is not of this tenant');
  expect(final).toBe(false);
});

test('the channel of an earlier tenant of the name is not taken over', async () => {
  await attempt();
  const tenant = { ...call.tenant, uid: 'another' };
  const { message, final } = await refused(attempt(all, { ...call, key: 'k-2', tenant }));
  expect(message).toContain('not of this tenant');
  expect(final).toBe(false);
  expect(slack.posts).toHaveLength(1);
  expect(await attempt(all, { ...leaving, tenant })).toBe('no open channel of the tenant');
  expect(slack.channels[0]?.is_archived).toBe(false);
});

test('a channel of another creator is not taken over even if the bot is a member', async () => {
  slack.add('team-acme', { members: new Set([slack.bot]) });
  expect((await refused(attempt())).message).toContain('not of this tenant');
  expect(await attempt(all, leaving)).toBe('no open channel of the tenant');
});

test('a channel of the bot with a manually changed purpose is not taken over for a new tenant', async () => {
  slack.add('team-acme', {
    creator: slack.bot,
    members: new Set([slack.bot]),
    purpose: { value: 'Lunch', creator: 'U0ANN', last_set: 1 },
  });
  expect((await refused(attempt())).message).toContain('not of this tenant');
});

test('a channel is archived even if users renamed it or changed its purpose', async () => {
  await attempt();
  Object.assign(slack.channels[0]!, { name: 'payments' });
  expect(await attempt(all, leaving)).toBe('C00000 #payments, archived');
  await attempt(all, { ...call, key: 'k-9' });
  Object.assign(slack.channels[1]!.purpose, { value: 'Lunch' });
  expect(await attempt(all, leaving)).toBe('C00001 #team-acme, archived');
});

test('of two channels of a tenant each hook archives its own, and neither if that is ambiguous', async () => {
  const alerts = { ...all, channel: 'alerts-{tenant}' };
  await attempt();
  await attempt(alerts, { ...call, key: 'k-2' });
  expect(await attempt(alerts, leaving)).toBe('C00001 #alerts-acme, archived');
  await attempt(alerts, { ...call, key: 'k-3', tenant: { ...call.tenant, name: 'shop' } });
  Object.assign(slack.channels[0]!, { name: 'payments' });
  const { message, final } = await refused(attempt(all, leaving));
  expect(message).toContain('none is named team-acme: payments, alerts-shop');
  expect(final).toBe(false);
  expect(slack.channels.filter((one) => one.is_archived)).toHaveLength(1);
});

test('a channel from which the bot was removed is found, and the failure to archive it is reported', async () => {
  await attempt();
  slack.channels[0]!.members.delete(slack.bot);
  const { message, final } = await refused(attempt({}, leaving));
  expect(message).toBe('conversations.archive: not_in_channel');
  expect(final).toBe(false);
});

test('a second attempt finds the channel behind many others, page by page', async () => {
  for (let i = 0; i < 450; i++) slack.add(`other-${i}`, { members: new Set([slack.bot]) });
  slack.pageSize = 150;
  expect(await attempt()).toBe('C00450 #team-acme');
  expect(await attempt(all, call, 1)).toBe('C00450 #team-acme');
  expect(served.lines.filter((line) => line.includes('users.conversations'))).toHaveLength(4);
  expect(slack.posts).toHaveLength(1);
});

test('a second attempt finds its message behind later ones and looks no further back', async () => {
  await attempt();
  const [channel] = slack.channels;
  const old = String(slack.now - 90_000);
  channel!.messages.unshift({ type: 'message', user: 'U0ANN', text: 'old', ts: old });
  for (let i = 0; i < 450; i++) slack.chat(channel!, `message ${i}`);
  await attempt(all, call, 1);
  expect(slack.posts).toHaveLength(1);
  for (const { path, query } of served.asked) {
    if (!path.endsWith('history')) continue;
    expect(Number(query.get('oldest'))).toBe(Date.parse(call.at) / 1000 - 3600);
  }
});

test('a topic that is set already is not set again, whether Slack returns it escaped or not', async () => {
  for (const escapes of [false, true]) {
    slack.escapes = escapes;
    await attempt(all, call, 1);
  }
  expect(served.lines.filter((line) => line.includes('setTopic'))).toHaveLength(1);
  expect(served.lines.filter((line) => line.includes('setPurpose'))).toHaveLength(1);
});

for (const [title, token] of [
  ['a wrong token', 'xoxb-wrong'],
  ['an invalid token', ''],
] as const) {
  test(`${title} is reported and retried, since the Secret may be updated`, async () => {
    const hook = { url: `${served.url}/api`, channel: 'team-{tenant}' };
    const { message, final } = await refused(
      deliver(slackSender(hook), call, contextWith({ token }), 0),
    );
    expect(message).toMatch(/^conversations\.create: (invalid_auth|not_authed)$/);
    expect(final).toBe(false);
  });
}

test('a missing scope of the token is reported by name', async () => {
  slack.missingScopes.add('channels:manage');
  const { message, final } = await refused(attempt());
  expect(message).toBe('conversations.create: missing_scope, needs channels:manage');
  expect(final).toBe(false);
});

const passing = ['ratelimited', 'internal_error', 'fatal_error', 'request_timeout', 'news'];
const others = ['restricted_action', 'account_inactive', 'token_revoked', 'service_unavailable'];
const staying = ['invalid_name_specials', 'invalid_name_maxlength', 'unknown_method'];
for (const error of [...passing, ...others, ...staying]) {
  test(`${error} is a ${staying.includes(error) ? 'permanent' : 'temporary'} refusal`, async () => {
    served.fail(1, json({ ok: false, error }));
    expect(await refused(attempt())).toMatchObject({
      message: `conversations.create: ${error}`,
      final: staying.includes(error),
      isBusy: ['ratelimited', 'service_unavailable'].includes(error),
    });
  });
}

const answers = [
  ['429', { status: 429, headers: { 'retry-after': '30' }, body: '{"ok":false}' }, false, 30],
  ['500', page('Oops', 500), false, undefined],
  ['503', page('Oops', 503), false, undefined],
  ['403 of a proxy', page('Oops', 403), false, undefined],
  ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, true, undefined],
  ['a page with 200', page('Oops', 200), false, undefined],
  [
    'an error that is no error code',
    json({ ok: false, error: '<b>xoxb-1 Oops' }),
    false,
    undefined,
  ],
] as const;
for (const [title, answer, final, retryAfter] of answers) {
  for (const nth of [1, 2, 4, 6]) {
    test(`${title} in answer to request ${nth} is reported correctly`, async () => {
      served.fail(nth, answer);
      const error = await refused(attempt());
      expect(error).toMatchObject({ final, retryAfter });
      expect(error.message).toMatch(/^[a-zA-Z.]+: /);
      expect(error.message).not.toMatch(/Oops|evil/);
      expect(served.asked).toHaveLength(nth);
    });
  }
}

test('a call makes one channel, one topic and one message, even if the operator is killed twice', async () => {
  for (const [of, more] of [
    [call, all],
    [leaving, all],
    [call, {}],
  ] as const) {
    for (let first = 1, kills = 2; kills > 0; first++) {
      expect(first).toBeLessThan(30);
      kills = 2;
      for (let second = 1; kills === 2; second++) {
        const double = new SlackDouble();
        for (const [address, id] of slack.people) double.people.set(address, id);
        const at = await Served.start(double);
        const sender = slackSender({ url: `${at.url}/api`, channel: 'team-{tenant}', ...more });
        const credentials = { token: double.token };
        if (of === leaving) await sender.send(call, contextWith(credentials));
        const before = double.posts.length;
        kills = (await deliverThoughKilled(sender, of, credentials, [first, second])).killed;
        await at.stop();
        const [channel, ...others] = double.channels;
        expect(others).toEqual([]);
        expect(channel?.is_archived).toBe(of === leaving);
        expect(double.posts.length - before).toBe(more === all ? 1 : 0);
        const subtypes = channel!.messages.map(({ subtype }) => subtype);
        expect(subtypes.filter((one) => one === 'channel_purpose')).toHaveLength(1);
        expect(subtypes.filter((one) => one === 'channel_topic')).toHaveLength(
          more === all ? 1 : 0,
        );
      }
    }
  }
});

test('the token is sent in a header only', async () => {
  await attempt();
  for (const { path, query, body, headers } of served.asked) {
    expect(`${path}${query.toString()}${body}`).not.toContain(slack.token);
    expect(headers.authorization).toBe(`Bearer ${slack.token}`);
  }
});
