import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Asked, Double, Reply } from './served.ts';

/** The tolerance of a timestamp, in seconds. */
const TOLERANCE = 5 * 60;

/**
 * A receiver of webhooks. It checks what Standard Webhooks requires of a receiver (signature and time of the attempt).
 * It also checks the HTTP binding in structured mode and the JSON format of CloudEvents 1.0:
 *
 * - https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * - https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 * - https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 *
 * It recognizes a repeated event by its id and ignores it.
 */
export class WebhookReceiver implements Double {
  /** Secrets as users copy them: `whsec_...`. */
  secrets: readonly string[];
  /** The Bearer token that it also requires, if any. */
  token: string | undefined;
  /** Seconds since 1970. */
  now: () => number;
  /** The received events by id, each once. */
  readonly events = new Map<string, Readonly<Record<string, unknown>>>();
  /** The number of accepted deliveries, including repeated ones. */
  deliveries = 0;

  constructor(secrets: readonly string[], now: () => number = () => Date.now() / 1000) {
    this.secrets = secrets;
    this.now = now;
  }

  answer({ method, headers, body }: Asked): Reply {
    if (method !== 'POST') return { status: 405 };
    if (this.token !== undefined && headers.authorization !== `Bearer ${this.token}`) {
      return { status: 401 };
    }
    const id = headers['webhook-id'];
    const timestamp = headers['webhook-timestamp'];
    const signatures = headers['webhook-signature'];
    if (typeof id !== 'string' || typeof timestamp !== 'string') return { status: 400 };
    if (!/^\d+$/.test(timestamp) || Math.abs(Number(timestamp) - this.now()) > TOLERANCE) {
      return { status: 401, body: 'the time of the attempt' };
    }
    if (!this.#isSigned(`${id}.${timestamp}.${body}`, String(signatures))) return { status: 401 };
    const event = cloudEventOf(headers['content-type'] ?? '', body);
    if (event?.['id'] !== id) return { status: 400 };
    this.deliveries += 1;
    if (!this.events.has(id)) this.events.set(id, event);
    return { status: 202 };
  }

  #isSigned(content: string, signatures: string): boolean {
    const given = signatures
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => Buffer.from(one.slice(3), 'base64'));
    return this.secrets.some((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const own = createHmac('sha256', key).update(content).digest();
      return given.some((one) => one.length === own.length && timingSafeEqual(one, own));
    });
  }
}

/** Returns the event if it is valid for the specification. */
function cloudEventOf(
  contentType: string,
  body: string,
): Readonly<Record<string, unknown>> | undefined {
  if (!/^application\/cloudevents\+json(;|$)/.test(contentType)) return undefined;
  const event = JSON.parse(body) as Record<string, unknown>;
  const isText = (name: string): boolean => typeof event[name] === 'string' && event[name] !== '';
  const isWhole =
    event['specversion'] === '1.0' && ['id', 'source', 'type'].every((name) => isText(name));
  const isNamed = Object.keys(event).every((name) => /^[a-z0-9]+$/.test(name));
  const { time } = event;
  const isTime = time === undefined || !Number.isNaN(Date.parse(String(time)));
  return isWhole && isNamed && isTime ? event : undefined;
}
