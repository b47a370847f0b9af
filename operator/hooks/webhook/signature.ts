import { createHmac } from 'node:crypto';

/** Standard Webhooks 1.0.0: 192 bits at least. */
const SHORTEST_KEY = 24;

const PREFIX = 'whsec_';

/** The bytes of a signing key, base64 behind `whsec_`; undefined where it is none, or too short. */
export function parseSigningKey(text: string): Buffer | undefined {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= SHORTEST_KEY ? key : undefined;
}

/** What is signed. */
export interface SignedMessage {
  /** Without a '.'. */
  readonly id: string;
  /** Of the attempt, seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers by which a receiver knows who sent a message, as Standard Webhooks 1.0.0 says: one signature of each
 * key, so that keys can be changed on one side after the other.
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
