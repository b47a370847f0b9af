import type { SlackHook } from '../../../crds/tenantry/types.ts';
import { valueAt } from '../../../kube/mapping.ts';
import { HookRefused, type TenantFacts } from '../sender.ts';
import { channelName } from './channel-name.ts';
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
export interface Opened {
  readonly channel: Channel;
  readonly isNew: boolean;
}

const mark = /\btenantry\/([-0-9A-Za-z]{1,64})/;

/** Returns the channel's purpose, which marks it as the tenant's. */
export function purposeOf({ name, uid }: TenantFacts): string {
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
  const made = channelOf(valueAt(body, ['channel']));
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
      const channel = channelOf(item);
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

function channelOf(value: unknown): Channel | undefined {
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
