import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Whether a folder is a project of kubebuilder or operator-sdk: it has a kustomization in `config/`. */
export function isProject(path: string): boolean {
  return isConfig(join(path, 'config'));
}

/** Whether kustomize can build a folder. */
export function isKustomization(path: string): boolean {
  const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
  return names.some((name) => existsSync(join(path, name)));
}

const SDK = 'config/manifests';

/**
 * Returns the folders of a project that kustomize builds for its bundle, relative to the project. It is the given
 * overlay, or else `config/manifests`, which operator-sdk builds, or else `config/default`. The samples and the
 * scorecard configuration are added if `config/manifests`, which includes them, is not built.
 */
export function foldersToBuild(path: string, overlay?: string): readonly string[] {
  const runs = overlay ?? (isKustomization(join(path, SDK)) ? SDK : 'config/default');
  const others = ['config/samples', 'config/scorecard'].filter((folder) =>
    isKustomization(join(path, folder)),
  );
  return [runs, ...(runs.replace(/\/+$/, '') === SDK ? [] : others)];
}

/** Whether a folder is the `config/` of such a project. */
export function isConfig(path: string): boolean {
  const isKustomized = ['default', 'manifests'].some((folder) =>
    isKustomization(join(path, folder)),
  );
  // A bundle may contain any file.
  return isKustomized && !existsSync(join(path, 'metadata', 'annotations.yaml'));
}

/**
 * Describes a folder that is, or belongs to, a project of kubebuilder or operator-sdk, and names the command for it.
 * Returns undefined for a bundle and for any other folder.
 */
export function describeProject(path: string): string | undefined {
  const isBundle = existsSync(join(path, 'manifests')) && !isConfig(path);
  if (isBundle) return undefined;
  const give = 'give the project to tenantry bundle import';
  if (isConfig(path)) return `the config/ of a project: ${give}`;
  // config/manifests, which contains the base of a ClusterServiceVersion.
  if (isKustomization(path) && isConfig(dirname(resolve(path)))) {
    return `a part of the config/ of a project: ${give}`;
  }
  if (!isProject(path)) return undefined;
  const made = 'a project: make its bundle by tenantry bundle import';
  return existsSync(join(path, 'bundle', 'manifests')) ? `${made}, or name its bundle/` : made;
}
