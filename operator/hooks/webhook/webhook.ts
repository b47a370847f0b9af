import type { Clock } from '../../../runtime/clock/clock.ts';
import { buildHttpRefusal } from '../refusal.ts';
import { HookRefused, type HookContext, type Sender } from '../sender.ts';
import { cloudEvent } from './cloud-event.ts';
import { signedHeaders, parseSigningKey } from './signature.ts';

/** Keys of the Secret. */
const SIGNING_KEY = 'signing-key';
const PREVIOUS_KEY = 'previous-signing-key';
const TOKEN = 'token';

/**
 * Posts a signed CloudEvent in structured mode, so that the signature covers all of it. Any 2xx answer accepts it. A
 * receiver recognizes repetitions by `webhook-id`, which is the event's `id`.
 */
export function webhookSender(
  { url }: { readonly url: string },
  clock: Pick<Clock, 'date'>,
): Sender {
  return {
    async send(call, context) {
      const body = cloudEvent(call);
      const timestamp = Math.floor(clock.date().getTime() / 1000);
      const keys = await signingKeys(context);
      const token = await context.optionalCredential(TOKEN);
      const answer = await context.http.exchange({
        method: 'POST',
        url: new URL(url),
        headers: {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          ...signedHeaders({ id: call.key, timestamp, body }, keys),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body,
      });
      if (answer.status >= 200 && answer.status < 300) return `HTTP ${answer.status}`;
      throw buildHttpRefusal(answer, 'post the event');
    },
  };
}

async function signingKeys({
  credential,
  optionalCredential,
}: HookContext): Promise<readonly Buffer[]> {
  const current = keyOf(SIGNING_KEY, await credential(SIGNING_KEY));
  const previous = await optionalCredential(PREVIOUS_KEY);
  return previous === undefined ? [current] : [current, keyOf(PREVIOUS_KEY, previous)];
}

function keyOf(name: string, text: string): Buffer {
  const key = parseSigningKey(text);
  if (key) return key;
  const message = `'${name}' of the Secret must be whsec_ and the base64 of 24 bytes or more, got something else`;
  throw new HookRefused(message, { final: false });
}
