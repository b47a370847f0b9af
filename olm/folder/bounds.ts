/** How much of a bundle is read: what is more is told, and costs neither time nor memory. */

/** Files and folders. */
export const MAX_ENTRIES = 10_000;
/** Folders in folders. */
export const MAX_DEPTH = 16;
/** One file, in bytes. */
export const MAX_FILE = 16 * 2 ** 20;
/** All files, in bytes. */
export const MAX_BYTES = 64 * 2 ** 20;

/** `3 MiB`; small ones in bytes. */
export function showBytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
