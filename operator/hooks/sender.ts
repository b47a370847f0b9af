import type { HookEvent } from '../../crds/types.ts';
import { omitUndefined, entryOf } from '@tenantry/kube/mapping';

export type { HookEvent };

/** The facts about a tenant that a hook receives: plain data that must not influence where the hook calls. */
export interface TenantFacts {
  readonly name: string;
  readonly uid: string;
  readonly className: string;
  /** The cluster in which the operator runs, as the platform names it. */
  readonly cluster: string;
  /** The tenant's namespaces in that cluster, by name. */
  readonly namespaces: readonly string[];
  /** As the tenant declares it. */
  readonly contact: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** One event of one tenant for one hook. */
export interface HookCall {
  /**
   * Identifies the tenant's uid, the hook and the event: 32 hexadecimal digits. Two calls with the same key are about
   * the same event; the tenant may have changed in between.
   */
  readonly key: string;
  readonly event: HookEvent;
  /** When the event was first observed: RFC 3339, in seconds. */
  readonly at: string;
  readonly tenant: TenantFacts;
}

/** What a sender uses to reach its receiver. */
export interface HookContext {
  /** Aborts when the time of this attempt is over. `http` observes it already. */
  readonly signal: AbortSignal;
  readonly http: Http;
  /**
   * Returns the value of a key in the hook's Secret, without a trailing line break; read again at each call.
   * @throws {HookRefused} not final, if the key is missing or empty
   */
  credential(key: string): Promise<string>;
  /** Like `credential`, but returns undefined if the key is missing or empty. */
  optionalCredential(key: string): Promise<string | undefined>;
}

/**
 * Exchanges HTTP messages with the host of the hook's address, and no other. Verifies TLS, follows no redirects, limits
 * the size of the answer and keeps to the time of the attempt.
 */
export interface Http {
  /** @throws {HookRefused} not final, if there was no answer; the message contains no secret */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
}

/** An HTTP request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Under the origin of the hook's address. Values from a tenant may be added with URLSearchParams only. */
  readonly url: URL;
  /** By lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An HTTP answer with any status. */
export interface HttpAnswer {
  readonly status: number;
  /** Returns a header by its lower-case name; the first of several. */
  header(name: string): string | undefined;
  /** All values of `set-cookie`. */
  readonly cookies: readonly string[];
  /** Seconds of `retry-after`, an hour at most. */
  readonly retryAfter: number | undefined;
  /** At most 1 MiB; a longer body is an error. Must not be logged or reported unchanged. */
  readonly body: string;
}

/** Delivers calls to one kind of receiver. */
export interface Sender {
  /**
   * Returns the reference of what an earlier attempt at this call created, if the receiver can be queried for it.
   * Called before each attempt but the first; undefined if nothing is found.
   * @throws {HookRefused} if the query failed; then nothing is sent
   */
  find?(call: HookCall, context: HookContext): Promise<string | undefined>;
  /**
   * Delivers a call.
   * @returns the reference by which people find the result, such as the id of a queue item or a channel: no secret, at
   * most 256 characters
   * @throws {HookRefused} if the call was not accepted
   */
  send(call: HookCall, context: HookContext): Promise<string>;
}

/** Why a call was not delivered. The message appears in the Tenant's status: it is short and contains no secret. */
export class HookRefused extends Error {
  override readonly name = 'HookRefused';
  /** Whether the receiver serves no call at the moment, so that other calls of the hook should wait. */
  readonly isBusy: boolean;
  /** Whether a retry is useless until the hook or its credentials change. */
  readonly final: boolean;
  /** Seconds for which the receiver wants no further attempt. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    options: {
      readonly final: boolean;
      readonly retryAfter?: number | undefined;
      readonly isBusy?: boolean | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.final = options.final;
    this.retryAfter = options.retryAfter;
    this.isBusy = options.isBusy ?? false;
  }
}

/** Credentials are read again for each attempt, and can be corrected without a change of the Platform. */
const credentialStatuses: ReadonlySet<number> = new Set([401, 403]);

/** RFC 9110, RFC 8470 (425) and RFC 6585 (429). */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Builds the refusal for an unsuccessful HTTP answer. 401, 403, 408, 425, 429 and 5xx may succeed later without a
 * change of the declaration. All other statuses, redirects included, are final.
 * @param what the request: `create the channel`
 * @param reason the receiver's error code, never free text of its answer
 */
export function buildHttpRefusal(
  { status, retryAfter }: Pick<HttpAnswer, 'status' | 'retryAfter'>,
  what: string,
  reason?: string,
): HookRefused {
  const passes = status >= 500 || transientStatuses.has(status) || credentialStatuses.has(status);
  const word = reason === undefined ? '' : ` (${reason.slice(0, 64)})`;
  return new HookRefused(
    `${what}: answered ${status}${word}`,
    omitUndefined({
      final: !passes,
      isBusy: status === 429 || status === 503,
      retryAfter: passes ? retryAfter : undefined,
    }),
  );
}

/**
 * Returns a fact of a call by name (crds/tenantry/hook-facts.ts), as a text; empty if the tenant has no such contact or
 * label.
 */
export function resolveFact(call: HookCall, fact: string): string {
  const { key, event, at, tenant } = call;
  const { name, uid, className, cluster, namespaces, contact, labels } = tenant;
  const [map, ...rest] = fact.split('.');
  const entry = rest.join('.');
  if (map === 'contact') return entryOf(contact, entry) ?? '';
  if (map === 'label') return entryOf(labels, entry) ?? '';
  const facts = { key, event, at, uid, cluster, tenant: name, class: className };
  if (fact === 'namespaces') return namespaces.join(', ');
  return entryOf<string>(facts, fact) ?? '';
}

/** Replaces `{tenant}` and other placeholders in a text by the facts of a call, each formatted by `write`. */
export function fillTemplate(
  text: string,
  call: HookCall,
  write: (value: string) => string,
): string {
  return text.replace(/\{([^{}]+)\}/g, (_, fact: string) => write(resolveFact(call, fact)));
}
