import { identityOfNames, type KubeObject } from '@tenantry/kube/object';
import type { Fleet } from '../../model/fleet.ts';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Tenant } from '../cluster/kinds.ts';
import {
  declaredDigest,
  expected,
  isAsExpected,
  nothingRollsOut,
  type IsRollingOut,
} from '../drift/expected.ts';
import { toDeclaration } from '../fleet/declarations.ts';

type LiveTenant = Live<typeof Tenant>;

/** The declaration of a tenant, and the classes behind it. */
interface Declaration {
  readonly tenant: LiveTenant;
  readonly fleet: Fleet;
}

/** The declaration at the time of an earlier status, of which only the digest is known. */
interface Digested {
  readonly digest: string;
}

/** An earlier state in which the cluster may still be: a declaration, nothing, or unknown. */
interface PreviousDeclaration {
  readonly was: Declaration | Digested | 'nothing' | 'anything';
  /** When the state expires, on the clock. */
  readonly until: number;
}

/** The current declaration. */
interface KnownDeclaration extends Declaration {
  /** Earlier states: the first is the last known state of the cluster, the last is the declaration before this one. */
  readonly before: readonly PreviousDeclaration[];
  /** Whether the declaration is refused, so that none of it reaches the cluster. */
  readonly isRefused: boolean;
}

/** The state of a rollout. */
interface Rollout {
  readonly isFollowing: IsRollingOut;
  /** Milliseconds until more of the differences count as drift. Undefined: all of them do. */
  readonly left: number | undefined;
}

/**
 * Distinguishes drift from declarations that the cluster has not followed yet. For a while after a change, an object
 * that matches the earlier declaration counts as rolling out. Any other difference is drift at once.
 *
 * If one change follows another, the cluster may match the state before the first or before the last change, each for
 * the same time. A refused declaration reaches no cluster: the one before it counts, from the time when the refused one
 * is corrected.
 */
export class Rollouts {
  readonly #deadline: number;
  readonly #cluster: string;
  readonly #seen = new Map<string, KnownDeclaration>();

  /** @param deadline milliseconds within which the cluster follows a change */
  constructor(cluster: string, deadline: number) {
    this.#cluster = cluster;
    this.#deadline = deadline;
  }

  /** Records the current declaration of a tenant. */
  track(tenant: LiveTenant, fleet: Fleet, clock: Pick<Clock, 'now' | 'date'>): Rollout {
    const seen = this.#record(tenant, fleet, clock);
    const open = seen.before.filter(({ until }) => until > clock.now());
    if (open.length === 0) return { isFollowing: nothingRollsOut, left: undefined };
    const driftedKeys = new Set(tenant.status?.drift?.map((one) => identityOfNames(one)));
    const each = open.map(({ was }) => this.#follows(was, seen, driftedKeys));
    return {
      isFollowing: (suspect) => each.some((follows) => follows(suspect)),
      left: Math.min(...open.map(({ until }) => until)) - clock.now(),
    };
  }

  /** The cluster has followed the change. From now on every difference is drift. */
  markComplete(name: string): void {
    this.#change(name, { before: [], isRefused: false });
  }

  /** The declaration is refused, so the cluster stays as it was before. */
  markRefused(name: string): void {
    this.#change(name, { isRefused: true });
  }

  /** Drops a deleted tenant. */
  forget(name: string): void {
    this.#seen.delete(name);
  }

  #change(name: string, change: Partial<KnownDeclaration>): void {
    const seen = this.#seen.get(name);
    if (seen) this.#seen.set(name, { ...seen, ...change });
  }

  #record(tenant: LiveTenant, fleet: Fleet, clock: Pick<Clock, 'now' | 'date'>): KnownDeclaration {
    const { name, uid, generation } = tenant.metadata;
    const known = this.#seen.get(name);
    const seen = known?.tenant.metadata.uid === uid ? known : undefined;
    const isSame = seen?.fleet === fleet && seen.tenant.metadata.generation === generation;
    // A refused declaration may become acceptable, for example when another tenant that had its namespace is deleted.
    if (isSame && !seen.isRefused) return seen;
    const before = seen ? this.#beforeNext(seen, clock.now()) : this.#unseen(tenant, clock);
    const next = { tenant, fleet, before, isRefused: false };
    this.#seen.set(name, next);
    return next;
  }

  #beforeNext(seen: KnownDeclaration, now: number): readonly PreviousDeclaration[] {
    const until = now + this.#deadline;
    if (seen.isRefused) {
      const [first = { was: 'anything' as const }, ...rest] = seen.before;
      return [first, ...rest].map(({ was }) => ({ was, until }));
    }
    const { tenant, fleet } = seen;
    const first = seen.before.slice(0, 1).filter((one) => one.until > now);
    return [...first, { was: { tenant, fleet }, until }];
  }

  /**
   * Returns the earlier states of a tenant that was not seen before: it is new, was changed while no operator ran, or
   * is rolling out.
   */
  #unseen(
    { metadata, status }: LiveTenant,
    clock: Pick<Clock, 'now' | 'date'>,
  ): readonly PreviousDeclaration[] {
    const until = clock.now() + this.#deadline;
    if (status?.observedGeneration === undefined) return [{ was: 'nothing', until }];
    if (!status.counts) return [{ was: 'anything', until }];
    const { declaredDigest: digest } = status;
    const isOther = status.observedGeneration !== metadata.generation;
    // The status of an older operator version contains no digest.
    if (digest === undefined && isOther) return [{ was: 'anything', until }];
    const changed: readonly PreviousDeclaration[] =
      digest === undefined ? [] : [{ was: { digest }, until }];
    const progressing = findCondition(status.conditions, 'Progressing');
    if (progressing?.status !== 'True') return changed;
    const since = clock.date().getTime() - Date.parse(progressing.lastTransitionTime);
    return [...changed, { was: 'anything', until: until - Math.max(since, 0) }];
  }

  /** @param driftedKeys objects that the status already reports as drift; a restart does not excuse them */
  #follows(
    was: PreviousDeclaration['was'],
    now: Declaration,
    driftedKeys: ReadonlySet<string>,
  ): IsRollingOut {
    if (was === 'nothing') return ({ live }) => live === undefined;
    if (was === 'anything') return ({ key }) => !driftedKeys.has(key);
    if (!('digest' in was)) return this.#asBefore(was);
    // Computed at the first difference: for a tenant without any it is not needed.
    let isSame: boolean | undefined;
    return ({ key }) => {
      isSame ??= declaredDigest(this.#renderObjects(now)) === was.digest;
      return !isSame && !driftedKeys.has(key);
    };
  }

  /** Renders the earlier declaration once, at the first difference. */
  #asBefore(declared: Declaration): IsRollingOut {
    let objects: ReadonlyMap<string, KubeObject> | undefined;
    return ({ key, live, isAs }) => {
      objects ??= new Map(
        this.#renderObjects(declared).map((object) => [expected(object).key, object]),
      );
      const object = objects.get(key);
      if (!live) return object === undefined;
      if (object === undefined) return false;
      return isAs ? isAs(object) : isAsExpected(expected(object), live);
    };
  }

  #renderObjects({ tenant, fleet }: Declaration): readonly KubeObject[] {
    return fleet
      .desired(toDeclaration(tenant))
      .namespaces.filter(({ cluster }) => cluster === this.#cluster)
      .flatMap(({ objects }) => objects);
  }
}
