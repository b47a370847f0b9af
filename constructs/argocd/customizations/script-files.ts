import type { ResourceCustomization } from './customization.ts';

/**
 * Renders the scripts as files, with paths as in Argo CD's own repository: `resource_customizations/<group>/<Kind>/`,
 * beside their tests.
 */
export function renderScriptFiles(
  customizations: readonly ResourceCustomization[],
): [path: string, text: string][] {
  return customizations.flatMap(({ group, kind, health, actions }) => {
    const folder = `${group}/${kind}`;
    const files: [string, string][] = [];
    if (health !== undefined) files.push([`${folder}/health.lua`, health]);
    if (actions) files.push([`${folder}/actions/discovery.lua`, actions.discovery]);
    for (const { name, lua } of actions?.definitions ?? []) {
      files.push([`${folder}/actions/${name}/action.lua`, lua]);
    }
    return files;
  });
}
