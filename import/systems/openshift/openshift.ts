import type { SystemSource, TenancySystem } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { translateClusterQuotas } from './cluster-quotas.ts';
import { explainMadeObjects } from './made-objects.ts';
import { OPENSHIFT, openshiftKinds } from './openshift-kinds.ts';
import { readProjects } from './projects.ts';

/** OpenShift: a Project is a Namespace, and a ClusterResourceQuota bounds several of them together. */
export const openshift: TenancySystem = {
  name: OPENSHIFT,
  kinds: openshiftKinds,
  translate(source, translation) {
    if (!isInUse(source)) return;
    const namespaces = readProjects(source, translation);
    translateClusterQuotas(namespaces, source, translation);
    explainMadeObjects(source, translation);
    leaveViews(source, translation);
  },
};

/** Most sources have nothing of OpenShift, and pay nothing for it. */
function isInUse({ objectsOf, namespaces }: SystemSource): boolean {
  return (
    openshiftKinds.some(({ kind }) => objectsOf(kind).length > 0) ||
    namespaces.some(({ object: { metadata } }) =>
      Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith('openshift.io/')),
    )
  );
}

/** Kinds that the API server answers with and does not store. */
function leaveViews(source: SystemSource, translation: Translation): void {
  const quotas = new Set(source.objectsOf('ClusterResourceQuota').map(({ name }) => name));
  for (const { found, name } of source.objectsOf('AppliedClusterResourceQuota')) {
    if (quotas.has(name)) translation.explainMade(found, `it shows ClusterResourceQuota ${name}`);
    else
      translation.leaveOut(found, `the source lacks ClusterResourceQuota ${name}, which it shows`);
  }
  for (const { found } of source.objectsOf('ProjectRequest')) {
    translation.leaveOut(
      found,
      'a request is not stored: import the Project and the objects that its template made',
    );
  }
}
