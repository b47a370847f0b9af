import type { ObjectMeta } from '@tenantry/kube/api/object-meta';
import type { KubeObject } from '@tenantry/kube/object';

/** Why a controller or the cluster makes an object. */
export interface MadeReason {
  /** With the owner: `a controller made it for ReplicaSet web-1`. */
  readonly reason: string;
  /** The same without names, so that objects can be counted by it: `a controller made it for a ReplicaSet`. */
  readonly summary: string;
}

/** The reason for objects that the cluster itself makes. */
const byCluster: MadeReason = {
  reason: 'the cluster makes it',
  summary: 'the cluster makes it',
};

/** ConfigMaps that controllers make in every namespace. */
const madeConfigMaps: ReadonlySet<string> = new Set([
  'kube-root-ca.crt',
  'openshift-service-ca.crt',
]);

/** Kinds whose objects only controllers write. */
const derivedKinds: ReadonlySet<string> = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'Lease',
  'ControllerRevision',
  'PodMetrics',
]);

/** Whether only controllers write the objects of a kind. */
export function isDerivedKind(kind: string): boolean {
  return derivedKinds.has(kind);
}

/** Returns why nobody declares an object: a controller makes it. Undefined for all other objects. */
export function findMadeReason(object: KubeObject): MadeReason | undefined {
  const { kind, metadata } = object;
  const isConfig = kind === 'ConfigMap' && madeConfigMaps.has(metadata.name);
  if (isDerivedKind(kind) || isConfig || isDefaultAccount(object)) return byCluster;
  const owner = (metadata as Pick<ObjectMeta, 'ownerReferences'>).ownerReferences?.[0];
  return (
    owner && {
      reason: `a controller made it for ${owner.kind} ${owner.name}`,
      summary: `a controller made it for ${withArticle(owner.kind)}`,
    }
  );
}

/** Programs of Kubernetes itself, as they call themselves when they write. */
const clusterPrograms: ReadonlySet<string> = new Set([
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'cloud-controller-manager',
  // One process with all of the above.
  'k3s',
  'rke2',
  'openshift-controller-manager',
  'cluster-policy-controller',
]);

/** Returns why nobody declares an object that these programs wrote; undefined if any is not part of Kubernetes. */
export function findProgramReason(programs: readonly string[]): MadeReason | undefined {
  const isMade = programs.length > 0 && programs.every((one) => clusterPrograms.has(one));
  return isMade ? byCluster : undefined;
}

/** The account that every namespace gets, unless somebody has set something in it. */
function isDefaultAccount({ apiVersion, kind, metadata, ...content }: KubeObject): boolean {
  const { secrets: _secrets, ...own } = content;
  const isDefault = apiVersion === 'v1' && kind === 'ServiceAccount' && metadata.name === 'default';
  return isDefault && Object.keys(own).length === 0 && !metadata.labels && !metadata.annotations;
}

const withArticle = (kind: string): string => `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
