import { createHmac } from 'node:crypto';

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
export interface SignedMessage {
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
