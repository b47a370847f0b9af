import { fillListDefaults } from '@tenantry/crd/admit-object';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { normalizeBuiltinObject } from '@tenantry/kube/builtin-stored';
import type { Finding } from '@tenantry/kube/finding';
import { warningAt } from './findings/tenant-finding.ts';
import { formatList } from '@tenantry/kube/problem';
import type { Platform } from './declaration.ts';

/**
 * Returns an object with its lists as they will be stored, if the platform has the definition of its kind. Kubernetes'
 * own kinds are normalized by `normalizeBuiltinObject`. It returns the object itself if nothing changes. Argo CD
 * applies lists as a whole, and treats defaults in them as a difference that no sync removes.
 */
export function toStoredForm(manifest: KubeObject, { definitions }: Platform): KubeObject {
  const { apiVersion, kind } = manifest;
  const definition = definitions.get(`${groupOf(apiVersion)}/${kind}`)?.read();
  if (!definition) return normalizeBuiltinObject(manifest);
  return 'severity' in definition ? manifest : fillListDefaults(definition, manifest);
}

/**
 * Whether Argo CD must ask the API server what a sync of a tenant's `resources` would change. Defaults within lists are
 * rendered for kinds with a known definition; for other kinds only the API server knows them.
 */
export function needsServerSideDiff(platform: Platform): boolean {
  const setting = platform.argocdServerSideDiff;
  return setting === undefined ? listUndefinedKinds(platform).length > 0 : setting === 'Enabled';
}

/** Lists the namespaced kinds for which the platform has no schema. */
function listUndefinedKinds({ kinds, definitions }: Platform): readonly string[] {
  const isDefined = (id: string): boolean => {
    const definition = definitions.get(id)?.read();
    return definition !== undefined && !('severity' in definition);
  };
  return [...kinds]
    .filter(([id, scope]) => scope === 'Namespaced' && !isDefined(id))
    .map(([id]) => id.slice(id.indexOf('/') + 1));
}

/** Explains what unknown schemas mean for a platform that Argo CD syncs, if the setting is not decided. */
export function validateServerSideDiff(platform: Platform): readonly Finding[] {
  const { argocdSource, argocdServerSideDiff } = platform;
  const lacking = listUndefinedKinds(platform);
  if (!argocdSource || argocdServerSideDiff || lacking.length === 0) return [];
  const message = `must be kinds whose definitions are in crdFiles, or argocd.serverSideDiff must be set, got no definition of ${formatList(lacking)}: Argo CD queries the API server before it syncs the resources of a tenant, and one change that is refused holds up all of these`;
  return [warningAt(['spec', 'kinds'], message, 'server-side-diff')];
}
