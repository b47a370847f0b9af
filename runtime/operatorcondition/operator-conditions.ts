import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { restricted } from '../access/restricted.ts';
import type { Client } from '../client/client.ts';
import { Backoff } from '../clock/backoff.ts';
import type { Clock, Random } from '../clock/clock.ts';
import {
  conditionOf,
  setCondition,
  type GivenCondition,
  type ConditionInput,
} from '../conditions/conditions.ts';
import { serviceAccountFolder, type Environment } from '../connection/in-cluster.ts';
import { isAborted } from '../errors/aborted.ts';
import { ApiError } from '../errors/api-error.ts';
import { ifGone } from '../errors/expected.ts';
import type { Live, ObjectName } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import { OperatorCondition, operatorConditionAccess } from './operator-condition-access.ts';

/** Where an operator's conditions are told. */
export interface OperatorConditionsProps {
  /** Has `OPERATOR_CONDITION_NAME`, where OLM runs the operator. @default - that of the process */
  readonly environment?: Environment | undefined;
  /** The one that the operator runs in. @default - that of the pod's ServiceAccount */
  readonly namespace?: string | undefined;
  /** Milliseconds between two looks at what its admin says instead. @default 30,000 */
  readonly interval?: number | undefined;
}

/** A condition that OLM goes by. */
export interface ConditionInForce {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Whether it is the admin's word, which goes before the operator's. */
  readonly isOverridden: boolean;
}

/** With what they are told. */
export interface OperatorConditionsDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** How often what was read is read anew, where others write it at the same time. */
const mostConflicts = 5;

/** Milliseconds. */
const retries = { first: 500, longest: 60_000 };

/** Milliseconds from one look to the next, however often something else is said. */
const minInterval = 1000;

type PendingReport = ReturnType<typeof Promise.withResolvers<void>>;

/**
 * What an operator says of itself to OLM, which reads it before it upgrades the operator: while `Upgradeable` is
 * `False`, the next version waits. They are given to a `Manager`, which tells them while this replica leads. It
 * guarantees:
 *
 * - Only what changes is written: of each type that is set here, in the OperatorCondition that OLM has made for this
 *   version. Conditions of others stay. `lastTransitionTime` is when the status became another one.
 * - What somebody else changes is written again, within the interval.
 * - An API server that is away, or an OperatorCondition that is not there yet, is waited for; no reconcile fails.
 * - Where OLM does not run the operator, nothing is asked of the API server, and the log says so once.
 *
 * The rights come from OLM. A new version begins without conditions: say them whenever the operator starts.
 *
 * @example
 * ```ts
 * import { controller, core, done, Manager, OperatorConditions } from 'tenantry/runtime';
 *
 * const conditions = new OperatorConditions({ environment: {} });
 * const backups = controller({
 *   name: 'backups',
 *   for: core.Namespace,
 *   reconcile: async () => {
 *     // OLM knows it before the backup begins.
 *     const busy = { status: 'False', reason: 'BackingUp', message: 'A backup is made.' } as const;
 *     await conditions.set({ type: 'Upgradeable', ...busy });
 *     return done;
 *   },
 * });
 * export const manager = new Manager({ controllers: [backups], operatorConditions: conditions });
 * console.log(conditions.inForce('Upgradeable')); // undefined
 * ```
 */
export class OperatorConditions {
  readonly #props: OperatorConditionsProps;
  readonly #name: string | undefined;
  readonly #said = new Map<string, ConditionInput>();
  /** Who waits until a condition is told, by its type. */
  readonly #waiting = new Map<string, PendingReport>();
  #overrides: readonly Omit<GivenCondition, 'lastTransitionTime'>[] = [];
  #wake: () => void = () => {};

  /** @throws {RangeError} for an interval that is not above 0 */
  constructor(props: OperatorConditionsProps = {}) {
    const { environment = process.env, interval = 30_000 } = props;
    if (!(interval > 0 && Number.isFinite(interval))) {
      throw new RangeError(`interval must be milliseconds above 0, got ${interval}`);
    }
    this.#props = props;
    this.#name = environment['OPERATOR_CONDITION_NAME'] || undefined;
  }

  /** Whether OLM runs the operator. */
  get isRunByOlm(): boolean {
    return this.#name !== undefined;
  }

  /**
   * Says it from now on. The promise is there to be awaited by who must not begin before OLM knows: it resolves when
   * the API server has it, or where OLM is not there, and rejects when the manager ends. Nobody needs to await it.
   *
   * @throws {Error} where metav1.Condition does not allow the type, status or reason
   */
  set(condition: ConditionInput): Promise<void> {
    setCondition(undefined, condition, new Date(0));
    if (this.#name === undefined) {
      this.#said.set(condition.type, condition);
      return Promise.resolve();
    }
    const before = this.#said.get(condition.type);
    const isNew = !before || !isDeepStrictEqual(before, condition);
    if (isNew) this.#store(condition);
    const waiting = this.#waiting.get(condition.type);
    if (waiting) return waiting.promise;
    if (!isNew) return Promise.resolve();
    const added = Promise.withResolvers<void>();
    this.#waiting.set(condition.type, added);
    // Who does not wait for it is not told how it ends.
    added.promise.catch(() => {});
    return added.promise;
  }

  #store(condition: ConditionInput): void {
    this.#said.set(condition.type, condition);
    this.#wake();
  }

  /**
   * What OLM goes by: what its admin says instead, as it was when it was last looked at, else what was set here.
   * @returns undefined of what nobody has said
   */
  inForce(type: string): ConditionInForce | undefined {
    const override = conditionOf(this.#overrides, type);
    const found = override ?? this.#said.get(type);
    if (!found) return undefined;
    const { status, reason, message } = found;
    return { type, status, reason, message, isOverridden: override !== undefined };
  }

  /**
   * Tells them until the signal aborts: what a manager does that is given them. What was said is forgotten then, as
   * another replica may say something else.
   * @throws {Error} where OLM runs the operator, and nothing says in which namespace
   */
  async run({ client, clock, random, log }: OperatorConditionsDeps, signal: AbortSignal) {
    const name = this.#name;
    if (name === undefined) {
      log.info('OLM does not run this operator, so no conditions are reported');
      return;
    }
    try {
      const at = { name, namespace: await this.#namespace() };
      const allowed = restricted(client, operatorConditionAccess(at), 'the conditions for OLM');
      await this.#reportUntil({ client: allowed, clock, random, log }, at, signal);
    } finally {
      this.#forget(signal.reason);
    }
  }

  async #reportUntil(deps: OperatorConditionsDeps, at: ObjectName, signal: AbortSignal) {
    const { clock, random, log } = deps;
    const { interval = 30_000 } = this.#props;
    const backoff = new Backoff(random, retries);
    let failures = 0;
    while (!signal.aborted) {
      // What is set from now on may not be seen by this look.
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      try {
        await this.#report(deps, at, signal);
        failures = 0;
      } catch (error) {
        if (isAborted(error, signal)) return;
        failures += 1;
        log.warn('the conditions could not be reported to OLM; trying again', {
          ...at,
          failures,
          error,
        });
      }
      const pause = failures > 0 ? Math.min(backoff.delayAfter(failures), interval) : interval;
      const atLeast = failures > 0 ? pause : Math.min(minInterval, pause);
      await clock.sleep(atLeast, signal).catch(() => {});
      const early = AbortSignal.any([signal, woken.signal]);
      if (pause > atLeast) await clock.sleep(pause - atLeast, early).catch(() => {});
    }
  }

  #forget(reason: unknown): void {
    this.#wake = () => {};
    this.#said.clear();
    this.#overrides = [];
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  async #namespace(): Promise<string> {
    const { namespace } = this.#props;
    if (namespace !== undefined) return namespace;
    const file = `${serviceAccountFolder}/namespace`;
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      const message = `the namespace of the operator must be set, as OPERATOR_CONDITION_NAME is set, and there is no ${file}`;
      throw new Error(message, { cause });
    });
    return text.trim();
  }

  async #report(
    { client, clock, log }: Pick<OperatorConditionsDeps, 'client' | 'clock' | 'log'>,
    at: ObjectName,
    signal: AbortSignal,
  ): Promise<void> {
    for (let conflicts = 0; ; conflicts += 1) {
      const found = await client.get(OperatorCondition, at, { signal }).catch(ifGone);
      if (!found)
        throw new Error('OLM has made no OperatorCondition of this name, or has taken it away');
      this.#readOverrides(found, log);
      const declared = [...this.#said.values()];
      try {
        await this.#write({ client, clock, log }, found, declared, signal);
        for (const one of declared) this.#resolveReported(one);
        return;
      } catch (error) {
        const isOutdated = error instanceof ApiError && error.isConflict;
        if (!isOutdated || conflicts >= mostConflicts) throw error;
      }
    }
  }

  /** What was set meanwhile is yet to be told. */
  #resolveReported(condition: ConditionInput): void {
    if (this.#said.get(condition.type) !== condition) return;
    this.#waiting.get(condition.type)?.resolve();
    this.#waiting.delete(condition.type);
  }

  #readOverrides({ spec }: Live<typeof OperatorCondition>, log: Log): void {
    const overrides = spec?.overrides ?? [];
    const before = this.#overrides;
    this.#overrides = overrides;
    for (const { type, status, reason } of overrides) {
      if (conditionOf(before, type)?.status === status) continue;
      log.info('a condition for OLM is overridden', { type, status, reason });
    }
    for (const { type } of before) {
      if (!conditionOf(overrides, type))
        log.info('a condition for OLM is no longer overridden', { type });
    }
  }

  /** A list is replaced whole: of this very state alone. */
  async #write(
    { client, clock, log }: Pick<OperatorConditionsDeps, 'client' | 'clock' | 'log'>,
    { metadata: { name, namespace, resourceVersion }, spec }: Live<typeof OperatorCondition>,
    declared: readonly ConditionInput[],
    signal: AbortSignal,
  ): Promise<void> {
    const date = clock.date();
    let conditions: readonly GivenCondition[] = spec?.conditions ?? [];
    const before = conditions;
    for (const one of declared) conditions = setCondition(conditions, one, date);
    if (conditions === before) return;
    const patch = { metadata: { resourceVersion }, spec: { conditions } };
    await client.patch(OperatorCondition, { name, namespace }, patch as never, { signal });
    const changed = declared.filter(
      (one) => conditionOf(before, one.type) !== conditionOf(conditions, one.type),
    );
    for (const { type, status, reason } of changed) {
      log.info('a condition was reported to OLM', { type, status, reason });
    }
  }
}
