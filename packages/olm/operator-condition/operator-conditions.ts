import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { restrictClient } from '@tenantry/runtime/access/restricted-client';
import { Backoff } from '@tenantry/runtime/clock/pacing';
import {
  findCondition,
  setCondition,
  type GivenCondition,
  type ConditionInput,
} from '@tenantry/runtime/conditions/conditions';
import { serviceAccountFolder } from '@tenantry/runtime/connection/connection-from';
import type { Environment } from '@tenantry/runtime/connection/connection';
import { isAborted, ifGone } from '@tenantry/runtime/errors/reaction';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { type Live, type ObjectName, kindOf } from '@tenantry/runtime/kinds/kind';
import type { Log } from '@tenantry/runtime/log/log';
import type { ConditionReporter, ConditionReporterDeps } from '@tenantry/runtime/manager/manager';
import { operatorCondition } from '../api/operator-condition.ts';
import type { AccessRule } from '@tenantry/kube/access';
import { allow } from '@tenantry/runtime/access/grant';

/** OLM's kind. */
export const OperatorCondition = kindOf(operatorCondition, 'v2');

/** The name of the object that OLM created. */
export interface OperatorConditionName {
  /** The name of the ClusterServiceVersion. */
  readonly name: string;
  readonly namespace: string;
}

/**
 * The access that `OperatorConditions` needs. OLM itself grants it (and `update`) to the ServiceAccounts of the
 * ClusterServiceVersion, for the name of its object, so it does not belong in a bundle.
 *
 * @example
 * ```ts
 * import { operatorConditionAccess } from '@tenantry/olm/operator-conditions';
 * import { buildRoles } from '@tenantry/runtime';
 *
 * const access = operatorConditionAccess({ name: 'shops.v1.2.3', namespace: 'shops' });
 * console.log(buildRoles(access).namespaces.get('shops')?.[0]?.verbs); // [ 'get', 'patch' ]
 * ```
 */
export function operatorConditionAccess({
  name,
  namespace,
}: OperatorConditionName): readonly AccessRule[] {
  return [allow(OperatorCondition, 'get', 'patch').named(name).in(namespace)];
}

/** The options of an operator's conditions. */
export interface OperatorConditionsProps {
  /** Contains `OPERATOR_CONDITION_NAME` if OLM runs the operator. @default - the environment of the process */
  readonly environment?: Environment | undefined;
  /** The namespace in which the operator runs. @default - that of the pod's ServiceAccount */
  readonly namespace?: string | undefined;
  /** Milliseconds between two checks of the overrides of administrators. @default 30,000 */
  readonly interval?: number | undefined;
}

/** A condition that OLM uses. */
export interface ConditionInForce {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Whether an administrator has overridden the operator's condition. */
  readonly isOverridden: boolean;
}

/** How often a write is repeated because of concurrent writes. */
const mostConflicts = 5;

/** Milliseconds. */
const retries = { first: 500, longest: 60_000 };

/** The least milliseconds between two reports, however often conditions change. */
const minInterval = 1000;

type PendingReport = ReturnType<typeof Promise.withResolvers<void>>;

/**
 * The conditions that an operator reports to OLM. OLM reads them before it upgrades the operator: while `Upgradeable`
 * is `False`, the next version waits. Pass them to a `Manager`, which reports them while this replica leads.
 * Guarantees:
 *
 * - Only changes are written: the condition types that are set here, in the OperatorCondition that OLM created for this
 *   version. Conditions of others stay. `lastTransitionTime` is the time of the last change of the status.
 * - A condition that somebody else changes is written again, within the interval.
 * - It waits for an API server that is down and for an OperatorCondition that does not exist yet; no reconcile fails.
 * - If OLM does not run the operator, no request is sent, and the log mentions that once.
 *
 * OLM grants the access. A new version begins without conditions, so set them whenever the operator starts.
 *
 * @example
 * ```ts
 * import { controller, core, done, Manager } from '@tenantry/runtime';
 * import { OperatorConditions } from '@tenantry/olm/operator-conditions';
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
export class OperatorConditions implements ConditionReporter {
  readonly #props: OperatorConditionsProps;
  readonly #name: string | undefined;
  readonly #declared = new Map<string, ConditionInput>();
  /** Callers that wait until a condition is reported, by its type. */
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
   * Sets a condition. Await the promise only if something must not begin before OLM knows. It resolves when the API
   * server has the condition, or if there is no OLM. It rejects when the manager ends.
   *
   * @throws {Error} if metav1.Condition does not allow the type, status or reason
   */
  set(condition: ConditionInput): Promise<void> {
    setCondition(undefined, condition, new Date(0));
    if (this.#name === undefined) {
      this.#declared.set(condition.type, condition);
      return Promise.resolve();
    }
    const before = this.#declared.get(condition.type);
    const isNew = !before || !isDeepStrictEqual(before, condition);
    if (isNew) this.#store(condition);
    const waiting = this.#waiting.get(condition.type);
    if (waiting) return waiting.promise;
    if (!isNew) return Promise.resolve();
    const added = Promise.withResolvers<void>();
    this.#waiting.set(condition.type, added);
    // Avoids an unhandled rejection if nobody awaits the promise.
    added.promise.catch(() => {});
    return added.promise;
  }

  #store(condition: ConditionInput): void {
    this.#declared.set(condition.type, condition);
    this.#wake();
  }

  /**
   * Returns the condition that OLM uses: the administrator's override as of the last check, or else what was set here.
   * @returns undefined for a condition that nobody has set
   */
  inForce(type: string): ConditionInForce | undefined {
    const override = findCondition(this.#overrides, type);
    const found = override ?? this.#declared.get(type);
    if (!found) return undefined;
    const { status, reason, message } = found;
    return { type, status, reason, message, isOverridden: override !== undefined };
  }

  /**
   * Reports conditions until the signal aborts; the manager calls it. The set conditions are then dropped, because
   * another replica may set different ones.
   * @throws {Error} if OLM runs the operator, and its namespace is not known
   */
  async run({ client, clock, random, log }: ConditionReporterDeps, signal: AbortSignal) {
    const name = this.#name;
    if (name === undefined) {
      log.info('OLM does not run this operator, so no conditions are reported');
      return;
    }
    try {
      const at = { name, namespace: await this.#namespace() };
      const allowed = restrictClient(client, operatorConditionAccess(at), 'the conditions for OLM');
      await this.#reportUntil({ client: allowed, clock, random, log }, at, signal);
    } finally {
      this.#forget(signal.reason);
    }
  }

  async #reportUntil(deps: ConditionReporterDeps, at: ObjectName, signal: AbortSignal) {
    const { clock, random, log } = deps;
    const { interval = 30_000 } = this.#props;
    const backoff = new Backoff(random, retries);
    let failures = 0;
    while (!signal.aborted) {
      // A condition that is set from now on may be missed by this report.
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
    this.#declared.clear();
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
    { client, clock, log }: Pick<ConditionReporterDeps, 'client' | 'clock' | 'log'>,
    at: ObjectName,
    signal: AbortSignal,
  ): Promise<void> {
    for (let conflicts = 0; ; conflicts += 1) {
      const found = await client.get(OperatorCondition, at, { signal }).catch(ifGone);
      if (!found)
        throw new Error('OLM has made no OperatorCondition of this name, or has taken it away');
      this.#readOverrides(found, log);
      const declared = [...this.#declared.values()];
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

  /** A condition that was set meanwhile is still to be reported. */
  #resolveReported(condition: ConditionInput): void {
    if (this.#declared.get(condition.type) !== condition) return;
    this.#waiting.get(condition.type)?.resolve();
    this.#waiting.delete(condition.type);
  }

  #readOverrides({ spec }: Live<typeof OperatorCondition>, log: Log): void {
    const overrides = spec?.overrides ?? [];
    const before = this.#overrides;
    this.#overrides = overrides;
    for (const { type, status, reason } of overrides) {
      if (findCondition(before, type)?.status === status) continue;
      log.info('a condition for OLM is overridden', { type, status, reason });
    }
    for (const { type } of before) {
      if (!findCondition(overrides, type))
        log.info('a condition for OLM is no longer overridden', { type });
    }
  }

  /** A merge patch replaces the list as a whole, so it applies to this state only. */
  async #write(
    { client, clock, log }: Pick<ConditionReporterDeps, 'client' | 'clock' | 'log'>,
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
      (one) => findCondition(before, one.type) !== findCondition(conditions, one.type),
    );
    for (const { type, status, reason } of changed) {
      log.info('a condition was reported to OLM', { type, status, reason });
    }
  }
}
