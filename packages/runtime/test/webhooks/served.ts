import { request, Agent } from 'node:https';
import { text } from 'node:stream/consumers';
import { issueCertificate, loadX509 } from '../../certificates/certify.ts';
import { ServingCertificate, type KeyPair } from '../../certificates/key-pair.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { WebhookServer, type WebhookServerProps } from '../../webhooks/webhook-server.ts';
import { RecordingLog } from '../certificates/recording-log.ts';
import { until } from '@tenantry/testing/waiting/until';

const x509 = loadX509();
const validity = { from: new Date('2020-01-01'), to: new Date('2049-01-01') };

/** Creates a certificate for 127.0.0.1, with the authority that signed it. */
export function newPair(): KeyPair & { readonly authority: string } {
  const authority = issueCertificate(x509, { commonName: 'authority' }, 'authority', validity);
  const subject = { commonName: 'webhooks' };
  const pair = issueCertificate(x509, subject, { hosts: ['127.0.0.1'] }, validity, authority);
  return { ...pair, authority: authority.certificate };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface Asked {
  readonly method?: string;
  readonly type?: string;
  /** @default - the body as JSON */
  readonly text?: string | Buffer;
  readonly ca?: string;
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
}

/** A server that runs until the test stops it. */
export class Served {
  readonly certificates = new ServingCertificate();
  readonly log = new RecordingLog();
  readonly pair = newPair();
  readonly server: WebhookServer;
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();

  constructor(webhooks: readonly Webhook[], more: Partial<WebhookServerProps> = {}) {
    const { certificates, log } = this;
    const source = {
      get current() {
        return certificates.current;
      },
      onChange: certificates.onChange.bind(certificates),
      run: (signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
    const where = { port: 0, host: '127.0.0.1' };
    this.server = new WebhookServer({ certificates: source, webhooks, log, ...where, ...more });
    this.ended = this.server.run(this.#stop.signal);
    all.push(this);
  }

  /** Starts a server with a certificate. */
  static async start(...args: ConstructorParameters<typeof Served>): Promise<Served> {
    const served = new Served(...args);
    served.certificates.set(served.pair);
    await until('it listens', () => served.server.isServing);
    return served;
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.ended;
  }

  ask(path: string, body?: unknown, asked: Asked = {}): Promise<Answer> {
    const { method = 'POST', type = 'application/json', ca = this.pair.authority } = asked;
    const content = asked.text ?? JSON.stringify(body);
    const headers = { 'content-type': type };
    const { agent = new Agent(), signal } = asked;
    const options = { host: '127.0.0.1', port: this.server.port, path, method, ca, headers, agent };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, ...(signal && { signal }) }, (response) => {
        text(response).then((read) => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: JSON.parse(read) as Record<string, unknown> });
        }, reject);
      });
      sent.on('error', reject);
      sent.end(content);
    });
  }
}

const all: Served[] = [];

/** Stops all servers, for `afterAll`. */
export async function stopAll(): Promise<void> {
  await Promise.all(all.map((one) => one.stop()));
}
