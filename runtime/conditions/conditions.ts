import { formatPath } from '../../kube/problem.ts';
import { condition, type Condition } from '../../schema/language.ts';
import { compileSchema } from '../../schema/validator.ts';

/** What is to be said of an object; since when, `setCondition` knows. */
export type ConditionInput = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'> & {
  /** The `metadata.generation` of which this is said; what is undefined is not said. */
  readonly observedGeneration?: number | undefined;
};

/** A condition as a server gives it: of definitions with `conditions()`, and of Kubernetes' own kinds. */
export type GivenCondition = Omit<Condition, 'status'> & { readonly status: string };

/** Characters of the longest message (metav1.Condition). */
const longestMessage = 32_768;

const validator = compileSchema(condition());

/**
 * The conditions, with the one of this type as it is said; an object without any may have `undefined`.
 * It guarantees:
 *
 * - Where nothing changes, it is the very same list. So what is the same need not be written:
 *
 *       const conditions = setCondition(object.status?.conditions, ready, clock.date());
 *       if (conditions !== object.status?.conditions) await client.patch(...);
 *
 * - `lastTransitionTime` becomes the date, in seconds, where the status is another one than before, and
 *   else stays. A change of the reason or the message alone is no transition.
 * - The order stays; a new type comes last. What is not said, `observedGeneration`, is taken away.
 * - A message of over 32,768 characters, which the API server would refuse, is cut, and ends with `...`.
 *
 * @example
 * ```ts
 * import { setCondition } from 'tenantry/runtime';
 *
 * const ready = { type: 'Ready', status: 'True', reason: 'Serving', message: 'It serves.' } as const;
 * const conditions = setCondition(undefined, ready, new Date('2026-01-01T10:00:00Z'));
 * console.log(conditions[0]?.lastTransitionTime); // 2026-01-01T10:00:00Z
 * console.log(setCondition(conditions, ready, new Date()) === conditions); // true
 * ```
 *
 * @throws {Error} where metav1.Condition does not allow the type, status, reason or generation
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
 * The conditions without the one of a type: the very same list where there is none.
 *
 * @example
 * ```ts
 * import { withoutCondition } from 'tenantry/runtime';
 *
 * console.log(withoutCondition([{ type: 'Ready' }, { type: 'Old' }], 'Old')); // [ { type: 'Ready' } ]
 * ```
 */
export function withoutCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  const given = conditions ?? [];
  return conditionOf(given, type) ? given.filter((one) => one.type !== type) : given;
}

/**
 * The condition of a type; undefined where nothing is said of it. Works on those of any kind.
 *
 * @example
 * ```ts
 * import { conditionOf } from 'tenantry/runtime';
 *
 * console.log(conditionOf([{ type: 'Ready', status: 'True' }], 'Ready')?.status); // True
 * ```
 */
export function conditionOf<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((one) => one.type === type);
}

/**
 * Whether it is the case; what nobody says, and what is unknown, is not.
 *
 * @example
 * ```ts
 * import { isConditionTrue } from 'tenantry/runtime';
 *
 * console.log(isConditionTrue([{ type: 'Ready', status: 'Unknown' }], 'Ready')); // false
 * ```
 */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

function buildCondition(input: ConditionInput, lastTransitionTime: string): Condition {
  const { type, status, observedGeneration, reason } = input;
  const made: Condition = {
    type,
    status,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime,
    reason,
    message: truncateMessage(input.message),
  };
  const [wrong] = validator.check(made).errors;
  if (wrong === undefined) return made;
  throw new Error(`the condition ${type}: ${formatPath(wrong.path)} ${wrong.message}`);
}

/** Kubernetes counts characters of Unicode, JavaScript halves of some. */
function truncateMessage(message: string): string {
  if (message.length <= longestMessage) return message;
  const characters = [...message];
  if (characters.length <= longestMessage) return message;
  return `${characters.slice(0, longestMessage - 3).join('')}...`;
}

function isSame(one: GivenCondition, other: GivenCondition): boolean {
  return (
    one.status === other.status &&
    one.observedGeneration === other.observedGeneration &&
    one.reason === other.reason &&
    one.message === other.message
  );
}

/** metav1.Time has seconds: a date with more would differ from what is read back. */
function formatTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
