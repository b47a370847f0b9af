import type { SlackHook } from '../../../crds/tenantry/types.ts';
import { entryOf } from '../../../kube/mapping.ts';
import type { TenantFacts } from '../sender.ts';
import { textAt, type SlackApi } from './slack-api.ts';

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
    const user = await userOf(api, address);
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

async function userOf(api: SlackApi, email: string): Promise<string | undefined> {
  const { error, body } = await api.read('users.lookupByEmail', { email }, UNKNOWN);
  return error === undefined ? textAt(body, ['user', 'id']) : undefined;
}

async function inviteUser(api: SlackApi, channel: string, user: string): Promise<boolean> {
  const given = { channel, users: user };
  const { error } = await api.write('conversations.invite', given, [...IN, ...OUT]);
  return error === undefined || IN.includes(error);
}
