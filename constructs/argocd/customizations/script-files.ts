import type { ResourceCustomization } from './customization.ts';

/**
 * The scripts as files, by paths such as Argo CD's own have: `resource_customizations/<group>/<Kind>/`, where
 * their tests lie beside them.
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
