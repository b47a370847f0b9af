import { json, type Asked, type Double, type Reply } from './served.ts';

interface ChannelText {
  readonly value: string;
  readonly creator: string;
  readonly last_set: number;
}

interface SlackMessage {
  readonly type: 'message';
  readonly subtype?: string;
  readonly user: string;
  readonly text: string;
  readonly ts: string;
  readonly metadata?: { readonly event_type: string; readonly event_payload: object };
}

export interface SlackChannel {
  readonly id: string;
  readonly name: string;
  readonly is_private: boolean;
  is_archived: boolean;
  readonly creator: string;
  readonly created: number;
  topic: ChannelText;
  purpose: ChannelText;
  readonly members: Set<string>;
  /** The newest message is last. */
  readonly messages: SlackMessage[];
}

type Arguments = Readonly<Record<string, unknown>>;

/** The error code of a method. */
class Refusal extends Error {
  readonly more: object;
  constructor(error: string, more: object = {}) {
    super(error);
    this.more = more;
  }
}

const nobody: ChannelText = { value: '', creator: '', last_set: 0 };

/**
 * A workspace in Slack, as a bot sees it through the Web API. It follows the documentation:
 *
 * - https://docs.slack.dev/apis/web-api (200 with `ok: false`, JSON in POST, the query in GET, Bearer tokens)
 * - https://docs.slack.dev/apis/web-api/pagination (cursors; fewer than the limit may come before the end)
 * - https://docs.slack.dev/apis/web-api/rate-limits (429 with Retry-After)
 * - https://docs.slack.dev/reference/methods/conversations.create, .list, .setPurpose, .setTopic, .invite, .history,
 *   .archive; users.conversations, users.lookupByEmail, chat.postMessage, auth.test: arguments, answers, errors
 * - https://docs.slack.dev/messaging/message-metadata (`metadata`, `include_all_metadata`)
 *
 * Each request takes one second.
 */
export class SlackDouble implements Double {
  readonly token = `xoxb-${Math.random().toString().slice(2)}`;
  readonly bot = 'U0BOT';
  readonly channels: SlackChannel[] = [];
  /** Ids of users by their addresses. */
  readonly people = new Map<string, string>();
  /** Users who may not be invited into channels. */
  readonly guests = new Set<string>();
  /** Scopes that the token lacks, such as `channels:manage`. */
  readonly missingScopes = new Set<string>();
  /** The maximal size of a page, whatever the limit. */
  pageSize = 1000;
  /** Whether topics and purposes are returned with `&`, `<` and `>` escaped, as messages are. */
  escapes = false;
  /** In seconds since 1970. */
  now = Date.parse('2026-03-01T12:00:00Z') / 1000;
  #names = 0;

  readonly #methods: Readonly<Record<string, (given: Arguments) => object>> = {
    'auth.test': () => ({ url: 'https://acme.slack.com/', user_id: this.bot, bot_id: 'B1' }),
    'conversations.create': (given) => this.#create(given),
    'conversations.list': (given) => this.#page('channels', this.#seen(given), given),
    'users.conversations': (given) =>
      this.#page(
        'channels',
        this.#seen(given, (one) => one.members.has(this.bot)),
        given,
      ),
    'conversations.setPurpose': (given) => this.#say(given, 'purpose'),
    'conversations.setTopic': (given) => this.#say(given, 'topic'),
    'conversations.invite': (given) => this.#invite(given),
    'conversations.history': (given) => this.#history(given),
    'conversations.archive': (given) => this.#archive(given),
    'chat.postMessage': (given) => this.#post(given),
    'users.lookupByEmail': ({ email }) => {
      const id = this.people.get(String(email));
      if (id === undefined) throw new Refusal('users_not_found');
      return { user: { id, deleted: false, profile: { email } } };
    },
  };

  answer({ method, path, query, headers, body }: Asked): Reply {
    this.now += 1;
    const call = /^\/api\/([\w.]+)$/.exec(path)?.[1] ?? '';
    const run = Object.hasOwn(this.#methods, call) ? this.#methods[call] : undefined;
    try {
      if (!run) throw new Refusal('unknown_method');
      const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
      if (bearer === undefined) throw new Refusal('not_authed');
      if (bearer !== this.token) throw new Refusal('invalid_auth');
      const needed = scopes[call];
      if (needed !== undefined && this.missingScopes.has(needed)) {
        throw new Refusal('missing_scope', { needed, provided: 'chat:write' });
      }
      const isJson = headers['content-type']?.startsWith('application/json') === true;
      if (method === 'POST' && body !== '' && !isJson) throw new Refusal('invalid_post_type');
      const given = method === 'POST' ? JSON.parse(body || '{}') : Object.fromEntries(query);
      return json({ ok: true, ...run(given) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return json({ ok: false, error: error.message, ...error.more });
    }
  }

  /** Adds a channel of another creator. */
  add(name: string, more: Partial<SlackChannel> = {}): SlackChannel {
    const channel: SlackChannel = {
      id: `C0${String(this.channels.length).padStart(4, '0')}`,
      name,
      is_private: false,
      is_archived: false,
      creator: 'U0SOMEBODY',
      created: this.now,
      topic: nobody,
      purpose: nobody,
      members: new Set(),
      messages: [],
      ...more,
    };
    this.channels.push(channel);
    return channel;
  }

  /** Posts a message of a user to a channel. */
  chat(channel: SlackChannel, text: string, more: Partial<SlackMessage> = {}): SlackMessage {
    this.#names += 1;
    const ts = `${this.now}.${String(this.#names).padStart(6, '0')}`;
    const message: SlackMessage = { type: 'message', user: 'U0SOMEBODY', text, ts, ...more };
    channel.messages.push(message);
    return message;
  }

  /** The messages of the bot, without the messages that Slack adds for changes. */
  get posts(): SlackMessage[] {
    return this.channels
      .flatMap(({ messages }) => messages)
      .filter(({ user, subtype }) => user === this.bot && subtype === undefined);
  }

  #create({ name, is_private: isPrivate = false }: Arguments): object {
    if (typeof name !== 'string' || name === '') throw new Refusal('invalid_name_required');
    if (name.length > 80) throw new Refusal('invalid_name_maxlength');
    if (!/^[-_a-z0-9]+$/.test(name)) throw new Refusal('invalid_name_specials');
    if (/^[-_]+$/.test(name)) throw new Refusal('invalid_name_punctuation');
    if (this.channels.some((one) => one.name === name)) throw new Refusal('name_taken');
    const members = new Set([this.bot]);
    const channel = this.add(name, { is_private: isPrivate === true, creator: this.bot, members });
    this.chat(channel, `<@${this.bot}> has joined`, { subtype: 'channel_join', user: this.bot });
    return { channel: this.#shown(channel) };
  }

  #say({ channel: id, ...given }: Arguments, what: 'topic' | 'purpose'): object {
    const channel = this.#joined(id);
    const value = given[what];
    if (typeof value !== 'string' || [...value].length > 250) throw new Refusal('too_long');
    channel[what] = { value, creator: this.bot, last_set: this.now };
    this.chat(channel, value, { subtype: `channel_${what}`, user: this.bot });
    return { channel: this.#shown(channel) };
  }

  #invite({ channel: id, users }: Arguments): object {
    const channel = this.#joined(id);
    for (const user of String(users).split(',')) {
      if (user === this.bot) throw new Refusal('cant_invite_self');
      if (![...this.people.values()].includes(user)) throw new Refusal('user_not_found');
      if (this.guests.has(user)) throw new Refusal('cant_invite');
      if (channel.members.has(user)) throw new Refusal('already_in_channel');
      channel.members.add(user);
    }
    return { channel: this.#shown(channel) };
  }

  #post({ channel: id, text, metadata }: Arguments): object {
    const channel = this.#joined(id);
    if (typeof text !== 'string' || text === '') throw new Refusal('no_text');
    if (text.length > 40_000) throw new Refusal('msg_too_long');
    const more = metadata === undefined ? {} : { metadata: metadata as SlackMessage['metadata'] };
    const message = this.chat(channel, text, { user: this.bot, ...more } as Partial<SlackMessage>);
    return { channel: channel.id, ts: message.ts, message };
  }

  #history(given: Arguments): object {
    const channel = this.#joined(given['channel'], true);
    const all = given['include_all_metadata'] === 'true';
    const messages = channel.messages
      .filter(({ ts }) => Number(ts) > Number(given['oldest'] ?? 0))
      .toReversed()
      .map(({ metadata, ...message }) => {
        if (!metadata) return message;
        const { event_type, event_payload } = metadata;
        return { ...message, metadata: all ? { event_type, event_payload } : { event_type } };
      });
    return this.#page('messages', messages, given);
  }

  #archive({ channel: id }: Arguments): object {
    const channel = this.#joined(id, true);
    if (channel.is_archived) throw new Refusal('already_archived');
    channel.is_archived = true;
    channel.members.clear();
    return {};
  }

  /** Returns the channel if the bot is a member of it. */
  #joined(id: unknown, mayBeArchived = false): SlackChannel {
    const channel = this.channels.find((one) => one.id === id);
    if (!channel) throw new Refusal('channel_not_found');
    if (channel.is_archived && !mayBeArchived) throw new Refusal('is_archived');
    if (!channel.is_archived && !channel.members.has(this.bot)) throw new Refusal('not_in_channel');
    return channel;
  }

  #seen(given: Arguments, also: (one: SlackChannel) => boolean = () => true): object[] {
    const types = String(given['types'] ?? 'public_channel').split(',');
    return this.channels
      .filter((one) => types.includes(one.is_private ? 'private_channel' : 'public_channel'))
      .filter((one) => !one.is_archived || given['exclude_archived'] !== 'true')
      .filter((one) => !one.is_private || one.members.has(this.bot))
      .filter(also)
      .map((one) => this.#shown(one));
  }

  #page(field: string, items: readonly object[], { cursor, limit }: Arguments): object {
    const from = cursor === undefined ? 0 : Number(atob(String(cursor)).slice(5));
    if (Number.isNaN(from)) throw new Refusal('invalid_cursor');
    const to = from + Math.min(Number(limit ?? 100), this.pageSize);
    const next = to < items.length ? btoa(`next:${to}`) : '';
    return { [field]: items.slice(from, to), response_metadata: { next_cursor: next } };
  }

  #shown({ members, messages, ...channel }: SlackChannel): object {
    const { topic, purpose } = channel;
    const escaped = (text: ChannelText): ChannelText =>
      this.escapes
        ? {
            ...text,
            value: text.value
              .replaceAll('&', '&amp;')
              .replaceAll('<', '&lt;')
              .replaceAll('>', '&gt;'),
          }
        : text;
    return {
      ...channel,
      is_channel: !channel.is_private,
      is_group: channel.is_private,
      is_member: members.has(this.bot),
      updated: messages.length,
      topic: escaped(topic),
      purpose: escaped(purpose),
    };
  }
}

const scopes: Readonly<Record<string, string>> = {
  'conversations.create': 'channels:manage',
  'conversations.setPurpose': 'channels:manage',
  'conversations.setTopic': 'channels:manage',
  'conversations.invite': 'channels:manage',
  'conversations.archive': 'channels:manage',
  'conversations.list': 'channels:read',
  'users.conversations': 'channels:read',
  'conversations.history': 'channels:history',
  'chat.postMessage': 'chat:write',
  'users.lookupByEmail': 'users:read.email',
};
