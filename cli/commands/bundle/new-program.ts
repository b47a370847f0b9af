import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '@tenantry/kube/problem';
import { withGeneratedLine } from '../../../synth/output/generated-line.ts';
import { writeNewFiles, type NewFile } from '../../new-files/write-new-files.ts';
import { UsageError } from '../../usage-error.ts';

/** Reports existing files in the place of new ones. Nothing is ever overwritten. */
export function inTheWay(folder: string, files: readonly NewFile[]): Problem[] {
  return files.flatMap(({ path }) => {
    const file = join(folder, path);
    if (!existsSync(file)) return [];
    const message = 'must not exist: files that a person may have changed are not overwritten';
    return [{ file, path: '', message, rule: 'in-the-way' }];
  });
}

const DEFINITIONS = 'definitions/';

/** Marks definitions as output of `tenantry crd import`, which may then overwrite them. */
function asGenerated({ path, text }: NewFile): NewFile {
  if (!path.startsWith(DEFINITIONS)) return { path, text };
  return { path, text: withGeneratedLine(path.slice(DEFINITIONS.length), text) };
}

/**
 * Writes the files of a new program, or none.
 * @throws {UsageError} when the file system refuses the write
 */
export function writeNew(folder: string, program: readonly NewFile[]): void {
  writeNewFiles(folder, program.map(asGenerated), '--to');
}

/** @throws {UsageError} when an option names no folder */
export function checkFolder(folder: string): void {
  if (folder === '') throw new UsageError('--to must be a folder, got nothing');
}
