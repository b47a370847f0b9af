import { errorAt, warningAt } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { parseVersion } from '@tenantry/kube/semver';
import type { BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { readBundleFile } from '../bundle/documents.ts';

/** A mutable JSON object. */
export type Editable = Record<string, unknown>;

/** An object that kustomize builds. */
export interface BuiltObject {
  readonly value: Editable;
  /** The kustomization, relative to the project. */
  readonly file: string;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return typeof found === 'string' ? found : '';
}

export function mappingAt(value: unknown, ...path: readonly string[]): Editable | undefined {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return isMapping(found) ? (found as Editable) : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): unknown[] {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return Array.isArray(found) ? (found as unknown[]) : [];
}

export const kindOf = ({ value }: BuiltObject): string => textAt(value, 'kind');
export const nameOf = ({ value }: BuiltObject): string => textAt(value, 'metadata', 'name');
export const isKind =
  (kind: string) =>
  (one: BuiltObject): boolean =>
    kindOf(one) === kind;

/** The files of a project, and the findings about them. */
export class ProjectTree {
  readonly findings: BundleFinding[] = [];
  readonly #files: ReadonlyMap<string, BundleFile>;

  constructor(files: readonly BundleFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Returns the values of the documents of a file, each as a mutable copy. */
  documents(path: string): unknown[] {
    const file = this.#files.get(path);
    if (!file) {
      this.reportNotCarriedOver(path, 'must be a file of the project, got none');
      return [];
    }
    const { documents, faults } = readBundleFile(file);
    for (const fault of faults) if (!this.findings.includes(fault)) this.findings.push(fault);
    return documents.map(({ value }) => structuredClone(value)).filter((value) => value !== null);
  }

  text(path: string): string | undefined {
    const file = this.#files.get(path);
    return file && new TextDecoder().decode(file.bytes);
  }

  /** Reports something that is not carried over into the bundle. */
  reportNotCarriedOver(file: string, message: string): void {
    this.findings.push({ ...errorAt([], message, 'not-carried-over'), file });
  }

  /** Reports something that is carried over but should be reviewed. */
  warn(file: string, message: string): void {
    this.findings.push({ ...warningAt([], message, 'project'), file });
  }
}

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
    version: findVersion(make, base, tree),
    channels: channels ?? 'alpha',
    ...(defaultChannel !== undefined && { defaultChannel }),
  };
}

/** Returns the name in PROJECT; empty if there is none. */
export function projectName(tree: ProjectTree): string {
  return tree.has('PROJECT') ? textAt(tree.documents('PROJECT')[0], 'projectName') : '';
}

function findVersion(make: string, base: BuiltObject | undefined, tree: ProjectTree): string {
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
