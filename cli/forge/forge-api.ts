import { formatBrief, show } from '@tenantry/kube/problem';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { parseText } from './fields.ts';
import { ForgeError } from './forge-error.ts';
import { LONGEST_WAIT, TRIES, backoff, findWait, systemClock, type Clock } from './retry.ts';

/** The longest time for one answer, in milliseconds. */
const TIMEOUT = 30_000;
/** The largest answer, in bytes. */
const MAX_ANSWER = 32 * 2 ** 20;
/** The number of entries that a page is requested with: the most that both forges allow. */
const PAGE = 100;
/** The number of pages that are read of one list. */
const MAX_PAGES = 100;

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** How to reach the API of a forge. */
export interface ForgeAddress {
  /** `GitHub` or `GitLab`, for messages. */
  readonly name: string;
  /** The base of all paths, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends requests to the REST API of a forge. It repeats a request that the forge is too busy for, follows no redirect,
 * and sends the token only to the address of the API. The token is in no message.
 */
export class ForgeApi {
  readonly #address: ForgeAddress;
  readonly #clock: Clock;

  constructor(address: ForgeAddress, clock: Clock = systemClock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** @throws {ForgeError} when the forge rejects the request or does not answer */
  async get(path: string): Promise<unknown> {
    return (await this.#request('GET', this.#resolve(path))).value;
  }

  /** @throws {ForgeError} when the forge rejects the request or does not answer */
  async send(method: Exclude<Method, 'GET'>, path: string, body?: object): Promise<unknown> {
    return (await this.#request(method, this.#resolve(path), body)).value;
  }

  /**
   * Reads all pages of a list.
   * @throws {ForgeError} when the forge rejects a request or does not answer, or the list has too many pages
   */
  async list(path: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    const size = `${path.includes('?') ? '&' : '?'}per_page=${PAGE}`;
    let next: URL | undefined = this.#resolve(`${path}${size}`);
    for (let page = 1; next; page++) {
      if (page > MAX_PAGES) {
        throw new ForgeError(`${this.#describe('GET', next)}: the list has too many entries`, 422);
      }
      const { value, headers }: Answer = await this.#request('GET', next);
      if (!Array.isArray(value)) throw this.#unexpected('GET', next, 'no list');
      all.push(...value.filter(isMapping));
      next = this.#findNext(headers.get('link') ?? '', next);
    }
    return all;
  }

  /** A name such as `..` in a path would lead to another part of the API. */
  #resolve(path: string): URL {
    const url = new URL(`${this.#address.url}${path}`);
    const [given = ''] = path.split('?');
    if (url.pathname.endsWith(given)) return url;
    throw new ForgeError(
      `${this.#address.name} has no names of dots alone, got ${show(given)}`,
      404,
    );
  }

  /** The address of the next page. A link to another server would get the token. */
  #findNext(link: string, current: URL): URL | undefined {
    const [, text] = /<([^<>]*)>\s*;[^,]*\brel="?next\b/.exec(link) ?? [];
    if (text === undefined) return undefined;
    const next = URL.parse(text, current.href);
    if (next?.origin !== current.origin) {
      throw this.#unexpected('GET', current, 'a next page on another server');
    }
    return next;
  }

  async #request(method: Method, url: URL, body?: object): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#try(method, url, body);
      const wait =
        answer instanceof Response ? findWait(answer, tries, this.#clock.now()) : backoff(tries);
      if (wait === undefined || wait > LONGEST_WAIT || tries === TRIES) {
        if (answer instanceof Response) return this.#read(method, url, answer, wait);
        throw new ForgeError(`${this.#describe(method, url)}: ${this.#redact(answer.failed)}`);
      }
      if (answer instanceof Response) await answer.body?.cancel();
      await this.#clock.wait(wait);
    }
  }

  async #try(method: Method, url: URL, body?: object): Promise<Response | { failed: string }> {
    const { token, headers = {} } = this.#address;
    try {
      return await fetch(url, {
        method,
        headers: {
          'user-agent': 'tenantry',
          ...headers,
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
    } catch (error) {
      const [cause, code] = ['message', 'code'].map((field) => valueAt(error, ['cause', field]));
      return { failed: parseText(cause) || parseText(code) || (error as Error).message };
    }
  }

  async #read(
    method: Method,
    url: URL,
    response: Response,
    wait: number | undefined,
  ): Promise<Answer> {
    const { status, headers } = response;
    const text = await this.#readText(method, url, response);
    const value = text === '' ? undefined : parseJson(text);
    if (response.ok) {
      if (text !== '' && value === undefined) throw this.#unexpected(method, url, 'no JSON');
      return { value, headers };
    }
    const explanation = isMapping(value) ? (value['message'] ?? value['error']) : undefined;
    const reason =
      typeof explanation === 'string' ? `: ${formatBrief(this.#redact(explanation))}` : '';
    const later =
      wait !== undefined && wait > LONGEST_WAIT
        ? `; it accepts requests again in ${Math.ceil(wait / 1000)} s`
        : '';
    const message = `${this.#describe(method, url)}: ${status}${reason}${later}`;
    // A forge that is too busy has not rejected the request.
    throw new ForgeError(message, wait === undefined ? status : undefined);
  }

  async #readText(method: Method, url: URL, response: Response): Promise<string> {
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const part of response.body ?? []) {
        length += part.length;
        if (length > MAX_ANSWER) throw this.#unexpected(method, url, 'more than 32 MiB');
        parts.push(part);
      }
    } catch (error) {
      if (error instanceof ForgeError) throw error;
      throw this.#unexpected(method, url, 'an answer that ends too early');
    }
    return Buffer.concat(parts).toString();
  }

  #unexpected(method: Method, url: URL, got: string): ForgeError {
    return new ForgeError(`${this.#describe(method, url)}: must answer as documented, got ${got}`);
  }

  /** `GitHub GET /repos/acme/tenants/pulls/7/reviews`. */
  #describe(method: Method, url: URL): string {
    return `${this.#address.name} ${method} ${formatPath(url)}`;
  }

  #redact(text: string): string {
    return text.replaceAll(this.#address.token, '***');
  }
}

interface Answer {
  readonly value: unknown;
  readonly headers: Headers;
}

const formatPath = ({ pathname }: URL): string => pathname.slice(0, 200);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
