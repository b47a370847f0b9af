import type { KubeObject } from '@tenantry/kube/object';
import type { Platform } from '../declaration.ts';
import { findScaledObjects, withoutReplicas } from '../competing-writers.ts';
import type { ExtraResource, ResolvedNamespace } from '../layers/resolved.ts';
import { toStoredForm } from '../stored-form.ts';
import type { MetadataFactory } from './metadata.ts';

/** Builds the PodDisruptionBudgets. */
export function buildDisruptionBudgets(
  { settings }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  return settings.disruptionBudgets.map(({ name, ...spec }) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(name),
    spec,
  }));
}

/** Builds the ServiceAccounts; each gets the tenant's pull secrets besides its own. */
export function buildServiceAccounts(
  { settings }: ResolvedNamespace,
  metadata: MetadataFactory,
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
 * Builds the further objects. An object that names a namespace of the tenant is rendered only there. One without a
 * namespace is rendered to every namespace of the layer that declares it. Fields that an autoscaler changes are left
 * out.
 */
export function buildExtraObjects(
  { name: namespace, settings }: ResolvedNamespace,
  metadata: MetadataFactory,
  platform: Platform,
): KubeObject[] {
  const manifests = settings.resources
    .filter((resource) => belongsToNamespace(namespace, resource))
    .map(({ manifest }) => manifest);
  const scaled = findScaledObjects(manifests);
  return manifests.map((manifest) => ({
    ...toStoredForm(scaled.has(manifest) ? withoutReplicas(manifest) : manifest, platform),
    metadata: metadata(manifest.metadata.name, manifest.metadata),
  }));
}

/** Whether a further object belongs to a namespace. */
export function belongsToNamespace(
  namespace: string,
  { manifest }: Pick<ExtraResource, 'manifest'>,
): boolean {
  return (manifest.metadata.namespace ?? namespace) === namespace;
}
