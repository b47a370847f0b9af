import type { TenantStatus } from '../../crds/tenant-status.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatObjectName, identifyObject, type Drift } from '../drift/object-drift.ts';
import type { ApiError } from '@tenantry/runtime/errors/api-error';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { digestObject } from '../stored/content.ts';

/** An object of a tenant with its desired content. */
export interface Goal {
  readonly tenant: string;
  /** `identityOf` the object. */
  readonly key: string;
  readonly object: object;
}

/** An object that something else repeatedly changes back, as the status of its tenant records it. */
export interface Fight {
  /** `identityOf` the object. */
  readonly key: string;
  /** The digest of the declared object. */
  readonly declared: string;
  /** The number of times it was healed. */
  readonly healed: number;
  /** Milliseconds until it may be healed again; 0 or less means now. */
  readonly left: number;
  readonly message: string;
}

interface Attempt {
  /** The digest of the desired object. */
  readonly to: string;
  /** The number of times it was healed with less than `FIGHT_WINDOW` in between. */
  healed: number;
  failures: number;
  /** The time of the last attempt, and the time before which there is no other one, both on the clock. */
  at: number;
  until: number;
  problem?: Problem | undefined;
}

/** The milliseconds between two healings of an object below which they count as repeated. */
export const FIGHT_WINDOW = 600_000;
/** The number of repeated healings of an object after which it counts as a fight. */
export const MAX_HEALINGS = 5;

/** Milliseconds until the next attempt after a conflict, when the current state is not known yet. */
export const CONFLICT_RETRY = 1_000;

const failureBackoff = { first: 5_000, longest: 600_000 };
const fightBackoff = { first: 60_000, longest: 3_600_000 };

/**
 * The history of healing attempts, in memory. Refused writes are retried with exponential backoff. Objects that are
 * repeatedly changed back are left alone for a doubling period. A changed declaration resets both. Attempts older than
 * `FIGHT_WINDOW` are dropped.
 */
export class HealAttempts {
  /** Ordered by the last attempt, the latest last. */
  readonly #attempts = new Map<string, Attempt>();

  /** Returns the milliseconds until an object may be written; 0 means now. */
  remaining(goal: Goal, now: number): number {
    return Math.max(0, (this.#current(goal)?.until ?? 0) - now);
  }

  problem(goal: Goal): Problem | undefined {
    return this.#current(goal)?.problem;
  }

  /** Records a successful write. After too many of them, `fight` becomes the problem of the object. */
  recordHealed(goal: Goal, now: number, fight: Problem): void {
    const known = this.#current(goal);
    const isSoon = known && now < Math.max(known.at, known.until) + FIGHT_WINDOW;
    const healed = (isSoon ? known.healed : 0) + 1;
    const excess = healed - MAX_HEALINGS;
    const isFight = excess >= 0;
    this.#record(
      goal,
      omitUndefined({
        healed,
        failures: 0,
        at: now,
        until: isFight ? now + computeBackoff(fightBackoff, excess) : now,
        problem: isFight ? fight : undefined,
      }),
    );
  }

  /** Records a write that failed or would change nothing. */
  recordFailed(goal: Goal, now: number, problem: Problem): void {
    const { failures = 0, healed = 0 } = this.#current(goal) ?? {};
    const until = now + computeBackoff(failureBackoff, failures);
    this.#record(goal, { healed, failures: failures + 1, at: now, until, problem });
  }

  /** Returns the fights of a tenant. */
  fights(tenant: string, now: number): readonly Fight[] {
    return [...this.#attempts].flatMap(([name, { to, healed, at, until, problem }]) => {
      const isOver = Math.max(at, until) + FIGHT_WINDOW <= now;
      if (!name.startsWith(`${tenant}\n`) || problem?.reason !== 'Fought' || isOver) return [];
      const key = name.slice(tenant.length + 1);
      return [{ key, declared: to, healed, left: until - now, message: problem.message }];
    });
  }

  /** Restores the fights that an earlier process recorded. Attempts of this process take precedence. */
  recall(tenant: string, fights: readonly Fight[], now: number): void {
    for (const { key, declared, healed, left, message } of fights) {
      const name = `${tenant}\n${key}`;
      if (this.#attempts.has(name) || left + FIGHT_WINDOW <= 0) continue;
      const problem = { reason: 'Fought', message } as const;
      const attempt = { to: declared, healed, failures: 0, at: now, until: now + left, problem };
      this.#attempts.set(name, attempt);
    }
  }

  forget(tenant: string): void {
    for (const name of this.#attempts.keys()) {
      if (name.startsWith(`${tenant}\n`)) this.#attempts.delete(name);
    }
  }

  #current(goal: Goal): Attempt | undefined {
    const attempt = this.#attempts.get(buildName(goal));
    return attempt?.to === digestObject(goal.object) ? attempt : undefined;
  }

  #record(goal: Goal, attempt: Omit<Attempt, 'to'>): void {
    for (const [name, { at, until }] of this.#attempts) {
      if (Math.max(at, until) + FIGHT_WINDOW > attempt.at) break;
      this.#attempts.delete(name);
    }
    const name = buildName(goal);
    this.#attempts.delete(name);
    this.#attempts.set(name, { ...attempt, to: digestObject(goal.object) });
  }
}

function buildName({ tenant, key }: Goal): string {
  return `${tenant}\n${key}`;
}

function computeBackoff(
  { first, longest }: { first: number; longest: number },
  times: number,
): number {
  return Math.min(first * 2 ** times, longest);
}

/** Something changes the object back as often as the operator heals it. */
export function buildFightProblem(object: KubeObject, drift: readonly Drift[]): Problem {
  const managers = [...new Set(drift.flatMap(({ manager }) => manager ?? []))];
  const by = managers.length > 0 ? ` by ${managers.join(', ')}` : '';
  const message = `${formatObjectName(identifyObject(object))} was healed ${MAX_HEALINGS} times or more, and is changed again${by}`;
  return { reason: 'Fought', message };
}

/** Reads the fights that a status records, even those of an earlier process. */
export function readRecordedFights(status: TenantStatus | undefined, now: Date): readonly Fight[] {
  return (status?.leftAlone ?? []).map(({ object, declared, healed, until }) => ({
    key: object,
    declared,
    healed,
    left: Date.parse(until) - now.getTime(),
    message: `${nameOfKey(object)} was healed ${healed} times or more, and is changed again`,
  }));
}

/** Returns `ResourceQuota pay-prod/quota` for `/ResourceQuota pay-prod/quota`. */
function nameOfKey(key: string): string {
  return key.replace(/^[^ ]*\//, '').replace(/ \//, ' ');
}

/** Grace periods for conditions of tenants' objects, in memory. */
export class GracePeriods {
  readonly #milliseconds: number;
  /** By tenant, then by key. */
  readonly #since = new Map<string, ReadonlyMap<string, number>>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Begins the period of each new key, and drops all other keys of the tenant. */
  observe(tenant: string, keys: readonly string[], now: number): void {
    const known = this.#since.get(tenant);
    if (keys.length === 0) this.#since.delete(tenant);
    else this.#since.set(tenant, new Map(keys.map((key) => [key, known?.get(key) ?? now])));
  }

  /** Returns the milliseconds that are left; 0 when the period is over, and for an unknown key. */
  remaining(tenant: string, key: string, now: number): number {
    const since = this.#since.get(tenant)?.get(key);
    return since === undefined ? 0 : Math.max(0, since + this.#milliseconds - now);
  }

  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}

/** Why an object is not healed, as a reason of a condition. */
type HealReason =
  | 'HealRefused'
  | 'MayNotBind'
  | 'ChangedOnWrite'
  | 'Fought'
  | 'NamespaceNotOurs'
  | 'QuotaWaits'
  | 'AccessRemains';

/** Something that the operator would heal, and does not. */
export interface Problem {
  readonly reason: HealReason;
  /** Includes the name of the object. */
  readonly message: string;
}

/** The most characters of a refusal that are reported. */
const MAX_MESSAGE_LENGTH = 400;

/** Builds the problem of a write that the API server refused, with the server's message. */
export function buildRefusalProblem(object: KubeObject, { reason, message }: ApiError): Problem {
  const words = message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
  return {
    reason: 'HealRefused',
    message: `${formatObjectName(identifyObject(object))}: ${reason}: ${words}`,
  };
}

/** The operator lacks a right that a class has allowed since the operator's role was rendered. */
export function buildMayNotBindProblem(object: KubeObject, role: string): Problem {
  const message = `${formatObjectName(identifyObject(object))}: the operator may not bind ClusterRole ${role}, which a class has allowed since its rights were rendered: render and apply the operator again`;
  return { reason: 'MayNotBind', message };
}

/**
 * Returns the problem of an object that is being deleted: it cannot be deleted again, nor replaced before it is gone.
 */
export function findDeletionProblem(live: KubeObject): Problem | undefined {
  const { deletionTimestamp, finalizers = [] } = (live as KubeObject & Live).metadata;
  if (deletionTimestamp === undefined) return undefined;
  const message = `${formatObjectName(identifyObject(live))} is being deleted, and waits for ${finalizers.join(', ')}`;
  return { reason: 'HealRefused', message };
}

/** Something, such as a webhook, changes the object as the operator writes it. */
export function buildChangedOnWriteProblem(object: KubeObject): Problem {
  const message = `${formatObjectName(identifyObject(object))} is changed as it is written, by a webhook for one`;
  return { reason: 'ChangedOnWrite', message };
}

/** k8s.io/kubernetes pkg/registry/rbac/validation, ConfirmNoEscalation */
const ESCALATES = 'is attempting to grant RBAC permissions not currently held';

/**
 * Returns the ClusterRole that the operator may not bind, if that is why a binding was refused. A class has allowed the
 * role since the operator's role was rendered. Without `bind`, the API server checks whether the role grants more than
 * the operator holds, and reports a missing role as not found.
 */
export function unboundRole(object: KubeObject, error: ApiError): string | undefined {
  const { kind, roleRef } = object as KubeObject & {
    readonly roleRef?: { readonly kind: string; readonly name: string };
  };
  if (kind !== 'RoleBinding' || roleRef?.kind !== 'ClusterRole') return undefined;
  // The error reports the RoleBinding's name as not found when the role is meant.
  const isMissing = error.isNotFound && error.details.name === roleRef.name;
  const isMore = error.isForbidden && error.message.includes(ESCALATES);
  return isMissing || isMore ? roleRef.name : undefined;
}
