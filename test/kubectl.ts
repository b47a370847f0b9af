import { spawnSync } from 'node:child_process';

/** Why kubectl cannot be called; undefined where it can. */
export const withoutKubectl =
  spawnSync('kubectl', ['version', '--client']).status === 0
    ? undefined
    : 'there is no kubectl in the PATH';
