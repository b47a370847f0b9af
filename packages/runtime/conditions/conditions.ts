import { formatTime } from '@tenantry/kube/time';
import { omitUndefined } from '@tenantry/kube/mapping';
import { formatPath } from '@tenantry/kube/problem';
import { condition, type Condition } from '@tenantry/crd/schema/language';
import { compileSchema } from '@tenantry/crd/schema/validator';

/** A condition to set; `setCondition` determines its transition time. */
export type ConditionInput = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'> & {
  /** The `metadata.generation` that was observed; undefined omits it. */
  readonly observedGeneration?: number | undefined;
};

/** A condition as read from a server: of a definition with `conditions()`, or of a built-in kind. */
export type GivenCondition = Omit<Condition, 'status'> & { readonly status: string };

/** The most characters of a message (metav1.Condition). */
const maxMessageLength = 32_768;

const validator = compileSchema(condition());

/**
 * Returns the conditions with this one set. The list may be `undefined` for an object without conditions. Guarantees:
 *
 * - If nothing changes, it returns the same list, so an unchanged status need not be written:
 *
 *       const conditions = setCondition(object.status?.conditions, ready, clock.date());
 *       if (conditions !== object.status?.conditions) await client.patch(...);
 *
 * - `lastTransitionTime` becomes the date, in seconds, if the status changes, and otherwise stays. A change of only the
 *   reason or the message is no transition.
 * - The order stays; a new type comes last. An omitted `observedGeneration` is removed.
 * - A message of over 32,768 characters, which the API server would refuse, is cut, and ends with `...`.
 *
 * @example
 * ```ts
 * import { setCondition } from '@tenantry/runtime';
 *
 * const ready = { type: 'Ready', status: 'True', reason: 'Serving', message: 'It serves.' } as const;
 * const conditions = setCondition(undefined, ready, new Date('2026-01-01T10:00:00Z'));
 * console.log(conditions[0]?.lastTransitionTime); // 2026-01-01T10:00:00Z
 * console.log(setCondition(conditions, ready, new Date()) === conditions); // true
 * ```
 *
 * @throws {Error} if metav1.Condition does not allow the type, status, reason or generation
 */
export function setCondition<C extends GivenCondition>(
  conditions: readonly C[] | undefined,
  input: ConditionInput,
  date: Date,
): readonly (C | Condition)[] {
  const given: readonly C[] = conditions ?? [];
  const at = given.findIndex(({ type }) => type === input.type);
  const before = given[at];
  const isTransition = before?.status !== input.status;
  const since = before && !isTransition ? before.lastTransitionTime : formatTime(date);
  const after = buildCondition(input, since);
  if (!before) return [...given, after];
  if (isSame(before, after)) return given;
  return given.map((one, i) => (i === at ? after : one));
}

/**
 * Returns the conditions without the one of a type; the same list if there is none.
 *
 * @example
 * ```ts
 * import { withoutCondition } from '@tenantry/runtime';
 *
 * console.log(withoutCondition([{ type: 'Ready' }, { type: 'Old' }], 'Old')); // [ { type: 'Ready' } ]
 * ```
 */
export function withoutCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  const given = conditions ?? [];
  return findCondition(given, type) ? given.filter((one) => one.type !== type) : given;
}

/**
 * Returns the condition of a type, for objects of any kind; undefined if there is none.
 *
 * @example
 * ```ts
 * import { findCondition } from '@tenantry/runtime';
 *
 * console.log(findCondition([{ type: 'Ready', status: 'True' }], 'Ready')?.status); // True
 * ```
 */
export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((one) => one.type === type);
}

/**
 * Whether a condition is `True`. An absent or unknown one is not.
 *
 * @example
 * ```ts
 * import { isConditionTrue } from '@tenantry/runtime';
 *
 * console.log(isConditionTrue([{ type: 'Ready', status: 'Unknown' }], 'Ready')); // false
 * ```
 */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

function buildCondition(input: ConditionInput, lastTransitionTime: string): Condition {
  const { type, status, observedGeneration, reason } = input;
  const made: Condition = omitUndefined({
    type,
    status,
    observedGeneration,
    lastTransitionTime,
    reason,
    message: truncateMessage(input.message),
  });
  const [wrong] = validator.check(made).errors;
  if (wrong === undefined) return made;
  throw new Error(`the condition ${type}: ${formatPath(wrong.path)} ${wrong.message}`);
}

/** Kubernetes counts Unicode characters; JavaScript counts some of them as two. */
function truncateMessage(message: string): string {
  if (message.length <= maxMessageLength) return message;
  const characters = [...message];
  if (characters.length <= maxMessageLength) return message;
  return `${characters.slice(0, maxMessageLength - 3).join('')}...`;
}

function isSame(one: GivenCondition, other: GivenCondition): boolean {
  return (
    one.status === other.status &&
    one.observedGeneration === other.observedGeneration &&
    one.reason === other.reason &&
    one.message === other.message
  );
}
