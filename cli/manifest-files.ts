import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_JSON } from '@tenantry/crd/manifests';
import type { Problem } from '@tenantry/kube/problem';
import { decodeUtf8 } from '@tenantry/kube/utf8';

/** Reports that a source could not be read. The message continues after the name of the source. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** Absent for the source itself. */
  readonly file?: string;

  constructor(message: string, file?: string) {
    super(message);
    if (file !== undefined) this.file = file;
  }
}

/** The maximum number of `.yaml`, `.yml` and `.json` files below one folder. */
const MAX_FILES = 100_000;
/** Folders that are skipped because they hold other people's files. */
const notEntered = new Set(['.git', 'node_modules']);

/** Whether a file of a folder is read. */
export function isManifestFile(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name);
}

/**
 * Lists the manifests in a folder recursively, sorted by path.
 * @throws {Unreadable} when there are too many
 */
export function manifestFiles(folder: string): string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!notEntered.has(entry.name)) visit(path);
      } else if (isManifestFile(entry.name)) {
        const isFile =
          entry.isFile() ||
          (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
        if (isFile) files.push(path.replaceAll('\\', '/'));
      }
      if (files.length > MAX_FILES) {
        throw new Unreadable(
          `must contain at most ${MAX_FILES} files, got more; name a folder in it`,
        );
      }
    }
  };
  visit(folder);
  return files.toSorted((a, b) => (a < b ? -1 : 1));
}

/** The rule of readDefinitions for a text without any. */
const NO_DEFINITION = 'no-definition';

/** Whether the problem is only that a file in a folder holds no definition, which is allowed. */
export function isBeside({ rule }: Problem): boolean {
  return rule === NO_DEFINITION || rule === 'kind';
}

/** Returns the problem of a folder without any definition. */
export function noDefinition(folder: string, files: number): Problem {
  const got = files === 0 ? 'no .yaml, .yml or .json file' : `none in ${files} files`;
  const message = `must hold a CustomResourceDefinition, got ${got}`;
  return { file: folder, path: '', message, rule: NO_DEFINITION };
}

/**
 * Reads the text of a file.
 * @throws {Unreadable} when it is too long or not text
 */
export function readFile(file: string): string {
  const { size } = statSync(file);
  if (size > MAX_JSON) {
    throw new Unreadable(`must be at most ${MAX_JSON / 2 ** 20} MiB, got more`, file);
  }
  try {
    return decode(readFileSync(file));
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.message, file) : error;
  }
}

/** Milliseconds without a byte on standard input. */
const SILENCE = 60_000;

/**
 * Reads all of standard input.
 * @throws {Unreadable} when it is a terminal, too long, or silent for a minute
 */
export async function readStandardInput(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) throw new Unreadable('must be a file or a pipe, got a terminal');
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (why: string): void => {
      clearTimeout(timer);
      stdin.destroy();
      reject(new Unreadable(why));
    };
    const timer = setTimeout(
      () => stop(`must not be silent for ${SILENCE / 1000} seconds`),
      SILENCE,
    );
    stdin.on('data', (part: Buffer) => {
      timer.refresh();
      size += part.length;
      if (size > MAX_JSON) stop(`must be at most ${MAX_JSON / 2 ** 20} MiB, got more`);
      else parts.push(part);
    });
    stdin.on('error', (error) => stop(`cannot be read: ${error.message}`));
    stdin.on('end', () => {
      clearTimeout(timer);
      try {
        resolve(decode(Buffer.concat(parts)));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

/**
 * Decodes UTF-8.
 * @throws {Unreadable} when it is something else
 */
export function decode(bytes: Uint8Array): string {
  const { text, fault } = decodeUtf8(bytes);
  if (fault !== undefined) throw new Unreadable(fault);
  return text;
}

/**
 * Returns the problem of a source that could not be read. Errors of the file system, such as
 * missing permissions, are user errors. Others are thrown again.
 */
export function buildUnreadableProblem(source: string, error: unknown): Problem {
  const isUsers = error instanceof Unreadable || (error instanceof Error && 'syscall' in error);
  if (!isUsers) throw error;
  const file = (error instanceof Unreadable ? error.file : undefined) ?? source;
  return { file, path: '', message: error.message, rule: 'file' };
}
