import { createHash } from 'node:crypto';
import type { ComparedResource } from '../../constructs/tenant/compared-kinds.ts';
import { TENANT_LABEL } from '../../kube/cascade-root.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import { metadataOf, type MetadataOf } from '../../runtime/controller/metadata-of.ts';
import type { Kind, Live } from '../../runtime/kinds/kind.ts';
import type { Kept } from './kinds.ts';

/** A kind that tenants have among their `resources`, of whose objects it is kept which state they are in. */
export type OtherKind = MetadataOf<Kind> & {
  readonly project: (object: Live) => Live;
};

/** Objects of such kinds that are Tenantry's: others are neither sent nor kept. */
export const declaredObjects = { labelSelector: TENANT_LABEL } as const;

/** What is kept of one of them. */
export interface KeptOther extends Kept {
  /** Which state it is: another one where its spec, labels or annotations are, not where its status is. */
  readonly digest: string;
  /** It was made for another object, whose labels it may have got with it. */
  readonly isOwned?: true;
}

export function otherKind(compared: ComparedResource): OtherKind {
  return { ...metadataOf({ ...compared, scope: 'Namespaced' }), project: slim };
}

/** The kind of an object that is declared, or kept, in the version that it has. */
export function inVersionOf(
  { group, kind, plural, scope }: OtherKind,
  { apiVersion }: KubeObject,
): Kind {
  return { group, version: apiVersion.split('/').at(-1)!, kind, plural, scope };
}

/** The one of them that an object is of. */
export function otherKindOf(
  { apiVersion, kind }: KubeObject,
  kinds: readonly OtherKind[],
): OtherKind | undefined {
  const group = groupOf(apiVersion);
  return kinds.find((one) => one.kind === kind && one.group === group);
}

/** Annotations may be large, as those of kubectl are. */
function slim({ apiVersion, kind, metadata }: Live): Live & KeptOther {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadata;
  const tenant = metadata.labels?.[TENANT_LABEL];
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(tenant !== undefined && { labels: { [TENANT_LABEL]: tenant } }),
    },
    digest: stateOf(metadata),
    ...(metadata.ownerReferences?.length && { isOwned: true as const }),
  };
}

/** Of kinds without a generation each write is another state. */
function stateOf({
  uid,
  generation,
  resourceVersion,
  labels,
  annotations,
}: Live['metadata']): string {
  const state = JSON.stringify([uid, generation ?? resourceVersion, labels, annotations]);
  return createHash('sha256').update(state).digest('base64url').slice(0, 22);
}
