import { identityOf, groupOf, type KubeObject } from '@tenantry/kube/object';
import { MAX_LISTED, type TenantStatus } from '../../crds/tenant-status.ts';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import type { PlatformTrust } from './deciding-keys.ts';
import {
  byAge,
  expected,
  isAsExpected,
  nothingRollsOut,
  type Expected,
  type IsRollingOut,
} from './expected.ts';
import { OtherKindsComparer } from './other-kinds-comparer.ts';
import {
  buildMissingDrift,
  findObjectDrift,
  identifyObject,
  buildUndeclaredEntry,
  type Drift,
} from './object-drift.ts';
import { recordUnread, ReadFailure, type ReadLive, type UnreadObject } from './reading.ts';
import { UndeclaredObjects, type UndeclaredObject } from './undeclared-objects.ts';

/** The declared state of a tenant in a cluster. */
export interface DeclaredState {
  readonly tenant: string;
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
  /** Identities of the objects that an app declares; their desired content is not known. @default - none */
  readonly appObjects?: ReadonlySet<string>;
}

/** An object that may drift. */
interface DriftCandidate {
  /** Undefined if nobody declared the object. */
  readonly expected?: Expected;
  /** Undefined if the object does not exist. */
  readonly live?: KeptLive;
  /**
   * Set beyond the number of listed objects: it is counted, and the API server is not queried for its field managers.
   */
  readonly isOnlyCounted?: boolean;
}

/** Declared objects of a kind that are not compared. */
type NotComparedKind = NonNullable<TenantStatus['notCompared']>[number];

/** The drift of a tenant. */
export interface TenantDrift {
  readonly drift: readonly Drift[];
  readonly undeclared: readonly UndeclaredObject[];
  /** Declared objects that are not compared, by kind. */
  readonly notCompared: readonly NotComparedKind[];
  /** The number of objects that still match an earlier declaration while a rollout is in progress. */
  readonly following: number;
  /** Objects that could not be read. They are reported as drift without their fields. */
  readonly unread: readonly UnreadObject[];
}

/**
 * Compares tenants with their objects in the cluster, from memory. Queries the API server only for objects that differ,
 * once for each state, to find the fields and their managers.
 */
export class Comparer {
  readonly #others = new OtherKindsComparer();
  readonly #undeclaredObjects: UndeclaredObjects;
  readonly #known = new WeakMap<
    KeptLive,
    { readonly to: string; readonly drift: readonly Drift[] }
  >();

  /** @param platform its trusted labels are reported when undeclared */
  constructor(platform: PlatformTrust) {
    this.#undeclaredObjects = new UndeclaredObjects(platform);
  }

  async compare(
    declared: DeclaredState,
    objects: TenantObjects,
    readLive: ReadLive,
    isFollowing: IsRollingOut = nothingRollsOut,
  ): Promise<TenantDrift> {
    const unread: UnreadObject[] = [];
    const read = recordUnread(readLive, unread);
    const all = declared.objects.map(expected);
    const compared = all.filter(({ digest }) => digest !== undefined);
    const rest = all.filter(({ digest }) => digest === undefined).map(({ object }) => object);
    const { tenant } = declared;
    const others = await this.#others.compare(rest, { tenant, objects, read, isFollowing });
    const known = new Set([...all.map(({ key }) => key), ...(declared.appObjects ?? [])]);
    const suspects = findDriftCandidates(compared, known, declared, objects);
    const settled = suspects.filter(
      ({ expected: wanted, live }) =>
        !isFollowing({
          key: wanted?.key ?? identityOf(live as KubeObject),
          ...(live && { live }),
        }),
    );
    const drift = await Promise.all(settled.map((one) => this.#driftOf(one, read)));
    const undeclaredObjects = await this.#undeclaredObjects.find(declared, objects, read);
    return {
      drift: [...drift.flat(), ...others.drift],
      undeclared: undeclaredObjects,
      notCompared: byKind(others.notCompared, objects),
      following: suspects.length - settled.length + others.following,
      unread,
    };
  }

  /** Drops all results of a deleted tenant. */
  forget(tenant: string): void {
    this.#others.forget(tenant);
  }

  async #driftOf(suspect: DriftCandidate, read: ReadLive): Promise<readonly Drift[]> {
    const { expected: wanted, live, isOnlyCounted } = suspect;
    if (!live) return wanted ? [buildMissingDrift(wanted.object)] : [];
    if (isOnlyCounted) return [{ type: 'Extra', ...identifyObject(live as KubeObject) }];
    const to = wanted ? JSON.stringify(wanted.object) : '';
    const drift = await this.#once(live, to, async () => {
      const now = await read(live as KubeObject);
      if (!now) return wanted ? [buildMissingDrift(wanted.object)] : [];
      if (now instanceof ReadFailure) return undefined;
      return wanted
        ? findObjectDrift(wanted.object, now)
        : [{ type: 'Extra', ...buildUndeclaredEntry(now) }];
    });
    if (drift) return drift;
    return [
      wanted
        ? buildUnreadDrift(wanted.object)
        : { type: 'Extra', ...identifyObject(live as KubeObject) },
    ];
  }

  /**
   * Runs `find` once for each state of an object: the cache holds a new object after each change. A failed search is
   * repeated.
   */
  async #once(
    live: KeptLive,
    to: string,
    find: () => Promise<readonly Drift[] | undefined>,
  ): Promise<readonly Drift[] | undefined> {
    const known = this.#known.get(live);
    if (known?.to === to) return known.drift;
    const drift = await find();
    if (drift) this.#known.set(live, { to, drift });
    return drift;
  }
}

/** Builds the drift entry of a declared object that differs and could not be read. */
function buildUnreadDrift(object: KubeObject): Drift {
  return { type: 'Changed', ...identifyObject(object) };
}

function byKind(
  notCompared: readonly KubeObject[],
  objects: TenantObjects,
): readonly NotComparedKind[] {
  const groups = Map.groupBy(
    notCompared,
    ({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`,
  );
  return [...groups.values()].map((all) => {
    const [first] = all as [KubeObject];
    const { kind, group } = identifyObject(first);
    const comparability = objects.comparabilityOf(first);
    // The object may be listed, but not read.
    const reason = comparability === 'compared' ? 'NotRead' : comparability;
    return { ...(group !== undefined && { group }), kind, objects: all.length, reason };
  });
}

function findDriftCandidates(
  compared: readonly Expected[],
  declared: ReadonlySet<string>,
  { tenant, namespaces }: DeclaredState,
  objects: TenantObjects,
): readonly DriftCandidate[] {
  const extra = objects
    .labelled(tenant, namespaces)
    .filter((live) => !declared.has(identityOf(live as KubeObject)))
    .toSorted(byAge)
    .map((live, index): DriftCandidate => ({ live, isOnlyCounted: index >= MAX_LISTED }));
  return [...findDiffering(compared, objects), ...extra];
}

/** Returns the declared objects that are missing or differ, with their live objects. */
export function findDiffering(
  all: readonly Expected[],
  objects: TenantObjects,
): readonly { readonly expected: Expected; readonly live?: KeptLive }[] {
  return all
    .filter(({ digest }) => digest !== undefined)
    .flatMap((wanted) => {
      const live = objects.find(wanted.object);
      if (!live) return [{ expected: wanted }];
      return isAsExpected(wanted, live) ? [] : [{ expected: wanted, live }];
    });
}

/** Returns the key by which the next status recognizes a drift entry. */
export function computeDriftKey(one: Omit<Drift, 'type'> & { readonly type?: string }): string {
  const { kind, group, namespace, name } = one;
  return JSON.stringify([one.type, group, kind, namespace, name, one.field]);
}
