import type { ObjectMeta } from '@tenantry/runtime/kinds/kind';

/** The field manager of deployed objects. */
export const MANAGER = 'tenantry-deploy';

/** Marks an object that a deploy created. Objects without the mark existed before and are not deleted. */
export const DEPLOYED = 'tenantry.dev/deployed';

/** Whether Tenantry deployed the object, whatever happened to it since. */
export function isDeployed({ annotations, managedFields = [] }: ObjectMeta): boolean {
  const isOurs = managedFields.some(
    ({ manager, operation }) => manager === MANAGER && operation === 'Apply',
  );
  return isOurs && annotations?.[DEPLOYED] === 'true';
}

/** Marks that other tools leave on objects that they manage. */
const annotations: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/tracking-id': 'Argo CD',
  'meta.helm.sh/release-name': 'Helm',
  'kubectl.kubernetes.io/last-applied-configuration': 'kubectl apply',
  'config.k8s.io/owning-inventory': 'an inventory of kpt or Config Sync',
};
const labels: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/instance': 'Argo CD',
  'kustomize.toolkit.fluxcd.io/name': 'Flux',
  'helm.toolkit.fluxcd.io/name': 'Flux',
  'olm.managed': 'OLM',
  'olm.owner': 'OLM',
};

/** Explains why an object is kept; undefined if it may be deleted. */
export function findKeepReason(metadata: ObjectMeta): string | undefined {
  const { ownerReferences = [], managedFields = [] } = metadata;
  const others = [
    ...Object.entries(annotations).filter(([key]) => metadata.annotations?.[key] !== undefined),
    ...Object.entries(labels).filter(([key]) => metadata.labels?.[key] !== undefined),
  ].map(([, tool]) => tool);
  if (metadata.labels?.['app.kubernetes.io/managed-by'] === 'Helm') others.push('Helm');
  const managers = managedFields.filter(
    ({ manager, operation, subresource }) =>
      operation === 'Apply' && manager !== MANAGER && subresource === undefined,
  );
  others.push(...managers.map(({ manager = 'somebody' }) => manager));
  const [owner] = ownerReferences;
  if (owner) return `${owner.kind} ${owner.name} owns it`;
  if (others.length > 0) return `${[...new Set(others)].join(' and ')} applies it, too`;
  if (isDeployed(metadata)) return undefined;
  const isOurs = managedFields.some(({ manager }) => manager === MANAGER);
  return isOurs ? 'it was there before it was deployed' : 'it was not deployed by tenantry';
}
