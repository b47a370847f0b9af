import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Connection } from './connection.ts';
import type { Body, Reply } from './objects.ts';

/** Values that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** '/api/v1/namespaces' */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** @default - application/json */
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds without a byte. */
const patience = 60_000;

/** HTTPS to one API server as one user, over connections that are kept. */
export class Transport {
  readonly #connection: Connection;
  readonly #agent: Agent;

  constructor(connection: Connection) {
    const { identity, authority } = connection;
    this.#connection = connection;
    this.#agent = new Agent({
      keepAlive: true,
      ca: authority,
      ...('token' in identity ? {} : { cert: identity.certificate, key: identity.key }),
    });
  }

  /** The whole answer, whatever its status. Rejects only when there was none. */
  async call(call: Call): Promise<Reply> {
    const response = await this.open(call);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isJson = response.headers['content-type']?.includes('json') ?? false;
    return {
      status: response.statusCode ?? 0,
      body: isJson ? (JSON.parse(text) as Body) : { message: text },
      warnings: warningsOf(response.rawHeaders),
    };
  }

  /** The answer's head; its body is to be read from it. */
  open({ method, path, query = {}, body, contentType, signal }: Call): Promise<IncomingMessage> {
    const url = new URL(path, this.#connection.server);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const { identity } = this.#connection;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      timeout: patience,
      headers: {
        accept: 'application/json',
        ...('token' in identity ? { authorization: `Bearer ${identity.token}` } : {}),
        ...(content === undefined
          ? {}
          : {
              'content-type': contentType ?? 'application/json',
              'content-length': Buffer.byteLength(content),
            }),
      },
      ...(signal ? { signal } : {}),
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        // Whoever reads is told; when nobody does any more, a lost connection is no news.
        response.on('error', () => {});
        resolve(response);
      });
      sent.on('error', reject);
      sent.on('timeout', () =>
        sent.destroy(new Error(`${method} ${url.href} had no answer for ${patience / 1000} s`)),
      );
      sent.end(content);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** `Warning: 299 - "text"` (RFC 7234, 5.5), where a quote in the text has a backslash. */
function warningsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((value, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'warning'
      ? [...value.matchAll(/\b299 \S+ "(?<text>(?:\\.|[^"\\])*)"/g)].map(({ groups }) =>
          (groups?.['text'] ?? '').replaceAll(/\\(.)/g, '$1'),
        )
      : [],
  );
}
