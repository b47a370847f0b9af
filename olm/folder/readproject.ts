import { statSync } from 'node:fs';
import { join } from 'node:path';
import { errorAt } from '../../kube/finding.ts';
import type { Bundle, BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { parseBundle } from '../bundle/parse.ts';
import { projectBundle } from '../project/projectbundle.ts';
import { readFolder } from './disk.ts';
import { readBytes } from './openfile.ts';
import { isConfig } from './projectfolder.ts';

/** Of a Makefile, and of PROJECT, in bytes. */
const MOST = 2 ** 20;

/** What is said of a folder that is the `config/` of such a project: PROJECT and the Makefile are beside it. */
export function configAlone(path: string): readonly BundleFinding[] {
  if (!isConfig(path)) return [];
  return [
    errorAt([], 'must be the folder of the project, or a bundle, got its config/', 'project'),
  ];
}

/**
 * The bundle of a project, made of its `config/`, and what is said of its files. Nothing is run, and no link out of
 * `config/` is followed.
 */
export function readProject(path: string): {
  readonly bundle: Bundle;
  readonly findings: readonly BundleFinding[];
} {
  const { files: config, faults = [] } = readFolder(join(path, 'config'));
  const beside = ['PROJECT', 'Makefile'].flatMap((name): BundleFile[] => {
    const file = join(path, name);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isFile ? [{ path: name, bytes: readBytes(file, MOST) }] : [];
  });
  const inConfig = config.map(({ path: file, bytes }) => ({ path: `config/${file}`, bytes }));
  const { files, findings } = projectBundle([...inConfig, ...beside]);
  const unread = faults.map((fault) =>
    fault.file === undefined ? fault : { ...fault, file: `config/${fault.file}` },
  );
  return { bundle: parseBundle({ files }), findings: [...unread, ...findings] };
}
