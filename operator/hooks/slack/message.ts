import { valueAt } from '../../../kube/mapping.ts';
import type { HookCall } from '../sender.ts';
import type { SlackApi } from './slack-api.ts';
import { messageOf } from './text.ts';

/** The most seconds by which the clocks of Slack and of the operator may differ. */
const CLOCKS = 3600;

/** Posts a message to a channel, with the call's key in its metadata. */
export async function sendMessage(
  api: SlackApi,
  channel: string,
  text: string,
  call: HookCall,
): Promise<void> {
  await api.write('chat.postMessage', {
    channel,
    text: messageOf(text, call),
    metadata: { event_type: 'tenantry_hook', event_payload: { key: call.key } },
    unfurl_links: false,
    unfurl_media: false,
  });
}

/** Whether an earlier attempt at the call has posted the message since the event. */
export async function hasPosted(api: SlackApi, channel: string, call: HookCall): Promise<boolean> {
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
