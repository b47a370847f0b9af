import type { KubeObject } from '@tenantry/kube/object';
import { layout, PARTS } from '../../layout.ts';
import { buildCustomizations } from '../customizations/customizations.ts';
import { buildSettingsConfigMap } from '../customizations/settings.ts';
import { resolveServer } from '../../argocd-names.ts';
import type { Platform } from '../../declaration.ts';
import {
  buildClusterApplication,
  buildPartApplication,
  platformParts,
  buildProjectsApplication,
  buildRepositoryApplications,
  buildRootApplication,
  buildTenantApplications,
} from './applications.ts';
import { buildPlatformProject, buildRootProject } from './projects.ts';

/**
 * Renders the objects of Argo CD by their file in the output; none if the platform does not set the place of the output
 * (`argocd.source`).
 */
export function renderArgoCDFiles(platform: Platform): ReadonlyMap<string, readonly KubeObject[]> {
  const { argocdSource: source, clusters } = platform;
  if (!source) return new Map();
  const files = new Map<string, readonly KubeObject[]>();
  files.set(layout.argocd.rootFile, [
    buildRootProject(platform, source),
    buildRootApplication(platform, source),
  ]);
  const known = {
    customizations: buildCustomizations(platform),
    impersonation: platform.argocdImpersonation === 'Enabled',
  };
  files.set(layout.argocd.settings, [buildSettingsConfigMap(platform.argocdNamespace, known)]);
  // Without it no tenant has a repository.
  if (platform.argocdImpersonation !== undefined) {
    files.set(layout.argocd.repositories, [buildRepositoryApplications(platform, source)]);
  }
  for (const { targetRevision = source.targetRevision, ...entry } of clusters) {
    const server = resolveServer(entry);
    // The rules of the platform report a missing server.
    if (server === undefined) continue;
    const cluster = { name: entry.name, server };
    const synced = { ...source, ...(targetRevision !== undefined && { targetRevision }) };
    const file = (name: string) => layout.argocd.clusterFile(entry.name, name);
    files.set(layout.argocd.clusterInRoot(entry.name), [
      buildClusterApplication(platform, source, cluster),
    ]);
    files.set(file('projects'), [
      buildPlatformProject(platform, source, cluster),
      buildProjectsApplication(platform, synced, cluster),
    ]);
    for (const part of platformParts) {
      files.set(file(part), [buildPartApplication(part, platform, synced, cluster)]);
    }
    files.set(
      file('tenants'),
      PARTS.map((part) => buildTenantApplications(part, platform, synced, cluster)),
    );
  }
  return files;
}
