import { parseVersion } from '../../kube/semver.ts';
import { isKind, nameOf, textAt, type BuiltObject, type ProjectTree } from './tree.ts';

/** The settings of a project outside of `config/`. */
export interface ProjectSettings {
  /** The name of the project and of its package. */
  readonly name: string;
  readonly version: string;
  /** The channels, separated by commas. */
  readonly channels: string;
  readonly defaultChannel?: string;
}

/** Reads the settings from PROJECT and from the variables of the Makefile, with the defaults of operator-sdk. */
export function readProjectSettings(
  tree: ProjectTree,
  objects: readonly BuiltObject[],
): ProjectSettings {
  const base = objects.find(isKind('ClusterServiceVersion'));
  const baseName = base && nameOf(base).replace(/\.v?\d.*$/, '');
  const name = baseName || projectName(tree) || nameOfDeployment(objects);
  const make = tree.text('Makefile') ?? '';
  const channels = variable(make, 'CHANNELS');
  const defaultChannel = variable(make, 'DEFAULT_CHANNEL');
  if (channels === undefined) {
    tree.warn('Makefile', "must set CHANNELS: 'alpha' is used, as operator-sdk does");
  }
  return {
    name,
    version: versionOf(make, base, tree),
    channels: channels ?? 'alpha',
    ...(defaultChannel !== undefined && { defaultChannel }),
  };
}

/** Returns the name in PROJECT; empty if there is none. */
export function projectName(tree: ProjectTree): string {
  return tree.has('PROJECT') ? textAt(tree.documents('PROJECT')[0], 'projectName') : '';
}

function versionOf(make: string, base: BuiltObject | undefined, tree: ProjectTree): string {
  const declared = variable(make, 'VERSION') ?? textAt(base?.value, 'spec', 'version');
  if (declared !== '0.0.0' && parseVersion(declared) !== undefined) return declared;
  const got = declared === '' || declared === '0.0.0' ? '' : `, got '${declared}'`;
  tree.warn('Makefile', `must set VERSION, such as '1.2.3'${got}: '0.0.1' is used`);
  return '0.0.1';
}

function nameOfDeployment(objects: readonly BuiltObject[]): string {
  const deployment = objects.find(isKind('Deployment'));
  const name = deployment && nameOf(deployment).replace(/-controller-manager$/, '');
  return name || 'operator';
}

/** Returns the value of a Makefile variable, if it is plain text. */
function variable(make: string, name: string): string | undefined {
  const found = new RegExp(`^${name}\\s*(?:\\?|:|::)?=[ \\t]*"?([\\w.,+-]+)"?[ \\t]*$`, 'm').exec(
    make,
  );
  return found?.[1];
}
