import type { Fleet } from '../../constructs/tenant/fleet.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import { expected, isAsExpected } from '../drift/expected.ts';
import type { IsFollowing } from '../drift/tenantdrift.ts';
import { declarationOf } from '../fleet/claimants.ts';

type LiveTenant = Live<typeof Tenant>;

/** What a tenant was declared to be, and by which classes. */
interface Seen {
  readonly tenant: LiveTenant;
  readonly fleet: Fleet;
  /** What it was before, while the cluster may still follow. */
  readonly before?: Seen;
  /** On the clock: when it became this. */
  readonly at: number;
  /** What the cluster may follow from, where that is not known. */
  readonly from?: 'nothing' | 'anything';
}

/** How a rollout stands. */
export interface Rollout {
  readonly isFollowing: IsFollowing;
  /** Milliseconds after which what differs counts as drift. Undefined: it does. */
  readonly left: number | undefined;
}

/**
 * Tells what has not followed a changed declaration yet from what somebody changed: for a while after a change,
 * an object that is as it was declared before is on its way. Whatever differs otherwise is drift at once.
 */
export class Rollouts {
  readonly #deadline: number;
  readonly #cluster: string;
  readonly #seen = new Map<string, Seen>();

  /** @param deadline milliseconds within which the cluster follows */
  constructor(cluster: string, deadline: number) {
    this.#cluster = cluster;
    this.#deadline = deadline;
  }

  /** Notes what a tenant is declared to be now. */
  of(tenant: LiveTenant, fleet: Fleet, now: number): Rollout {
    const seen = this.#note(tenant, fleet, now);
    const left = seen.at + this.#deadline - now;
    const isOn = left > 0 && (seen.from !== undefined || seen.before !== undefined);
    if (!isOn) {
      this.settle(tenant.metadata.name);
      return { isFollowing: () => false, left: undefined };
    }
    if (seen.from === 'anything') return { isFollowing: () => true, left };
    if (seen.from === 'nothing') return { isFollowing: ({ live }) => live === undefined, left };
    return { isFollowing: this.#asBefore(seen.before), left };
  }

  /** The cluster has followed: from now on all that differs is drift. */
  settle(name: string): void {
    const seen = this.#seen.get(name);
    if (seen) this.#seen.set(name, settledOf(seen));
  }

  /** Forgets a tenant that is gone. */
  forget(name: string): void {
    this.#seen.delete(name);
  }

  #note(tenant: LiveTenant, fleet: Fleet, now: number): Seen {
    const { name, uid, generation } = tenant.metadata;
    const seen = this.#seen.get(name);
    if (seen?.tenant.metadata.uid === uid && seen.fleet === fleet) {
      if (seen.tenant.metadata.generation === generation) return seen;
    }
    const begun = { tenant, fleet, at: now };
    const next: Seen =
      seen?.tenant.metadata.uid === uid
        ? { ...begun, before: settledOf(seen) }
        : { ...begun, ...unknownFrom(tenant) };
    this.#seen.set(name, next);
    return next;
  }

  /** What is declared before is asked once, when something differs. */
  #asBefore(before: Seen | undefined): IsFollowing {
    let objects: ReadonlyMap<string, KubeObject> | undefined;
    return ({ key, live }) => {
      if (!before) return false;
      objects ??= new Map(
        before.fleet
          .desired(declarationOf(before.tenant))
          .namespaces.filter(({ cluster }) => cluster === this.#cluster)
          .flatMap(({ objects: own }) => own)
          .map((object) => [expected(object).key, object]),
      );
      const object = objects.get(key);
      if (!live) return object === undefined;
      return object !== undefined && isAsExpected(expected(object), live);
    };
  }
}

/** A tenant of which nothing was seen before: it is new, or was changed while nobody looked. */
function unknownFrom({ metadata, status }: LiveTenant): Pick<Seen, 'from'> {
  if (status?.observedGeneration === undefined) return { from: 'nothing' };
  return status.observedGeneration === metadata.generation ? {} : { from: 'anything' };
}

/** Without what was before it: one change back is enough. */
function settledOf({ tenant, fleet, at }: Seen): Seen {
  return { tenant, fleet, at };
}
