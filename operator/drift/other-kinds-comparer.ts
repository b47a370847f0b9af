import { createHash } from 'node:crypto';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import { diffObject, buildMissingDrift, findObjectDrift, type Drift } from './object-drift.ts';
import { nothingRollsOut, type IsRollingOut } from './expected.ts';
import { ReadFailure, type ReadLive } from './reading.ts';

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
    if (objects.comparabilityOf(object) !== 'compared') return { answer: 'not compared' };
    const kept = objects.find(object);
    const of = kept && `${kept.digest} ${digestOf(object)}`;
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

function digestOf(object: KubeObject): string {
  return createHash('sha256').update(JSON.stringify(object)).digest('base64url').slice(0, 22);
}
