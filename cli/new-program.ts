import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { escapeForTerminal } from '../kube/printable.ts';
import { show, type Problem } from '../kube/problem.ts';
import { withGeneratedLine } from '../synth/output/generated-line.ts';
import { UsageError } from './usage-error.ts';

/** A file of a program that is written. */
export interface NewFile {
  /** From the folder of the program, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What is in the way of files that are to be new: nothing is ever overwritten. */
export function inTheWay(folder: string, files: readonly NewFile[]): Problem[] {
  return files.flatMap(({ path }) => {
    const file = join(folder, path);
    if (!existsSync(file)) return [];
    const message = 'must not be there: what a person may have changed is not overwritten';
    return [{ file, path: '', message, rule: 'in-the-way' }];
  });
}

const DEFINITIONS = 'definitions/';

/** Definitions begin as those of `tenantry crd import` do, so that it can write them again into their folder. */
function asGenerated({ path, text }: NewFile): NewFile {
  if (!path.startsWith(DEFINITIONS)) return { path, text };
  return { path, text: withGeneratedLine(path.slice(DEFINITIONS.length), text) };
}

/**
 * Writes files that are not there: beside the folder first, and then into their places, so that what cannot be written
 * leaves nothing half done.
 * @throws {UsageError} where the machine does not let us
 */
export function writeNew(folder: string, program: readonly NewFile[]): void {
  try {
    write(folder, program);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !refusals.has(code)) throw error;
    const explanation = `--to must be a folder that can be written, got ${show(folder)}: ${escapeForTerminal(message)}`;
    throw new UsageError(explanation, { cause: error });
  }
}

/** By which a machine says that a place is none to write to. */
const refusals = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** @throws {UsageError} where an option names no folder */
export function checkFolder(folder: string): void {
  if (folder === '') throw new UsageError('--to must be a folder, got nothing');
}

function write(folder: string, program: readonly NewFile[]): void {
  const files = program.map(asGenerated);
  const target = resolve(folder);
  const above = dirname(target);
  mkdirSync(above, { recursive: true });
  const stage = join(above, `.${basename(target)}.${randomUUID()}`);
  mkdirSync(stage);
  try {
    for (const { path, text } of files) place(stage, path, text);
    if (!existsSync(target)) return renameSync(stage, target);
    if (readdirSync(target).length === 0) {
      rmSync(target, { recursive: true });
      return renameSync(stage, target);
    }
    for (const { path } of files) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      renameSync(join(stage, path), join(target, path));
    }
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function place(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
}
