import { mkdirSync } from 'node:fs';
import { filesBelow } from '../outputs.ts';
import type { Peer } from './peer.ts';

/** The App of cdk8s with the same constructs: a file for each chart. */
export const stock: Peer = {
  name: 'cdk8s',
  title: 'stock cdk8s App, the same constructs',
  limit: {
    size: 2000,
    reason: 'its time grows with the square of the tenants, and 10,000 would take it half an hour',
  },
  prepare(workspace, fleet) {
    const program = workspace.built('bench/programs/stock.js');
    return {
      command: (out) => {
        mkdirSync(out);
        const args = [program, String(fleet.length), out];
        return { file: process.execPath, args, cwd: workspace.folder };
      },
      output: ({ out }) => ({ format: 'yaml', files: filesBelow(out, /\.yaml$/) }),
    };
  },
};
