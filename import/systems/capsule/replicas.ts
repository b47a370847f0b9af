import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { SystemObject } from '../system-object.ts';
import type { DerivedObjects, SourceIndex } from './derived-objects.ts';
import type { ReplicatedResource } from './other-schemas.ts';
import { fillValue } from './placeholders.ts';

/** The number of objects that replications make at most: as many as the largest source that Tenantry is measured with. */
const MAX_REPLICAS = 100_000;

/** Where an object of a replication goes, with the values of placeholders. */
export interface ReplicationTarget {
  /** Absent if the object names its namespace itself. */
  readonly namespace?: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Adds the objects that TenantResources and GlobalTenantResources make. */
export class Replications {
  readonly index: SourceIndex;
  readonly #derived: DerivedObjects;
  #count = 0;

  constructor(index: SourceIndex, derived: DerivedObjects) {
    this.index = index;
    this.#derived = derived;
  }

  /** Adds objects, unless they are too many. */
  add(objects: readonly (readonly [string, KubeObject])[], origin: SystemObject): boolean {
    if (this.#count + objects.length > MAX_REPLICAS) return false;
    this.#count += objects.length;
    for (const [namespace, object] of objects) this.#derived.add(namespace, object, origin);
    return true;
  }
}

export const TOO_MANY = `all replications together make more than ${MAX_REPLICAS} objects: use a preset in \`presets.resources\` of the class`;

/** Returns why objects of a kind cannot be declared. */
export function findKindFault(apiVersion: string, kind: string): string | undefined {
  const group = groupOf(apiVersion);
  if (group === '' && kind === 'Secret') return 'Secrets stay out of Git';
  return builtinScope(group, kind) === 'Cluster'
    ? 'it is cluster-scoped, and belongs to the platform'
    : undefined;
}

/** Labels that `additionalMetadata` cannot set. */
const reserved: ReadonlySet<string> = new Set([
  'capsule.clastix.io/resources',
  'projectcapsule.dev/created-by',
  'capsule.clastix.io/managed-by',
  'projectcapsule.dev/managed-by',
]);

/** Returns an object with its name, its labels and annotations, and those that the replication adds; without a namespace. */
export function withMetadata(
  object: KubeObject,
  { additionalMetadata = {} }: ReplicatedResource,
  values: ReadonlyMap<string, string>,
): KubeObject {
  const { name, labels, annotations } = object.metadata;
  const fill = (entries: unknown): Record<string, string> =>
    fillValue(entries ?? {}, values) as Record<string, string>;
  const all = Object.entries({ ...labels, ...fill(additionalMetadata.labels) });
  const own = Object.fromEntries(all.filter(([key]) => !reserved.has(key)));
  const notes = { ...annotations, ...fill(additionalMetadata.annotations) };
  delete notes['kubectl.kubernetes.io/last-applied-configuration'];
  const { status: _status, ...content } = object as KubeObject & { readonly status?: unknown };
  return {
    ...content,
    metadata: {
      name,
      ...(Object.keys(own).length > 0 && { labels: own }),
      ...(Object.keys(notes).length > 0 && { annotations: notes }),
    },
  };
}
