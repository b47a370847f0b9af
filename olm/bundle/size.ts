import { gzipSync } from 'node:zlib';
import type { Bundle } from './bundle.ts';

/** What a bundle takes. */
export interface BundleSize {
  /** All files, in bytes. */
  readonly bytes: number;
  /** Each file in gzip and base64, as OLM keeps it in a ConfigMap, in bytes. */
  readonly compressed: number;
}

/** How large a bundle is: compressing takes some milliseconds for each megabyte. */
export function computeBundleSize({ files }: Bundle): BundleSize {
  let [bytes, compressed] = [0, 0];
  for (const { bytes: content } of files) {
    bytes += content.length;
    compressed += Math.ceil(gzipSync(content).length / 3) * 4;
  }
  return { bytes, compressed };
}
