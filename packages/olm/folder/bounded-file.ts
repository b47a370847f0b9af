import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isMapping } from '@tenantry/kube/mapping';
import type { ReadingRule } from '../bundle/reading-rules.ts';

/** The limits of reading a bundle. Anything beyond them is reported, and costs neither time nor memory. */

/** The maximum number of files and folders. */
export const MAX_ENTRIES = 10_000;
/** The maximum depth of nested folders. */
export const MAX_DEPTH = 16;
/** The maximum size of one file, in bytes. */
export const MAX_FILE = 16 * 2 ** 20;
/** The maximum size of all files, in bytes. */
export const MAX_BYTES = 64 * 2 ** 20;

/** A file cannot be read. The message follows the name of the file. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly rule: ReadingRule;

  constructor(message: string, rule: ReadingRule) {
    super(message);
    this.rule = rule;
  }
}

/**
 * Reads the bytes of a regular file, even if it changes meanwhile: it never blocks, and reads no more than the limit.
 * @throws {Unreadable} for anything other than a regular file, and for a larger file
 */
export function readBytes(path: string, most: number): Uint8Array {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(error);
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new Unreadable('must be a file, got something else', 'special-file');
    if (found.size > most) throw tooLarge(found.size, most);
    const bytes = Buffer.alloc(found.size + 1);
    let size = 0;
    for (;;) {
      const got = readSync(descriptor, bytes, size, bytes.length - size, null);
      size += got;
      if (got === 0) return bytes.subarray(0, size);
      if (size > found.size) throw new Unreadable('must not change while it is read', 'file');
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    closeSync(descriptor);
  }
}

function tooLarge(size: number, most: number): Unreadable {
  return new Unreadable(`must be at most ${showBytes(most)}, got ${showBytes(size)}`, 'file-size');
}

/** Converts an error of the file system that the user can fix, such as missing permission. Rethrows others. */
export function unreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  if (isMapping(error) && 'syscall' in error) {
    return new Unreadable(`cannot be read: ${String(error['code'])}`, 'file');
  }
  throw error;
}

/** Formats a size: `3 MiB`; small sizes in bytes. */
export function showBytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
