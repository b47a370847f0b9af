import { MAX_LISTED, type UndeclaredEntry } from '../../crds/tenant-status.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import { isAddedBinding } from '../stored/controller-writes.ts';
import {
  type PlatformTrust,
  findUndeclaredMetadata,
  type UndeclaredMetadata,
} from './undeclared-metadata.ts';
import { assessEffect, givesAccess } from './undeclared-effect.ts';
import { byAge } from './expected.ts';
import {
  fieldText,
  identifyObject,
  buildUndeclaredEntry,
  buildUndeclaredKeyEntry,
  formatObjectName,
  ReadFailure,
  type ReadLive,
} from './object-drift.ts';

/** An undeclared object, or an undeclared part of an object's metadata. */
export type UndeclaredObject = Omit<UndeclaredEntry, 'since'>;

/** The declared state of a tenant in a cluster. */
interface DeclaredState {
  readonly tenant: string;
  readonly namespaces: readonly string[];
  readonly objects: readonly KubeObject[];
}

/** A Namespace as declared. */
interface Space {
  readonly object: KubeObject;
  readonly text: string;
}

/** An undeclared object, and whether it grants access that the tenant's users may not grant. */
interface UndeclaredCandidate {
  readonly live: KeptLive;
  readonly space: Space | undefined;
  readonly givesAccess: boolean;
}

/** The result of checking one state of an object. */
interface KnownAccess {
  /** The declared metadata of its namespace. */
  readonly of: string;
  /** Whether the content of the object was known. */
  readonly isContentKnown: boolean;
  readonly givesAccess: boolean;
}

/** The undeclared metadata parts that are listed even if undeclared objects could fill the whole list. */
const MARKS_FIRST = MAX_LISTED / 2;

/** Objects that a cloud provider creates in every namespace, by kind and name. */
const cloudObjects: ReadonlySet<string> = new Set([
  // https://cloud.google.com/kubernetes-engine/quotas#resource_quotas
  'ResourceQuota gke-resource-quotas',
]);

/**
 * Finds undeclared objects in tenants' namespaces that grant access, open the network or limit resources, and
 * undeclared metadata that decides something. Works from memory. For as many as a status lists it queries the API
 * server for the field managers, once for each state of an object.
 */
export class UndeclaredObjects {
  readonly #platform: PlatformTrust;
  readonly #objects = new WeakMap<KeptLive, UndeclaredObject>();
  readonly #marks = new WeakMap<KeptLive, ReadonlyMap<string, UndeclaredObject>>();
  readonly #access = new WeakMap<KeptLive, KnownAccess>();

  constructor(platform: PlatformTrust) {
    this.#platform = platform;
  }

  /**
   * Returns undeclared objects, those that grant access first. Neither objects nor metadata displace all of the others
   * from the listed ones.
   */
  async find(
    declared: DeclaredState,
    objects: TenantObjects,
    read: ReadLive,
  ): Promise<readonly UndeclaredObject[]> {
    const [marks, undeclaredObjects] = await Promise.all([
      this.#marksIn(declared, objects, read),
      this.#objectsIn(declared, objects, read),
    ]);
    const all = [...marks.slice(0, MARKS_FIRST), ...undeclaredObjects, ...marks.slice(MARKS_FIRST)];
    const rank = (one: UndeclaredObject): number => (one.givesAccess ? 0 : 1);
    const listed = all.slice(0, MAX_LISTED).toSorted((a, b) => rank(a) - rank(b));
    return [...listed, ...all.slice(MAX_LISTED)];
  }

  async #objectsIn(
    declared: DeclaredState,
    objects: TenantObjects,
    read: ReadLive,
  ): Promise<readonly UndeclaredObject[]> {
    const found = await Promise.all(
      this.#foreignIn(declared, objects).map(async ({ live, space, givesAccess }, index) => {
        const content = expandBrief(live);
        const plain = {
          ...identifyObject(live as KubeObject),
          ...(content && assessEffect(content)),
        };
        if (index >= MAX_LISTED) return [withAccess(plain, givesAccess)];
        const known = this.#objects.get(live);
        if (known) return [withAccess(known, givesAccess)];
        const now = await read(live as KubeObject);
        if (!now) return [];
        if (now instanceof ReadFailure) return [withAccess(plain, givesAccess)];
        const undeclaredObject = {
          ...buildUndeclaredEntry(now),
          ...assessEffect(now as KubeObject),
        };
        this.#objects.set(live, undeclaredObject);
        const gives = content ? givesAccess : this.#givesAccess(live, now as KubeObject, space);
        return [withAccess(undeclaredObject, gives)];
      }),
    );
    return found.flat();
  }

  #foreignIn(
    { tenant, namespaces, objects: wanted }: DeclaredState,
    objects: TenantObjects,
  ): UndeclaredCandidate[] {
    const keys = new Set(wanted.map(identityOf));
    const spaces = new Map(
      wanted.flatMap((one) =>
        one.kind === 'Namespace'
          ? [[one.metadata.name, { object: one, text: JSON.stringify(one.metadata) }]]
          : [],
      ),
    );
    return namespaces
      .flatMap((namespace) => objects.listAccessAndLimits(namespace))
      .filter(({ metadata }) => metadata.labels?.[TENANT_LABEL] !== tenant)
      .filter((live) => !keys.has(identityOf(live as KubeObject)))
      .filter(({ kind, metadata: { name } }) => !cloudObjects.has(`${kind} ${name}`))
      .filter((live) => !isOfPlatform(expandBrief(live)))
      .toSorted(byAge)
      .map((live) => {
        const space = spaces.get(live.metadata.namespace ?? '');
        return { live, space, givesAccess: this.#givesAccess(live, expandBrief(live), space) };
      })
      .toSorted((a, b) => Number(b.givesAccess) - Number(a.givesAccess));
  }

  /**
   * Checks each state of an object once for each declared metadata of its namespace.
   * @param content undefined: it is not known, unless it was read before
   */
  #givesAccess(live: KeptLive, content: KubeObject | undefined, space: Space | undefined): boolean {
    const of = space?.text ?? '';
    const known = this.#access.get(live);
    if (known?.of === of && (known.isContentKnown || !content)) return known.givesAccess;
    const gives = givesAccess(live.kind ?? '', content, space?.object);
    this.#access.set(live, { of, isContentKnown: content !== undefined, givesAccess: gives });
    return gives;
  }

  async #marksIn(
    declared: DeclaredState,
    objects: TenantObjects,
    read: ReadLive,
  ): Promise<readonly UndeclaredObject[]> {
    const all = findUndeclaredMetadata(declared, objects, this.#platform);
    const marks = all.toSorted((a, b) => Number(!a.givesAccess) - Number(!b.givesAccess));
    const found: UndeclaredObject[] = [];
    for (const [index, mark] of marks.entries()) {
      const entries =
        index < MAX_LISTED ? await this.#describeMarks(mark.holder, marks, read) : undefined;
      const { live: _, ...plain } = buildMetadataEntry(mark.holder, mark);
      const undeclaredObject = entries ? entries.get(fieldText(mark.path)) : plain;
      if (undeclaredObject) found.push(undeclaredObject);
    }
    return found;
  }

  /** Returns the entries for the undeclared metadata of an object, by field. */
  async #describeMarks(
    holder: KeptLive,
    marks: readonly UndeclaredMetadata[],
    read: ReadLive,
  ): Promise<ReadonlyMap<string, UndeclaredObject>> {
    const own = marks.filter((one) => one.holder === holder);
    const known = this.#marks.get(holder);
    if (known && own.every(({ path }) => known.has(fieldText(path)))) return known;
    const now = await read(holder as KubeObject);
    const isUnread = now instanceof ReadFailure;
    const entries = new Map(
      now === undefined
        ? []
        : own.map((mark) => [
            fieldText(mark.path),
            buildMetadataEntry(isUnread ? holder : now, mark),
          ]),
    );
    if (!isUnread) this.#marks.set(holder, entries);
    return entries;
  }
}

function buildMetadataEntry(
  live: Live,
  { path, value, givesAccess: gives, effect }: UndeclaredMetadata,
): UndeclaredObject {
  return {
    ...buildUndeclaredKeyEntry(live, path, value),
    ...(gives && { givesAccess: true }),
    ...(effect !== undefined && { effect }),
  };
}

function withAccess(undeclaredObject: UndeclaredObject, gives: boolean): UndeclaredObject {
  return gives ? { ...undeclaredObject, givesAccess: true } : undeclaredObject;
}

/** Whether a controller of the platform creates the object in each namespace. */
function isOfPlatform(content: KubeObject | undefined): boolean {
  return content?.kind === 'RoleBinding' && isAddedBinding(content);
}

/** Returns the object with its kept content. */
function expandBrief({ brief, ...live }: KeptLive): KubeObject | undefined {
  return brief && ({ ...live, ...brief } as KubeObject);
}

/** The most subjects that a sentence names. */
const MAX_NAMED = 3;

/**
 * Describes an undeclared object or key: `RoleBinding pay-prod/root gives ClusterRole cluster-admin to User eve`,
 * `NetworkPolicy pay-prod/open (ingress from everywhere; for all pods)`, `Namespace pay-prod
 * metadata.labels.istio-injection: "enabled"`.
 */
export function describeUndeclared(one: Omit<UndeclaredObject, 'since'>): string {
  const { field, live, role, effect } = one;
  const name = formatObjectName(one);
  if (field !== undefined) {
    const value = live === undefined ? '' : `: ${live}`;
    return `${name} ${field}${value}`;
  }
  if (role !== undefined) return `${name} gives ${role} to ${formatSubjects(one)}`;
  return effect === undefined ? name : `${name} (${effect})`;
}

function formatSubjects({ subjects = [], moreSubjects = 0 }: UndeclaredObject): string {
  if (subjects.length === 0) return 'nobody';
  const named = subjects.slice(0, MAX_NAMED).join(', ');
  const more = subjects.length - MAX_NAMED + moreSubjects;
  return more > 0 ? `${named} and ${more} more` : named;
}
