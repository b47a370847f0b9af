import { gzipSync } from 'node:zlib';
import type { Bundle } from './bundle.ts';

/** The size of a bundle. */
export interface BundleSize {
  /** The size of all files, in bytes. */
  readonly bytes: number;
  /** The size in bytes with each file in gzip and base64, as OLM stores it in a ConfigMap. */
  readonly compressed: number;
}

/** Computes the size of a bundle; the compression takes some milliseconds per megabyte. */
export function computeBundleSize({ files }: Bundle): BundleSize {
  let [bytes, compressed] = [0, 0];
  for (const { bytes: content } of files) {
    bytes += content.length;
    compressed += Math.ceil(gzipSync(content).length / 3) * 4;
  }
  return { bytes, compressed };
}
