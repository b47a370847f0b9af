/** The limits of reading a bundle. Anything beyond them is reported, and costs neither time nor memory. */

/** The maximum number of files and folders. */
export const MAX_ENTRIES = 10_000;
/** The maximum depth of nested folders. */
export const MAX_DEPTH = 16;
/** The maximum size of one file, in bytes. */
export const MAX_FILE = 16 * 2 ** 20;
/** The maximum size of all files, in bytes. */
export const MAX_BYTES = 64 * 2 ** 20;

/** Formats a size: `3 MiB`; small sizes in bytes. */
export function showBytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
