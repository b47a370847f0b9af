import { omitUndefined } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import { MAX_JSON_DEPTH } from '@tenantry/kube/json';
import type { AccessRule } from '@tenantry/kube/access';

/** The context of a call without an answer. */
export interface UnreachableContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  /** @default false */
  readonly isUnprocessed?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * There was no answer, or it broke off: the connection was refused, reset or not trusted, or timed out. The call may
 * still have had its effect, unless `isUnprocessed`.
 */
export class Unreachable extends Error {
  readonly request: string | undefined;
  /** Whether nothing was sent because there was no connection yet. */
  readonly isUnprocessed: boolean;

  constructor(message: string, context: UnreachableContext = {}) {
    super(message, omitUndefined({ cause: context.cause }));
    this.name = 'Unreachable';
    this.request = context.request;
    this.isUnprocessed = context.isUnprocessed ?? false;
  }
}

/** The context of a malformed answer. */
export interface MalformedContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  readonly text?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The server or an intermediary answered what no API server answers: not JSON, not an object, or a line of a watch that
 * is not an event. The message shows its first characters.
 */
export class Malformed extends Error {
  readonly request: string | undefined;

  /** @param expected as in a message: `an event of a watch` */
  constructor(expected: string, { request, text, cause }: MalformedContext = {}) {
    super(`the answer must be ${expected}, got ${show(text)}`, omitUndefined({ cause }));
    this.name = 'Malformed';
    this.request = request;
  }
}

/**
 * The most characters of an answer, or of one line of a stream. V8 limits strings to 2^29 - 24, and parsing takes
 * several times the memory of the text.
 */
export const maxTextLength = 2 ** 28;

/**
 * The answer, or one line of a stream, was too long to be read, and its connection was closed. A list in smaller pages
 * (`limit`) may succeed; caches do that automatically.
 */
export class TooLarge extends Error {
  /** In characters. */
  readonly most: number;
  /** `GET /api/v1/configmaps`. */
  readonly request: string | undefined;

  constructor(most: number, request?: string) {
    super(`the answer must be at most ${most.toLocaleString('en')} characters long, got more`);
    this.name = 'TooLarge';
    this.most = most;
    this.request = request;
  }
}

/**
 * An object contains more nested collections than are read. The API server stores such an object if the schema of its
 * kind allows arbitrary fields, but recursion over its values would overflow the stack. The error persists until
 * somebody changes the object.
 */
export class TooDeep extends Error {
  /** `GET /apis/example.com/v1/namespaces/shop/shops/a`. */
  readonly request: string | undefined;

  constructor(request?: string) {
    super(`the answer must be nested at most ${MAX_JSON_DEPTH} deep, got more`);
    this.name = 'TooDeep';
    this.request = request;
  }
}

/**
 * The client refused a call before sending it, because no declared access allows it. The API server would refuse it
 * too, by the roles from the same declarations.
 */
export class AccessDenied extends Error {
  /** The access that the call needs. */
  readonly missing: AccessRule;
  /** The line that declares it: `allow(Namespace, 'create')`. */
  readonly line: string;

  constructor(who: string, missing: AccessRule, line: string) {
    const { resource, group, verbs } = missing;
    const [plural = '', subresource] = resource.split('/');
    const what = `${plural}${group && `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
    super(`${who} may not ${verbs.join(', ')} ${what}: its access must have ${line}`);
    this.name = 'AccessDenied';
    this.missing = missing;
    this.line = line;
  }
}
