import type { HookEvent } from '../../crds/tenantry/types.ts';

export type { HookEvent };

/** What a hook is told of a tenant: plain data, of which nothing may choose where the hook calls. */
export interface TenantFacts {
  readonly name: string;
  readonly uid: string;
  readonly className: string;
  /** The cluster that the operator runs on, as the platform names it. */
  readonly cluster: string;
  /** Its namespaces on that cluster, by name. */
  readonly namespaces: readonly string[];
  /** As it declares it. */
  readonly contact: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** One event of one tenant for one hook. */
export interface HookCall {
  /**
   * Stands for the tenant's uid, the hook and the event, and for nothing else: 32 hexadecimal digits. Whoever gets
   * a key twice is told of the same event twice; the tenant may have changed in between.
   */
  readonly key: string;
  readonly event: HookEvent;
  /** When the event was seen first: RFC 3339, in seconds. */
  readonly at: string;
  readonly tenant: TenantFacts;
}

/** With what a sender reaches the other side. */
export interface HookContext {
  /** Aborts when the time of this attempt is over. `http` heeds it already. */
  readonly signal: AbortSignal;
  readonly http: Http;
  /**
   * What the hook's Secret has under a key of it, without the line break at its end; read anew each time.
   * @throws {HookRefused} not final, where it is not there, or empty
   */
  credential(key: string): Promise<string>;
  /** The same; undefined where it is not there, or empty. */
  optionalCredential(key: string): Promise<string | undefined>;
}

/**
 * Exchanges over HTTP with the host of the hook's address, and no other: TLS is checked, redirects are not
 * followed, the answer is bounded, and the time of the attempt holds.
 */
export interface Http {
  /** @throws {HookRefused} not final, where there was no answer; the message has no secret */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
}

/** What is asked. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Under the origin of the hook's address. What a tenant says stands in it through URLSearchParams alone. */
  readonly url: URL;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What was answered: any status. */
export interface HttpAnswer {
  readonly status: number;
  /** By a name in lower case; the first of several. */
  header(name: string): string | undefined;
  /** All of `set-cookie`. */
  readonly cookies: readonly string[];
  /** Seconds of `retry-after`, an hour at the most. */
  readonly retryAfter: number | undefined;
  /** At most 1 MiB; what is longer is an error. Never to be logged or told as it is. */
  readonly body: string;
}

/** Delivers calls to one kind of receiver. */
export interface Sender {
  /**
   * The reference of what an earlier attempt at this call has brought about, where the other side can say.
   * Asked before each attempt but the first; undefined where nothing is found.
   * @throws {HookRefused} where it could not be asked: then nothing is sent
   */
  find?(call: HookCall, context: HookContext): Promise<string | undefined>;
  /**
   * Delivers.
   * @returns what people find it by there, such as the id of a queue item or a channel: no secret, at most 256
   * characters
   * @throws {HookRefused} where it was not accepted
   */
  send(call: HookCall, context: HookContext): Promise<string>;
}

/** Why a call was not delivered. The message is shown in the Tenant's status: short, and without secrets. */
export class HookRefused extends Error {
  override readonly name = 'HookRefused';
  /** Whether nobody else is served at the moment either, so that other calls of the hook had better wait. */
  readonly isBusy: boolean;
  /** Whether trying again is of no use before hook or credentials change. */
  readonly final: boolean;
  /** Seconds before which the other side wants no further attempt. */
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
