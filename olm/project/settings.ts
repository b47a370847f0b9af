import { parseVersion } from '../../kube/semver.ts';
import { isKind, nameOf, textAt, type BuiltObject, type ProjectTree } from './tree.ts';

/** What a project says of its bundle outside of `config/`. */
export interface ProjectSettings {
  /** That of the project, and of the package. */
  readonly name: string;
  readonly version: string;
  /** With commas between. */
  readonly channels: string;
  readonly defaultChannel?: string;
}

/** What PROJECT and the variables of the Makefile say, or else what operator-sdk takes. */
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

/** What PROJECT says; empty where it does not. */
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

/** What a Makefile sets a variable to, where that is a text. */
function variable(make: string, name: string): string | undefined {
  const found = new RegExp(`^${name}\\s*(?:\\?|:|::)?=[ \\t]*"?([\\w.,+-]+)"?[ \\t]*$`, 'm').exec(
    make,
  );
  return found?.[1];
}
