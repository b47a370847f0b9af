import { decodeDocument } from '@tenantry/kube/yaml/read';

/** A document of a file, or the reason why none can be read. */
type FirstDocument =
  { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string };

/** A file as OLM's loader reads it. */
export interface LoadedFile {
  /** The first document, which determines the kind of the object; null if the document contains only comments. */
  readonly first: FirstDocument;
  /** The document that is then decoded as that kind: the first document again, unless `isWhole` is false. */
  readonly typed: () => FirstDocument;
  /** Whether the file has only one document. */
  readonly isWhole: boolean;
}

/** The size of the loader's read buffer, in bytes. */
const BUFFER = 4096;
const LINE_FEED = 0x0a;

/**
 * Reads a file as OLM's loader does. Documents end at lines that start with `---`, and only the first is an object of
 * the bundle.
 *
 * The loader then seeks to the start of the file and decodes again with the same reader. The reader's buffer still
 * contains the beginning of what follows the first document. With several documents the loader therefore decodes the
 * second, or the part of it that is in the buffer followed by the first.
 *
 * Source: loadBundle of github.com/operator-framework/api/pkg/manifests, and YAMLToJSONDecoder of
 * k8s.io/apimachinery/pkg/util/yaml
 *
 * @param known the value of a file with a single document, if it was read before
 */
export function readManifestFile(
  bytes: Uint8Array,
  known?: { readonly value: unknown },
): LoadedFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunk = firstChunk(buffer);
  if ('fault' in chunk) return { first: chunk, typed: () => chunk, isWhole: false };
  const isWhole = chunk.rest === buffer.length && !chunk.isEnded;
  const first = isWhole && known !== undefined ? known : decodeChunk(buffer, chunk.end);
  if (isWhole) return { first, typed: () => first, isWhole };
  const typed = (): FirstDocument => {
    const ahead = buffer.subarray(chunk.rest, filledAt(buffer, chunk.rest));
    const again = Buffer.concat([ahead, buffer]);
    const second = firstChunk(again);
    return 'fault' in second ? second : decodeChunk(again, second.end);
  };
  return { first, typed, isWhole };
}

/** Reads a whole file as one document, as metadata is read. */
export function readWhole(bytes: Uint8Array): FirstDocument {
  return decodeChunk(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes.length);
}

interface Chunk {
  /** The end of the document, and the start of what follows its separator. */
  readonly end: number;
  readonly rest: number;
  /** Whether a line `---` ends it, not the end of the file. */
  readonly isEnded: boolean;
}

function firstChunk(file: Buffer): Chunk | { readonly fault: string } {
  if (file.length === 0) return { fault: 'must be an object, got an empty file' };
  let line = file.subarray(0, 3).toString('latin1') === '---' ? 0 : nextSeparator(file, 0);
  while (line >= 0) {
    const feed = file.indexOf(LINE_FEED, line);
    const end = feed < 0 ? file.length : feed;
    const rest = file
      .subarray(line + 3, end)
      .toString('utf8')
      .trim();
    if (rest !== '' && !rest.startsWith('#')) {
      return { fault: `must have nothing but a comment behind '---' at the start of a line` };
    }
    if (line > 0) return { end: line, rest: Math.min(end + 1, file.length), isEnded: true };
    line = nextSeparator(file, 0);
  }
  const end = lastLineEnd(file);
  if (end === 0) return { fault: 'must end with a line break, got a line that OLM drops' };
  return { end, rest: file.length, isEnded: false };
}

/** Returns the end of the last line. Without a line break it is lost if it fills the buffer exactly. */
function lastLineEnd(file: Buffer): number {
  const start = file.lastIndexOf(LINE_FEED) + 1;
  return (file.length - start) % BUFFER === 0 ? start : file.length;
}

function nextSeparator(file: Buffer, from: number): number {
  const at = file.indexOf('\n---', from, 'latin1');
  return at < 0 ? -1 : at + 1;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeChunk(file: Buffer, end: number): FirstDocument {
  let text: string;
  try {
    text = utf8.decode(file.subarray(0, end));
  } catch {
    return { fault: 'must be text in UTF-8, got something else' };
  }
  const { value, problem } = decodeDocument(text.replaceAll('\r\n', '\n'));
  return problem === undefined ? { value } : { fault: problem.message };
}

/** Returns how much of a file a buffered reader has read once it has consumed the lines up to `taken`. */
function filledAt(file: Buffer, taken: number): number {
  let filled = 0;
  for (let at = 0; at < taken;) {
    const feed = file.indexOf(LINE_FEED, at);
    const lineEnd = feed < 0 ? file.length : feed + 1;
    while (filled < lineEnd && filled - at < BUFFER && filled < file.length) {
      filled = Math.min(file.length, at + BUFFER);
    }
    // A line longer than the buffer is read in pieces.
    at = Math.min(lineEnd, filled);
  }
  return filled;
}
