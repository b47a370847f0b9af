import { resolveHookUrl } from '../../constructs/operator/hooks.ts';
import type { Hook } from '../../crds/tenantry/types.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import { jenkinsSender } from './jenkins/jenkins-sender.ts';
import type { Sender } from './sender.ts';
import { slackSender } from './slack/slack-sender.ts';
import { webhookSender } from './webhook/webhook.ts';

/** The sender of a hook, and the address whose origin it calls. */
export interface Receiver {
  readonly sender: Sender;
  readonly address: URL;
}

/** @throws {Error} for a hook that does not fit its schema */
export function createReceiver(hook: Hook, clock: Clock): Receiver {
  return { sender: createSender(hook, clock), address: resolveHookUrl(hook) };
}

function createSender({ name, webhook, jenkins, slack }: Hook, clock: Clock): Sender {
  if (webhook) return webhookSender(webhook, clock);
  if (jenkins) return jenkinsSender(jenkins, clock);
  if (slack) return slackSender(slack);
  throw new Error(`hook ${name} must have a receiver`);
}
