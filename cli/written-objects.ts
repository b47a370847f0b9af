import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { show } from '@tenantry/kube/problem';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { UsageError } from './usage-error.ts';

/** The target and the format of written objects. */
export interface WriteTarget {
  /** A file. @default - standard output */
  readonly to?: string;
  readonly output: 'yaml' | 'json';
}

/**
 * Writes objects for `kubectl apply -f`: YAML documents, or a List in JSON.
 * @throws {UsageError} when the file cannot be written
 */
export function writeObjects(objects: readonly object[], { to, output }: WriteTarget): void {
  const text = formatObjects(objects, output);
  if (to === undefined) process.stdout.write(text);
  else replaceFile(to, text);
}

function formatObjects(objects: readonly object[], output: 'yaml' | 'json'): string {
  if (output === 'yaml') return emitYaml(objects);
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

/** Replaces a file completely or not at all. */
function replaceFile(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new UsageError(`--to must be a file, got ${show(file)}`);
  const staged = `${file}.${process.pid}.new`;
  try {
    writeFileSync(staged, text, { flag: 'wx' });
    renameSync(staged, file);
  } catch (error) {
    rmSync(staged, { force: true });
    throw new UsageError(
      `--to must be a file that can be written, got ${show(file)}: ${String((error as Error).message)}`,
    );
  }
}
