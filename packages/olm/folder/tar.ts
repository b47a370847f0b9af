/** An entry of a tar archive. */
export interface TarEntry {
  /** The path as written in the archive. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'hard link' | 'link' | 'other';
  /** The contents of a file; a view of the archive. */
  readonly bytes: Uint8Array;
  /** The target of a link. */
  readonly target: string;
}

/** The bytes are not a tar archive. The message follows the name of the archive. */
export class NotTar extends Error {
  override readonly name = 'NotTar';
}

const BLOCK = 512;

const types: Readonly<Record<string, TarEntry['type']>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '5': 'folder',
  '1': 'hard link',
  '2': 'link',
};

/** The extended attributes of the next entry. */
interface Extension {
  path?: string;
  target?: string;
  size?: number;
}

/**
 * Yields the entries of a tar archive, in order: ustar, pax and GNU's long names. Nothing is written to disk, so a path
 * that leads out of the archive is harmless here.
 *
 * Source: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 * @throws {NotTar}
 */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  let extension: Extension = {};
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    checkSum(header, at);
    const type = String.fromCharCode(header[156]!);
    const size = extension.size ?? number(header, 124, 12);
    const start = at + BLOCK;
    if (start + size > archive.length) throw new NotTar('must be a whole tar archive, got a part');
    const bytes = archive.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x') Object.assign(extension, paxRecords(bytes));
    else if (type === 'L') extension.path = text(bytes, 0, bytes.length);
    else if (type === 'K') extension.target = text(bytes, 0, bytes.length);
    else if (type !== 'g') {
      yield {
        path: extension.path ?? ustarPath(header),
        type: types[type] ?? 'other',
        bytes,
        target: extension.target ?? text(header, 157, 100),
      };
      extension = {};
    }
  }
}

function ustarPath(header: Uint8Array): string {
  const name = text(header, 0, 100);
  // GNU's own header format has times where ustar has the beginning of the path.
  const prefix = text(header, 257, 8) === 'ustar' ? text(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Verifies the checksum of a header, for which its own field counts as blanks. */
function checkSum(header: Uint8Array, at: number): void {
  let sum = 0;
  for (const [i, byte] of header.entries()) sum += i >= 148 && i < 156 ? 0x20 : byte;
  if (sum !== number(header, 148, 8)) {
    throw new NotTar(`must be a tar archive, got something else at byte ${at}`);
  }
}

/** Decodes the bytes up to the first zero. */
function text(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

/** Decodes octal digits or, if the highest bit is set, a binary number. */
function number(bytes: Uint8Array, start: number, length: number): number {
  if ((bytes[start]! & 0x80) !== 0) {
    let value = bytes[start]! & 0x7f;
    for (let i = start + 1; i < start + length; i += 1) value = value * 256 + bytes[i]!;
    return value;
  }
  const digits = text(bytes, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new NotTar('must be a tar archive, got a wrong header');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** Parses records `<length> <key>=<value>`, each with a line break at its end. */
function paxRecords(bytes: Uint8Array): Extension {
  const found: Extension = {};
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = blank < 0 ? Number.NaN : Number(text(bytes, at, blank - at));
    if (!Number.isInteger(length) || length <= blank - at || at + length > bytes.length) {
      throw new NotTar('must be a tar archive, got a wrong extended header');
    }
    const record = new TextDecoder().decode(bytes.subarray(blank + 1, at + length - 1));
    const sign = record.indexOf('=');
    const [key, value] = [record.slice(0, sign), record.slice(sign + 1)];
    if (key === 'path') found.path = value;
    else if (key === 'linkpath') found.target = value;
    else if (key === 'size' && /^\d{1,15}$/.test(value)) found.size = Number(value);
    at += length;
  }
  return found;
}
