import type { KubeObject } from '../../../kube/object.ts';
import type { Platform } from '../declaration.ts';
import { scaledObjects, withoutReplicas } from '../competing-writers.ts';
import type { ExtraResource } from '../layers/merged.ts';
import { listsAsStored } from '../lists-as-stored.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import type { Metadata } from './metadata.ts';

/** The PodDisruptionBudgets. */
export function disruptionBudgetObjects(
  { settings }: ResolvedNamespace,
  metadata: Metadata,
): KubeObject[] {
  return settings.disruptionBudgets.map(({ name, ...spec }) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(name),
    spec,
  }));
}

/** The ServiceAccounts; each gets the tenant's pull secrets besides its own. */
export function serviceAccountObjects(
  { settings }: ResolvedNamespace,
  metadata: Metadata,
): KubeObject[] {
  return settings.serviceAccounts.map(
    ({ name, labels, annotations, imagePullSecrets, ...rest }) => {
      const secrets = [...new Set([...settings.imagePullSecrets, ...(imagePullSecrets ?? [])])];
      return {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: metadata(name, {
          ...(labels && { labels }),
          ...(annotations && { annotations }),
        }),
        ...rest,
        ...(secrets.length > 0 && {
          imagePullSecrets: secrets.map((secret) => ({ name: secret })),
        }),
      };
    },
  );
}

/**
 * The further objects. One that names a namespace of the tenant goes there only; one that names
 * none goes into every namespace that the layer saying it is for. What an autoscaler changes is left out.
 */
export function extraObjects(
  { name: namespace, settings }: ResolvedNamespace,
  metadata: Metadata,
  platform: Platform,
): KubeObject[] {
  const manifests = settings.resources
    .filter((resource) => isIn(namespace, resource))
    .map(({ manifest }) => manifest);
  const scaled = scaledObjects(manifests);
  return manifests.map((manifest) => ({
    ...listsAsStored(scaled.has(manifest) ? withoutReplicas(manifest) : manifest, platform),
    metadata: metadata(manifest.metadata.name, manifest.metadata),
  }));
}

/** Whether a further object goes into a namespace. */
export function isIn(namespace: string, { manifest }: Pick<ExtraResource, 'manifest'>): boolean {
  return (manifest.metadata.namespace ?? namespace) === namespace;
}
