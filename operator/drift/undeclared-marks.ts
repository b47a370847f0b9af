import { matchesName } from '../../model/name-pattern.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import { isDecidingAnnotation, isDecidingLabel, type PlatformTrust } from './deciding-keys.ts';
import type { PathStep } from './difference.ts';

/** An undeclared part of an object's metadata that decides something. */
export interface UndeclaredMetadata {
  readonly holder: KeptLive;
  readonly path: readonly PathStep[];
  /** The value in the cache. */
  readonly value: string;
  /** Set if it grants cloud permissions to a declared object. */
  readonly givesAccess?: true;
  readonly effect?: string;
}

/** The labels and annotations of service accounts that grant their pods cloud permissions, by program. */
const cloudIdentityKeys = {
  /** https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html */
  'Amazon EKS': ['eks.amazonaws.com/role-arn'],
  /** https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity */
  'Google GKE': ['iam.gke.io/gcp-service-account'],
  /** https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html */
  'Azure AKS': ['azure.workload.identity/*'],
} as const;

const identityKeys: readonly string[] = Object.values(cloudIdentityKeys).flat();

const fields = ['labels', 'annotations'] as const;
type Field = (typeof fields)[number];

/** Finds undeclared metadata of a tenant's objects, from memory. */
export function findUndeclaredMetadata(
  declared: { readonly namespaces: readonly string[]; readonly objects: readonly KubeObject[] },
  objects: TenantObjects,
  platform: PlatformTrust,
): readonly UndeclaredMetadata[] {
  const wanted = new Map(declared.objects.map((one) => [identityOf(one), one]));
  const found = declared.objects.flatMap((one) => {
    const live = objects.find(one);
    return live && 'digest' in live ? [{ declared: one, live }] : [];
  });
  const namespaces = found.filter(({ live }) => live.kind === 'Namespace');
  const accounts = declared.namespaces
    .flatMap((namespace) => objects.serviceAccounts(namespace))
    .map((live) => ({ live, declared: wanted.get(identityOf(live as KubeObject)) }));
  return [
    ...found.flatMap(({ live }) => ownersOf(live)),
    ...accounts.flatMap(({ live, declared }) => identitiesOf(live, declared)),
    ...namespaces.flatMap(({ live, declared }) => keysOf(live, declared, platform)),
  ];
}

/** Returns undeclared owners of a declared object: the garbage collector would delete it with the last of them. */
function ownersOf(holder: KeptLive): readonly UndeclaredMetadata[] {
  return (holder.metadata.ownerReferences ?? []).map(({ kind, name, uid }) => ({
    holder,
    path: ['metadata', 'ownerReferences', { by: { uid } }],
    value: `${kind} ${name}`,
    effect: `deleted with ${kind} ${name}`,
  }));
}

/** Returns undeclared cloud identities of a declared account, whose pods the platform controls. */
function identitiesOf(
  holder: KeptLive,
  declared: KubeObject | undefined,
): readonly UndeclaredMetadata[] {
  return fields.flatMap((field) =>
    addedTo(holder, declared, field)
      .filter(([key]) => matchesName(identityKeys, key))
      .map(([key, value]): UndeclaredMetadata =>
        omitUndefined({
          holder,
          path: ['metadata', field, key],
          value,
          givesAccess: declared ? true : undefined,
        }),
      ),
  );
}

/** Returns the undeclared keys of a Namespace by which programs decide how to treat it. */
function keysOf(
  holder: KeptLive,
  declared: KubeObject,
  platform: PlatformTrust,
): readonly UndeclaredMetadata[] {
  const decides = {
    labels: (key: string, value: string) => isDecidingLabel(platform, key, value),
    annotations: (key: string) => isDecidingAnnotation(key),
  };
  return fields.flatMap((field) =>
    addedTo(holder, declared, field)
      .filter(([key, value]) => decides[field](key, value))
      .map(([key, value]): UndeclaredMetadata => ({
        holder,
        path: ['metadata', field, key],
        value,
      })),
  );
}

function addedTo(
  holder: KeptLive,
  declared: KubeObject | undefined,
  field: Field,
): readonly (readonly [key: string, value: string])[] {
  return Object.entries(holder.metadata[field] ?? {})
    .filter(([key]) => !Object.hasOwn(declared?.metadata[field] ?? {}, key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
