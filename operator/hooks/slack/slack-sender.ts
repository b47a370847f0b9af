import type { SlackHook } from '../../../crds/types.ts';
import { fillTemplate, type HookCall, type Sender } from '../sender.ts';
import {
  findChannel,
  isMarked,
  openChannel,
  formatPurpose,
  invite,
  type Channel,
} from './channel.ts';
import { SlackApi } from './slack-api.ts';
import { valueAt } from '@tenantry/kube/mapping';
import { truncate } from '@tenantry/kube/printable';

/** The most characters of a reference. */
const MAX_REFERENCE_LENGTH = 256;

/**
 * Creates a channel for each onboarded tenant, and archives it at the offboarding. Each step is idempotent, so an
 * attempt continues where an earlier one ended, and no `find` is needed.
 */
export function slackSender(hook: SlackHook): Sender {
  return {
    async send(call, context) {
      const api = await SlackApi.open(hook.url, context);
      return call.event === 'Onboarded'
        ? onboardTenant(api, hook, call)
        : offboardTenant(api, hook, call);
    },
  };
}

async function onboardTenant(api: SlackApi, hook: SlackHook, call: HookCall): Promise<string> {
  const { channel, isNew } = await openChannel(api, hook, call.tenant);
  if (!isMarked(channel, call.tenant)) {
    const purpose = formatPurpose(call.tenant);
    await api.write('conversations.setPurpose', { channel: channel.id, purpose });
  }
  const topic = hook.topic === undefined ? '' : formatTopic(hook.topic, call);
  if (topic !== '' && !isShownAs(topic, channel.topic)) {
    await api.write('conversations.setTopic', { channel: channel.id, topic });
  }
  const left = await invite(api, hook, call.tenant, channel.id);
  if (hook.onboarded !== undefined && (isNew || !(await hasPosted(api, channel.id, call)))) {
    await sendMessage(api, channel.id, hook.onboarded, call);
  }
  const people = left.length > 0 ? `, could not invite ${left.join(', ')}` : '';
  return `${nameOf(channel)}${people}`.slice(0, MAX_REFERENCE_LENGTH);
}

async function offboardTenant(api: SlackApi, hook: SlackHook, call: HookCall): Promise<string> {
  const channel = await findChannel(api, hook, call.tenant);
  if (!channel) return 'no open channel of the tenant';
  if (hook.offboarding !== undefined && !(await hasPosted(api, channel.id, call))) {
    await sendMessage(api, channel.id, hook.offboarding, call);
  }
  if (hook.archive === false) return nameOf(channel);
  await api.write('conversations.archive', { channel: channel.id }, ['already_archived']);
  return `${nameOf(channel)}, archived`;
}

function nameOf({ id, name }: Channel): string {
  return `${id} #${name}`;
}

/** The most seconds by which the clocks of Slack and of the operator may differ. */
const CLOCKS = 3600;

/** Posts a message to a channel, with the call's key in its metadata. */
async function sendMessage(
  api: SlackApi,
  channel: string,
  text: string,
  call: HookCall,
): Promise<void> {
  await api.write('chat.postMessage', {
    channel,
    text: formatMessage(text, call),
    metadata: { event_type: 'tenantry_hook', event_payload: { key: call.key } },
    unfurl_links: false,
    unfurl_media: false,
  });
}

/** Whether an earlier attempt at the call has posted the message since the event. */
async function hasPosted(api: SlackApi, channel: string, call: HookCall): Promise<boolean> {
  const oldest = String(Math.floor(Date.parse(call.at) / 1000) - CLOCKS);
  const given = { channel, oldest, include_all_metadata: 'true' };
  for await (const page of api.pages('conversations.history', 'messages', given)) {
    if (page.some((one) => keyOf(one) === call.key)) return true;
  }
  return false;
}

function keyOf(message: unknown): unknown {
  return valueAt(message, ['metadata', 'event_payload', 'key']);
}

/** The most characters of a topic, and of a message. */
const MAX_TOPIC_LENGTH = 250;
const MAX_MESSAGE_LENGTH = 39_000;
/** The most characters of one value from a tenant. */
const MAX_VALUE_LENGTH = 1000;

/** Returns a message in mrkdwn. Values from a tenant are escaped: they mention nobody and cannot disguise a link. */
function formatMessage(text: string, call: HookCall): string {
  return truncate(
    fillTemplate(text, call, (value) => escaped(oneLine(truncate(value, MAX_VALUE_LENGTH)))),
    MAX_MESSAGE_LENGTH,
  );
}

/** Returns a topic, which has no markup. */
function formatTopic(text: string, call: HookCall): string {
  return truncate(fillTemplate(text, call, oneLine), MAX_TOPIC_LENGTH);
}

/** Whether a topic equals the one that Slack shows, which may be escaped. */
function isShownAs(topic: string, shown: string): boolean {
  return shown === topic || shown === escaped(topic);
}

/** https://docs.slack.dev/messaging/formatting-message-text: only these three characters are escaped. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Replaces line breaks and invisible characters by spaces. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
