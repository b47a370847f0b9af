import type { Hook } from '../../crds/tenantry/types.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import type { Sender } from './sender.ts';
import { webhookSender } from './webhook/webhook.ts';

/** Who delivers for a hook, and the address under whose origin it calls. */
export interface Receiver {
  readonly sender: Sender;
  readonly address: URL;
}

/** @throws {Error} for a hook that its schema refuses */
export function receiverOf({ name, webhook }: Hook, clock: Pick<Clock, 'date'>): Receiver {
  if (webhook) return { sender: webhookSender(webhook, clock), address: new URL(webhook.url) };
  throw new Error(`hook ${name} must have a receiver`);
}
