import { computeBundleSize } from '../../bundle/size.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const tooLarge: BundleRule = {
  id: 'compressed-size',
  severity: 'error',
  validators: ['bundle'],
  description:
    'the files of the bundle have, each compressed and in base64, at most 1 MiB together: OLM keeps them in one object',
};

const nearlyTooLarge: BundleRule = {
  id: 'compressed-size-near',
  severity: 'warning',
  validators: ['bundle'],
  description: 'the files have at most 85% of that size',
};

const LARGEST = 1024 * 1024;
const NEAR = 0.85 * LARGEST;

/** The rules for the size of a bundle. */
export const size: BundleCheck = {
  rules: [tooLarge, nearlyTooLarge],
  check({ read }, say) {
    // A file grows at most by base64 and the frame of gzip.
    const most = read.files.reduce((sum, { bytes }) => sum + bytes.length * 1.4 + 64, 0);
    if (most <= NEAR) return;
    const { compressed: packed } = computeBundleSize(read);
    const got = `got ${packed} in ${read.files.length} files`;
    if (packed > LARGEST) {
      say(tooLarge, { path: [] }, `must have at most ${LARGEST} bytes compressed, ${got}`);
    } else if (packed > NEAR) {
      const message = `must stay well below ${LARGEST} bytes compressed, ${got}`;
      say(nearlyTooLarge, { path: [] }, message);
    }
  },
};
