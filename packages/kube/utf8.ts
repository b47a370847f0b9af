/** The text of some bytes, or the reason why they are not text. */
export type Decoded =
  | { readonly text: string; readonly fault?: never }
  | {
      readonly text?: never;
      /** `must be ..., got ...`. */
      readonly fault: string;
      /** The line, from 1, of the first byte that is not UTF-8. */
      readonly line?: number;
      readonly column?: number;
    };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const INSTEAD = 'save the file as UTF-8';

/**
 * Reads bytes as UTF-8. Editors also save UTF-16 and single-byte encodings, such as Latin-1: these are recognized, and
 * never read as something else. A byte order mark is kept.
 */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  if (isUtf16(bytes)) return { fault: `must be text in UTF-8, got UTF-16: ${INSTEAD}` };
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    const at = firstWrong(bytes);
    const before = decoder.decode(bytes.subarray(0, at));
    const byte = bytes[at]!;
    const code = byte.toString(16).toUpperCase().padStart(2, '0');
    const meant = byte >= 0xa0 ? `, which is '${String.fromCharCode(byte)}' in Latin-1` : '';
    return {
      fault: `must be text in UTF-8, got the byte 0x${code}${meant}: ${INSTEAD}`,
      line: before.split('\n').length,
      column: before.length - before.lastIndexOf('\n'),
    };
  }
}

/**
 * Whether bytes are UTF-16: they have a byte order mark, or every second byte of the beginning is zero, as for ASCII.
 */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return (
    bytes.length >= 4 &&
    [0, 1].some((odd) => bytes[odd] === 0 && bytes[odd + 2] === 0) &&
    !(first === 0 && second === 0)
  );
}

/** Returns the length of the longest prefix that is UTF-8. */
function firstWrong(bytes: Uint8Array): number {
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isPrefix(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  // A character that is cut is wrong from its first byte on.
  while (low > 0 && !isWhole(bytes.subarray(0, low))) low -= 1;
  return low;
}

/** Whether bytes are UTF-8 that may be cut within a character. */
function isPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isWhole(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
