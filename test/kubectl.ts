import { spawnSync } from 'node:child_process';

/** The reason why kubectl cannot be called; undefined if it can. */
export const withoutKubectl =
  spawnSync('kubectl', ['version', '--client']).status === 0
    ? undefined
    : 'there is no kubectl in the PATH';
