import type { KubeObject } from '../../../kube/object.ts';
import { layout } from '../../layout.ts';
import { customizations } from '../customizations/customizations.ts';
import { settingsObject } from '../customizations/settings.ts';
import { serverOf } from '../../tenant/cluster-server.ts';
import type { Platform } from '../../tenant/declaration.ts';
import { PARTS } from '../../parts.ts';
import {
  clusterApplication,
  partApplication,
  parts,
  projectsApplication,
  repositoryApplications,
  rootApplication,
  tenantApplications,
} from './applications.ts';
import { platformProject, rootProject } from './projects.ts';

/**
 * What Argo CD is told of the output, by the file in which it lies; nothing where the platform does not say where
 * the output is (`argocd.source`).
 */
export function argocdFiles(platform: Platform): ReadonlyMap<string, readonly KubeObject[]> {
  const { argocdSource: source, clusters } = platform;
  if (!source) return new Map();
  const files = new Map<string, readonly KubeObject[]>();
  files.set(layout.argocd.rootFile, [
    rootProject(platform, source),
    rootApplication(platform, source),
  ]);
  const known = {
    customizations: customizations(platform),
    impersonation: platform.argocdImpersonation === 'Enabled',
  };
  files.set(layout.argocd.settings, [settingsObject(platform.argocdNamespace, known)]);
  // Without it no tenant has a repository.
  if (platform.argocdImpersonation !== undefined) {
    files.set(layout.argocd.repositories, [repositoryApplications(platform, source)]);
  }
  for (const { targetRevision = source.targetRevision, ...entry } of clusters) {
    const server = serverOf(entry);
    // Told by the rules of the platform.
    if (server === undefined) continue;
    const cluster = { name: entry.name, server };
    const synced = { ...source, ...(targetRevision !== undefined && { targetRevision }) };
    const file = (name: string) => layout.argocd.clusterFile(entry.name, name);
    files.set(layout.argocd.clusterInRoot(entry.name), [
      clusterApplication(platform, source, cluster),
    ]);
    files.set(file('projects'), [
      platformProject(platform, source, cluster),
      projectsApplication(platform, synced, cluster),
    ]);
    for (const part of parts) {
      files.set(file(part), [partApplication(part, platform, synced, cluster)]);
    }
    files.set(
      file('tenants'),
      PARTS.map((part) => tenantApplications(part, platform, synced, cluster)),
    );
  }
  return files;
}
