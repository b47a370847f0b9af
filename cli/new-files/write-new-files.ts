import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { show } from '@tenantry/kube/problem';
import { UsageError } from '../usage-error.ts';

/** A text file that does not exist yet. */
export interface NewFile {
  /** Relative to the folder that gets it, with `/`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Writes all files, or none: a failed write removes what it wrote before. An existing file is never overwritten, even
 * if it appears during the call.
 * @param option the argument that names the folder, for the message
 * @throws {UsageError} when the file system refuses the write
 */
export function writeNewFiles(folder: string, files: readonly NewFile[], option: string): void {
  const target = resolve(folder);
  try {
    if (existsSync(target)) addFiles(target, files);
    else createFolder(target, files);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !refusals.has(code)) throw error;
    const explanation = `${option} must be a folder that can be written, got ${show(folder)}: ${escapeForTerminal(message)}`;
    throw new UsageError(explanation, { cause: error });
  }
}

/** The error codes of places that cannot be written to. */
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
  'ENOTEMPTY',
  'EPERM',
  'EROFS',
]);

/** Writes the files beside the new folder, and moves them there in one step. */
function createFolder(target: string, files: readonly NewFile[]): void {
  const above = dirname(target);
  const made = mkdirSync(above, { recursive: true });
  const stage = join(above, stageName());
  try {
    mkdirSync(stage);
    for (const file of files) writeFile(stage, file);
    renameSync(stage, target);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    if (made !== undefined) removeEmptyFolders(above, made);
    throw error;
  }
}

/** Writes the files to a folder in the target, and links them to their places. */
function addFiles(target: string, files: readonly NewFile[]): void {
  const stage = join(target, stageName());
  const undo: (() => void)[] = [];
  try {
    mkdirSync(stage);
    for (const file of files) writeFile(stage, file);
    for (const { path } of files) {
      const place = join(target, path);
      const above = dirname(place);
      const made = mkdirSync(above, { recursive: true });
      if (made !== undefined) undo.push(() => removeEmptyFolders(above, made));
      moveToFreePlace(join(stage, path), place);
      undo.push(() => unlinkSync(place));
    }
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw error;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const stageName = (): string => `.tenantry-${randomUUID()}`;

function writeFile(folder: string, { path, text }: NewFile): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: 'wx' });
}

/** The error codes of file systems without hard links. */
const NO_LINKS = new Set(['EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EXDEV']);

/** Gives a file another place, unless there is something. A rename would overwrite it. */
function moveToFreePlace(file: string, place: string): void {
  try {
    linkSync(file, place);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(file, place, constants.COPYFILE_EXCL);
  }
}

/** Removes folders from the deepest one up to the first that was made. A folder with files of others stays. */
function removeEmptyFolders(deepest: string, first: string): void {
  try {
    for (let folder = deepest; folder.length >= first.length; folder = dirname(folder)) {
      rmdirSync(folder);
    }
  } catch {
    // Somebody uses it.
  }
}
