import type { ComparedResource } from '../../model/compared-kinds.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { metadataOf, type MetadataOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import type { Kept } from './kinds.ts';
import { digestObject } from '../stored/content.ts';

/** A kind that tenants have among their `resources`. Of its objects only a digest of the state is kept. */
export type OtherKind = MetadataOf<Kind> & {
  readonly project: (object: Live) => Live;
};

/** Selects Tenantry's objects of such kinds: others are neither sent nor kept. */
export const declaredObjects = { labelSelector: TENANT_LABEL } as const;

/** What is kept of such an object. */
interface KeptOther extends Kept {
  /** The digest of its state, which changes with its spec, labels and annotations, but not with its status. */
  readonly digest: string;
  /** Set if it was created for another object, from which it may have copied its labels. */
  readonly isOwned?: true;
}

export function otherKind(compared: ComparedResource): OtherKind {
  return { ...metadataOf({ ...compared, scope: 'Namespaced' }), project: slim };
}

/** Returns the kind of a declared or kept object, in the version of the object. */
export function toDeclaredVersion(
  { group, kind, plural, scope }: OtherKind,
  { apiVersion }: KubeObject,
): Kind {
  return { group, version: apiVersion.split('/').at(-1)!, kind, plural, scope };
}

/** Returns the kind of an object, if it is one of these kinds. */
export function findOtherKind(
  { apiVersion, kind }: KubeObject,
  kinds: readonly OtherKind[],
): OtherKind | undefined {
  const group = groupOf(apiVersion);
  return kinds.find((one) => one.kind === kind && one.group === group);
}

/** Drops annotations, which may be large, as kubectl's are. */
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
    digest: digestState(metadata),
    ...(metadata.ownerReferences?.length && { isOwned: true as const }),
  };
}

/** For kinds without a generation, each write is another state. */
function digestState({
  uid,
  generation,
  resourceVersion,
  labels,
  annotations,
}: Live['metadata']): string {
  return digestObject([uid, generation ?? resourceVersion, labels, annotations]);
}
