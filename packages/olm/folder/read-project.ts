import { statSync } from 'node:fs';
import { join } from 'node:path';
import { errorAt } from '@tenantry/kube/finding';
import type { Bundle, BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { parseBundle } from '../bundle/parse.ts';
import { buildProjectBundle, type BuiltFolder } from '../project/project-bundle.ts';
import { readFolder } from './read-bundle.ts';
import { readBytes } from './bounded-file.ts';
import { isConfig } from './project-folder.ts';

/** The maximum size of a Makefile and of PROJECT, in bytes. */
const MAX_BYTES = 2 ** 20;

/** Reports a folder that is the `config/` of a project: PROJECT and the Makefile are beside it. */
export function checkConfigFolder(path: string): readonly BundleFinding[] {
  if (!isConfig(path)) return [];
  return [
    errorAt([], 'must be the folder of the project, or a bundle, got its config/', 'project'),
  ];
}

/** The folder with the bases of ClusterServiceVersions. */
const BASES = 'config/manifests/bases';

/**
 * Builds the bundle of a project from what kustomize builds of its folders, and reports what it does not carry over.
 *
 * @param built the built folders, the one with the operator's workload first
 */
export function readProject(
  path: string,
  built: readonly BuiltFolder[],
): { readonly bundle: Bundle; readonly findings: readonly BundleFinding[] } {
  const hasBases = statSync(join(path, BASES), { throwIfNoEntry: false })?.isDirectory() === true;
  const { files: bases, faults = [] } = hasBases ? readFolder(join(path, BASES)) : { files: [] };
  const beside = ['PROJECT', 'Makefile'].flatMap((name): BundleFile[] => {
    const file = join(path, name);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isFile ? [{ path: name, bytes: readBytes(file, MAX_BYTES) }] : [];
  });
  const inBases = bases.map(({ path: file, bytes }) => ({ path: `${BASES}/${file}`, bytes }));
  const { files, findings } = buildProjectBundle([...inBases, ...beside], built);
  const unread = faults.map((fault) =>
    fault.file === undefined ? fault : { ...fault, file: `${BASES}/${fault.file}` },
  );
  return { bundle: parseBundle({ files }), findings: [...unread, ...findings] };
}
