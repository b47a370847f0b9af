import { identityOfNames } from '../../kube/identity.ts';
import type { Fleet } from '../../constructs/tenant/fleet.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import { declaredDigest } from '../drift/declared-digest.ts';
import { expected, isAsExpected } from '../drift/expected.ts';
import { nothingRollsOut, type IsRollingOut } from '../drift/following.ts';
import { declarationOf } from '../fleet/claimants.ts';

type LiveTenant = Live<typeof Tenant>;

/** What a tenant was declared to be, and by which classes. */
interface Declaration {
  readonly tenant: LiveTenant;
  readonly fleet: Fleet;
}

/** What was declared when a status was written, of which only the digest is known. */
interface Digested {
  readonly digest: string;
}

/** What the cluster may still be as: what was declared, nothing yet, or nobody knows. */
interface PreviousDeclaration {
  readonly was: Declaration | Digested | 'nothing' | 'anything';
  /** On the clock: until when. */
  readonly until: number;
}

/** What is declared now. */
interface KnownDeclaration extends Declaration {
  /** The first is what the cluster was last known to be, the last what was declared before this. */
  readonly before: readonly PreviousDeclaration[];
  /** Nothing of it reaches the cluster. */
  readonly isRefused: boolean;
}

/** How a rollout stands. */
export interface Rollout {
  readonly isFollowing: IsRollingOut;
  /** Milliseconds after which more of what differs counts as drift. Undefined: all of it does. */
  readonly left: number | undefined;
}

/**
 * Tells what has not followed a changed declaration yet from what somebody changed: for a while after a change,
 * an object that is as it was declared before is on its way. Whatever differs otherwise is drift at once.
 *
 * Where one change follows another, the cluster may be as before the first one or as before the last one, each
 * for as long as after a change. A declaration that is refused reaches no cluster: what was before it counts,
 * from when it is mended.
 */
export class Rollouts {
  readonly #deadline: number;
  readonly #cluster: string;
  readonly #seen = new Map<string, KnownDeclaration>();

  /** @param deadline milliseconds within which the cluster follows */
  constructor(cluster: string, deadline: number) {
    this.#cluster = cluster;
    this.#deadline = deadline;
  }

  /** Notes what a tenant is declared to be now. */
  track(tenant: LiveTenant, fleet: Fleet, clock: Pick<Clock, 'now' | 'date'>): Rollout {
    const seen = this.#note(tenant, fleet, clock);
    const open = seen.before.filter(({ until }) => until > clock.now());
    if (open.length === 0) return { isFollowing: nothingRollsOut, left: undefined };
    const driftedKeys = new Set(tenant.status?.drift?.map((one) => identityOfNames(one)));
    const each = open.map(({ was }) => this.#follows(was, seen, driftedKeys));
    return {
      isFollowing: (suspect) => each.some((follows) => follows(suspect)),
      left: Math.min(...open.map(({ until }) => until)) - clock.now(),
    };
  }

  /** The cluster has followed: from now on all that differs is drift. */
  markComplete(name: string): void {
    this.#change(name, { before: [], isRefused: false });
  }

  /** Nothing of what is declared reaches the cluster, which stays as it was before. */
  markRefused(name: string): void {
    this.#change(name, { isRefused: true });
  }

  /** Forgets a tenant that is gone. */
  forget(name: string): void {
    this.#seen.delete(name);
  }

  #change(name: string, change: Partial<KnownDeclaration>): void {
    const seen = this.#seen.get(name);
    if (seen) this.#seen.set(name, { ...seen, ...change });
  }

  #note(tenant: LiveTenant, fleet: Fleet, clock: Pick<Clock, 'now' | 'date'>): KnownDeclaration {
    const { name, uid, generation } = tenant.metadata;
    const known = this.#seen.get(name);
    const seen = known?.tenant.metadata.uid === uid ? known : undefined;
    const isSame = seen?.fleet === fleet && seen.tenant.metadata.generation === generation;
    // What was refused may be so no more, as where another tenant goes that had a namespace of it.
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

  /** A tenant of which nothing was seen before: it is new, was changed while nobody looked, or is on its way. */
  #unseen(
    { metadata, status }: LiveTenant,
    clock: Pick<Clock, 'now' | 'date'>,
  ): readonly PreviousDeclaration[] {
    const until = clock.now() + this.#deadline;
    if (status?.observedGeneration === undefined) return [{ was: 'nothing', until }];
    if (!status.counts) return [{ was: 'anything', until }];
    const { declaredDigest: digest } = status;
    const isOther = status.observedGeneration !== metadata.generation;
    // A status that an older operator wrote has no digest.
    if (digest === undefined && isOther) return [{ was: 'anything', until }];
    const changed: readonly PreviousDeclaration[] =
      digest === undefined ? [] : [{ was: { digest }, until }];
    const progressing = conditionOf(status.conditions, 'Progressing');
    if (progressing?.status !== 'True') return changed;
    const since = clock.date().getTime() - Date.parse(progressing.lastTransitionTime);
    return [...changed, { was: 'anything', until: until - Math.max(since, 0) }];
  }

  /** @param driftedKeys the objects of which the status has said that they drift, which a restart does not excuse */
  #follows(
    was: PreviousDeclaration['was'],
    now: Declaration,
    driftedKeys: ReadonlySet<string>,
  ): IsRollingOut {
    if (was === 'nothing') return ({ live }) => live === undefined;
    if (was === 'anything') return ({ key }) => !driftedKeys.has(key);
    if (!('digest' in was)) return this.#asBefore(was);
    // Asked once, when something differs: of a tenant that is well it need not be known.
    let isSame: boolean | undefined;
    return ({ key }) => {
      isSame ??= declaredDigest(this.#objectsOf(now)) === was.digest;
      return !isSame && !driftedKeys.has(key);
    };
  }

  /** What is declared before is asked once, when something differs. */
  #asBefore(declared: Declaration): IsRollingOut {
    let objects: ReadonlyMap<string, KubeObject> | undefined;
    return ({ key, live, isAs }) => {
      objects ??= new Map(
        this.#objectsOf(declared).map((object) => [expected(object).key, object]),
      );
      const object = objects.get(key);
      if (!live) return object === undefined;
      if (object === undefined) return false;
      return isAs ? isAs(object) : isAsExpected(expected(object), live);
    };
  }

  #objectsOf({ tenant, fleet }: Declaration): readonly KubeObject[] {
    return fleet
      .desired(declarationOf(tenant))
      .namespaces.filter(({ cluster }) => cluster === this.#cluster)
      .flatMap(({ objects }) => objects);
  }
}
