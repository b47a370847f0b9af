import { identityOf, groupOf, type KubeObject } from '@tenantry/kube/object';
import { MAX_LISTED, type TenantStatus } from '../../crds/tenant-status.ts';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import type { PlatformTrust } from './undeclared-metadata.ts';
import {
  byAge,
  expected,
  isAsExpected,
  nothingRollsOut,
  type Expected,
  type IsRollingOut,
} from './expected.ts';
import {
  buildMissingDrift,
  findObjectDrift,
  identifyObject,
  buildUndeclaredEntry,
  type Drift,
  diffObject,
  recordUnread,
  ReadFailure,
  type ReadLive,
  type UnreadObject,
} from './object-drift.ts';
import { UndeclaredObjects, type UndeclaredObject } from './undeclared-objects.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { digestObject } from '../stored/content.ts';

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
    const drift = await Promise.all(settled.map((one) => this.#compareCandidate(one, read)));
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

  async #compareCandidate(suspect: DriftCandidate, read: ReadLive): Promise<readonly Drift[]> {
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
    const comparability = objects.assessComparability(first);
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

/** The result of comparing one state of an object. */
interface Verdict {
  /** The declaration and the state that were compared. */
  readonly of: string;
  readonly drift: readonly Drift[];
}

/** The comparison of a tenant's objects of kinds that Tenantry does not render itself. */
interface OtherDrift {
  readonly drift: readonly Drift[];
  readonly notCompared: readonly KubeObject[];
  readonly following: number;
}

interface Surroundings {
  readonly tenant: string;
  readonly objects: TenantObjects;
  readonly read: ReadLive;
  readonly isFollowing: IsRollingOut;
}

type ComparisonResult = 'following' | 'not compared' | readonly Drift[];

/**
 * Compares objects of other kinds among a tenant's `resources`. Memory keeps only the digest of each state. Each state
 * is read once, and its result is reused until the state changes.
 */
export class OtherKindsComparer {
  readonly #known = new Map<string, ReadonlyMap<string, Verdict>>();

  async compare(declared: readonly KubeObject[], around: Surroundings): Promise<OtherDrift> {
    const known = this.#known.get(around.tenant) ?? new Map<string, Verdict>();
    const next = new Map<string, Verdict>();
    const answers = await Promise.all(
      declared.map(async (object) => {
        const key = identityOf(object);
        const { answer, verdict } = await this.#look(object, known.get(key), around);
        if (verdict) next.set(key, verdict);
        return answer;
      }),
    );
    if (next.size > 0) this.#known.set(around.tenant, next);
    else this.#known.delete(around.tenant);
    return {
      drift: answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer)),
      notCompared: declared.filter((_, at) => answers[at] === 'not compared'),
      following: answers.filter((answer) => answer === 'following').length,
    };
  }

  /** Drops all results of a deleted tenant. */
  forget(tenant: string): void {
    this.#known.delete(tenant);
  }

  async #look(
    object: KubeObject,
    known: Verdict | undefined,
    { objects, read, isFollowing }: Surroundings,
  ): Promise<{ readonly answer: ComparisonResult; readonly verdict?: Verdict }> {
    if (objects.assessComparability(object) !== 'compared') return { answer: 'not compared' };
    const kept = objects.find(object);
    const of = kept && `${kept.digest} ${digestObject(object)}`;
    const isKnown = known !== undefined && known.of === of;
    // While the object may still match an earlier declaration, only its current content can decide that.
    if (isKnown && (known.drift.length === 0 || isFollowing === nothingRollsOut)) {
      return { answer: known.drift, verdict: known };
    }
    const now = await read(object);
    if (now instanceof ReadFailure) {
      if (!now.isPassing || !known) return { answer: 'not compared' };
      return { answer: known.drift, verdict: known };
    }
    const key = identityOf(object);
    if (!now) {
      return { answer: isFollowing({ key }) ? 'following' : [buildMissingDrift(object)] };
    }
    const drift = findObjectDrift(object, now);
    if (drift.length > 0) {
      const live: KeptLive = kept ?? { ...now, digest: '' };
      const isAs = (before: KubeObject): boolean => isAsDeclared(before, now);
      if (isFollowing({ key, live, isAs })) return { answer: 'following' };
    }
    // An object without the tenant's label is not cached, so it is read at each comparison.
    return { answer: drift, ...(of !== undefined && { verdict: { of, drift } }) };
  }
}

/** Whether an object matches its declaration. */
function isAsDeclared(declared: KubeObject, live: Live): boolean {
  return diffObject(declared, live as Live & KubeObject).length === 0;
}
