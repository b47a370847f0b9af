import { SLACK_API } from '../../../crds/hook-services.ts';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import {
  buildHttpRefusal,
  HookRefused,
  type HookContext,
  type HttpAnswer,
  type HttpRequest,
} from '../sender.ts';

/**
 * Error codes about the hook's declaration, which are final until it changes. All other errors are corrected elsewhere:
 * by Slack, in the workspace, or by the app and its token.
 */
const FINAL: ReadonlySet<string> = new Set([
  'invalid_name',
  'invalid_name_maxlength',
  'invalid_name_punctuation',
  'invalid_name_required',
  'invalid_name_specials',
  'invalid_arguments',
  'too_long',
  'msg_too_long',
  'no_text',
  'unknown_method',
]);

/** Error codes with which Slack refuses every call. */
const BUSY: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'service_unavailable']);

/** An answer of Slack. */
interface SlackAnswer {
  /** One of the error codes that the caller expects; undefined for success. */
  readonly error: string | undefined;
  readonly body: unknown;
}

/** The Web API of Slack (https://docs.slack.dev/apis/web-api), called with a bot token. */
export class SlackApi {
  readonly #root: string;
  readonly #context: HookContext;
  readonly #token: string;

  private constructor(root: string, context: HookContext, token: string) {
    this.#root = root;
    this.#context = context;
    this.#token = token;
  }

  /** @param url the address of the Web API */
  static async open(url: string | undefined, context: HookContext): Promise<SlackApi> {
    const root = (url ?? SLACK_API).replace(/\/+$/, '');
    return new SlackApi(root, context, await context.credential('token'));
  }

  /**
   * Calls a reading method.
   * @param expected error codes that are returned instead of thrown
   */
  read(
    method: string,
    given: Readonly<Record<string, string>>,
    expected: readonly string[] = [],
  ): Promise<SlackAnswer> {
    const url = this.#url(method);
    for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value);
    return this.#call(method, { method: 'GET', url }, expected);
  }

  /** Yields all pages of a list, one at a time. */
  async *pages(
    method: string,
    field: string,
    given: Readonly<Record<string, string>>,
  ): AsyncGenerator<readonly unknown[], void> {
    let cursor = '';
    do {
      const at = cursor === '' ? {} : { cursor };
      const { body } = await this.read(method, { ...given, limit: '200', ...at });
      const items = valueAt(body, [field]);
      yield Array.isArray(items) ? items : [];
      cursor = textAt(body, ['response_metadata', 'next_cursor']);
    } while (cursor !== '');
  }

  /**
   * Calls a writing method.
   * @param expected error codes that are returned instead of thrown
   */
  write(method: string, given: object, expected: readonly string[] = []): Promise<SlackAnswer> {
    const body = JSON.stringify(given);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return this.#call(method, { method: 'POST', url: this.#url(method), headers, body }, expected);
  }

  async #call(
    method: string,
    request: HttpRequest,
    expected: readonly string[],
  ): Promise<SlackAnswer> {
    const headers = { ...request.headers, authorization: `Bearer ${this.#token}` };
    const answer = await this.#context.http.exchange({ ...request, headers });
    if (answer.status !== 200) throw buildHttpRefusal(answer, method);
    const body = parsed(answer.body);
    if (!isMapping(body)) {
      throw new HookRefused(`${method}: answered a page in place of JSON`, { final: false });
    }
    if (body['ok'] === true) return { error: undefined, body };
    const error = wordAt(body, 'error');
    if (expected.includes(error)) return { error, body };
    throw refusal(method, error, body, answer);
  }

  #url(method: string): URL {
    return new URL(`${this.#root}/${method}`);
  }
}

/** Returns a text in an answer of Slack; empty if there is none. */
export function textAt(body: unknown, path: readonly string[]): string {
  const found = valueAt(body, path);
  return typeof found === 'string' ? found : '';
}

function refusal(
  method: string,
  error: string,
  body: unknown,
  { retryAfter }: HttpAnswer,
): HookRefused {
  const needed = error === 'missing_scope' ? `, needs ${wordAt(body, 'needed')}` : '';
  return new HookRefused(`${method}: ${error}${needed}`, {
    final: FINAL.has(error),
    isBusy: BUSY.has(error),
    retryAfter,
  });
}

/** Returns an error code of Slack's API. Any other text in its place is dropped. */
function wordAt(body: unknown, field: string): string {
  const word = textAt(body, [field]);
  return /^[a-z][a-zA-Z0-9_.:,]{0,127}$/.test(word) ? word : 'no reason given';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
