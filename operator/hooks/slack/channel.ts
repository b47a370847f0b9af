import { createHash } from 'node:crypto';
import type { SlackHook } from '../../../crds/types.ts';
import { valueAt, entryOf } from '@tenantry/kube/mapping';
import { HookRefused, type TenantFacts } from '../sender.ts';
import { textAt, type SlackApi } from './slack-api.ts';

/** A Slack channel. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly creator: string;
  readonly topic: string;
  readonly purpose: string;
}

/** A channel, and whether this call created it. */
interface Opened {
  readonly channel: Channel;
  readonly isNew: boolean;
}

const mark = /\btenantry\/([-0-9A-Za-z]{1,64})/;

/** Returns the channel's purpose, which marks it as the tenant's. */
export function formatPurpose({ name, uid }: TenantFacts): string {
  return `Tenant ${name}, tenantry/${uid}`;
}

export function isMarked({ purpose }: Channel, { uid }: TenantFacts): boolean {
  return mark.exec(purpose)?.[1] === uid;
}

/**
 * Creates the channel of a tenant, or opens the existing one. If the name is taken by the operator's own channel for
 * the tenant, an earlier attempt created it and perhaps did not mark it.
 */
export async function openChannel(
  api: SlackApi,
  hook: SlackHook,
  tenant: TenantFacts,
): Promise<Opened> {
  const name = channelName(hook.channel, tenant);
  const given = { name, is_private: hook.private === true };
  const { error, body } = await api.write('conversations.create', given, ['name_taken']);
  const made = parseChannel(valueAt(body, ['channel']));
  if (error === undefined) {
    if (made) return { channel: made, isNew: true };
    throw new HookRefused('conversations.create: answered with no channel', { final: false });
  }
  const us = await ourselves(api);
  const isOurs = (one: Channel): boolean =>
    one.name === name && (isMarked(one, tenant) || (one.creator === us && one.purpose === ''));
  const channel = await search(api, 'users.conversations', hook, name, isOurs);
  if (channel) return { channel, isNew: false };
  const message = `the name ${name} is taken by a channel that is not of this tenant: rename that one, or have the hook name its channels otherwise`;
  throw new HookRefused(message, { final: false });
}

/**
 * Finds the open channel of a tenant. People may have renamed it or overwritten its purpose, but not both. If the app
 * is no longer a member of it, all channels are searched.
 */
export async function findChannel(
  api: SlackApi,
  hook: SlackHook,
  tenant: TenantFacts,
): Promise<Channel | undefined> {
  const name = channelName(hook.channel, tenant);
  const us = await ourselves(api);
  const isOurs = (one: Channel): boolean =>
    isMarked(one, tenant) || (one.name === name && one.creator === us && !mark.test(one.purpose));
  return (
    (await search(api, 'users.conversations', hook, name, isOurs)) ??
    (await search(api, 'conversations.list', hook, name, isOurs))
  );
}

/** Prefers the channel of that name to a renamed one. */
async function search(
  api: SlackApi,
  method: 'users.conversations' | 'conversations.list',
  hook: SlackHook,
  name: string,
  isOurs: (one: Channel) => boolean,
): Promise<Channel | undefined> {
  const types = hook.private === true ? 'private_channel' : 'public_channel';
  const others: Channel[] = [];
  for await (const page of api.pages(method, 'channels', { types, exclude_archived: 'true' })) {
    for (const item of page) {
      const channel = parseChannel(item);
      if (!channel || !isOurs(channel)) continue;
      if (channel.name === name) return channel;
      others.push(channel);
    }
  }
  if (others.length <= 1) return others[0];
  const names = others.map((one) => one.name);
  const message = `several channels are marked for this tenant and none is named ${name}: ${names.join(', ')}`;
  throw new HookRefused(message.slice(0, 256), { final: false });
}

async function ourselves(api: SlackApi): Promise<string> {
  return textAt((await api.write('auth.test', {})).body, ['user_id']);
}

function parseChannel(value: unknown): Channel | undefined {
  const id = textAt(value, ['id']);
  if (!/^[A-Z0-9]{1,32}$/.test(id)) return undefined;
  return {
    id,
    name: textAt(value, ['name']),
    creator: textAt(value, ['creator']),
    topic: textAt(value, ['topic', 'value']),
    purpose: textAt(value, ['purpose', 'value']),
  };
}

/** The most characters of a channel name. */
const MAX_NAME_LENGTH = 80;
const HASH = 8;

/**
 * Returns the name of a tenant's channel: lower-case letters, digits, `-` and `_`, at most 80 characters
 * (https://docs.slack.dev/reference/methods/conversations.create). Invalid characters are replaced, and a hash at the
 * end distinguishes names that would become equal.
 * @param pattern contains {tenant}, and may contain {cluster} and {class}
 */
export function channelName(pattern: string, tenant: TenantFacts): string {
  const { name, cluster, className } = tenant;
  const values = new Map([
    ['tenant', name],
    ['cluster', cluster],
    ['class', className],
  ]);
  const meant = pattern.replace(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '');
  const fits = meant.toLowerCase().replace(/[^-_a-z0-9]/g, '-');
  if (fits === meant && fits.length <= MAX_NAME_LENGTH) return fits;
  const hash = createHash('sha256').update(meant).digest('hex').slice(0, HASH);
  return `${fits.slice(0, MAX_NAME_LENGTH - HASH - 1)}-${hash}`;
}

/** Error codes for people who are in the channel already, among them the bot. */
const IN = ['already_in_channel', 'cant_invite_self'];

/** Error codes for unknown addresses, and for people who have left. */
const UNKNOWN = ['users_not_found', 'user_not_found'];

/** Error codes for people who cannot join this channel. */
const OUT = [
  'cant_invite',
  'user_not_found',
  'ura_max_channels',
  'invitee_cant_see_channel',
  'no_external_invite_permission',
  'user_team_not_in_channel',
];

/**
 * Invites the people whom the platform names and the tenant's contacts, one by one, so that a failure for one does not
 * affect others.
 * @returns the addresses of those who could not be invited
 */
export async function invite(
  api: SlackApi,
  hook: SlackHook,
  tenant: TenantFacts,
  channel: string,
): Promise<string[]> {
  const left = new Set<string>();
  for (const address of addresses(hook, tenant)) {
    if (!isAddress(address)) {
      left.add('a contact that is no address');
      continue;
    }
    const user = await findUser(api, address);
    const isIn = user !== undefined && (await inviteUser(api, channel, user));
    if (!isIn) left.add(address);
  }
  return [...left];
}

function addresses({ invite = [], inviteContacts = [] }: SlackHook, tenant: TenantFacts): string[] {
  const contacts = inviteContacts.flatMap((key) => entryOf(tenant.contact, key) ?? []);
  return [...new Set([...invite, ...contacts])];
}

function isAddress(text: string): boolean {
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(text);
}

async function findUser(api: SlackApi, email: string): Promise<string | undefined> {
  const { error, body } = await api.read('users.lookupByEmail', { email }, UNKNOWN);
  return error === undefined ? textAt(body, ['user', 'id']) : undefined;
}

async function inviteUser(api: SlackApi, channel: string, user: string): Promise<boolean> {
  const given = { channel, users: user };
  const { error } = await api.write('conversations.invite', given, [...IN, ...OUT]);
  return error === undefined || IN.includes(error);
}
