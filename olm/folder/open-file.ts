import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isMapping } from '../../kube/mapping.ts';
import type { ReadingRule } from '../bundle/reading-rules.ts';
import { showBytes } from './bounds.ts';

/** A file cannot be read; the message goes on after its name. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly rule: ReadingRule;

  constructor(message: string, rule: ReadingRule) {
    super(message);
    this.rule = rule;
  }
}

/**
 * The bytes of a regular file, whatever becomes of it meanwhile: nothing is waited for, and no more is
 * read than may be.
 * @throws {Unreadable} for all else, and where it is larger
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

/** Errors of the file system are the user's: a folder that may not be read. Others are thrown again. */
export function unreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  if (isMapping(error) && 'syscall' in error) {
    return new Unreadable(`cannot be read: ${String(error['code'])}`, 'file');
  }
  throw error;
}
