import type { SlackHook } from '../../../crds/tenantry/types.ts';
import type { HookCall, Sender } from '../sender.ts';
import { findChannel, isMarked, openChannel, purposeOf, type Channel } from './channel.ts';
import { invite } from './invite.ts';
import { hasPosted, sendMessage } from './message.ts';
import { SlackApi } from './slack-api.ts';
import { isShownAs, topicOf } from './text.ts';

/** The most characters of a reference. */
const LONGEST = 256;

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
    const purpose = purposeOf(call.tenant);
    await api.write('conversations.setPurpose', { channel: channel.id, purpose });
  }
  const topic = hook.topic === undefined ? '' : topicOf(hook.topic, call);
  if (topic !== '' && !isShownAs(topic, channel.topic)) {
    await api.write('conversations.setTopic', { channel: channel.id, topic });
  }
  const left = await invite(api, hook, call.tenant, channel.id);
  if (hook.onboarded !== undefined && (isNew || !(await hasPosted(api, channel.id, call)))) {
    await sendMessage(api, channel.id, hook.onboarded, call);
  }
  const people = left.length > 0 ? `, could not invite ${left.join(', ')}` : '';
  return `${nameOf(channel)}${people}`.slice(0, LONGEST);
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
