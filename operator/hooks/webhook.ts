import { createHmac } from 'node:crypto';
import type { Clock } from '@tenantry/runtime/clock/clock';
import {
  buildHttpRefusal,
  HookRefused,
  type HookContext,
  type Sender,
  type HookCall,
  type HookEvent,
} from './sender.ts';

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
  const current = parseKey(SIGNING_KEY, await credential(SIGNING_KEY));
  const previous = await optionalCredential(PREVIOUS_KEY);
  return previous === undefined ? [current] : [current, parseKey(PREVIOUS_KEY, previous)];
}

function parseKey(name: string, text: string): Buffer {
  const key = parseSigningKey(text);
  if (key) return key;
  const message = `'${name}' of the Secret must be whsec_ and the base64 of 24 bytes or more, got something else`;
  throw new HookRefused(message, { final: false });
}

const types: Readonly<Record<HookEvent, string>> = {
  Onboarded: 'dev.tenantry.tenant.onboarded',
  Offboarding: 'dev.tenantry.tenant.offboarding',
};

/**
 * Formats a call as a CloudEvent 1.0 in JSON. Its `id` is the key, which no other source uses.
 *
 * Source: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
function cloudEvent({ key, event, at, tenant }: HookCall): string {
  return JSON.stringify({
    specversion: '1.0',
    id: key,
    source: `/clusters/${encodeURIComponent(tenant.cluster)}`,
    type: types[event],
    subject: tenant.name,
    time: at,
    datacontenttype: 'application/json',
    data: { tenant },
  });
}

/** Standard Webhooks 1.0.0: at least 192 bits. */
const SHORTEST_KEY = 24;

const PREFIX = 'whsec_';

/** Returns the bytes of a signing key, base64 after `whsec_`; undefined if it is malformed or too short. */
export function parseSigningKey(text: string): Buffer | undefined {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= SHORTEST_KEY ? key : undefined;
}

/** A message to sign. */
interface SignedMessage {
  /** Must not contain a '.'. */
  readonly id: string;
  /** The time of the attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Returns the headers by which a receiver verifies the sender of a message, as in Standard Webhooks 1.0.0. They contain
 * one signature for each key, so that keys can be rotated first on one side, then on the other.
 *
 * Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  keys: readonly Buffer[],
): Readonly<Record<string, string>> {
  const signatures = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
