import { writeDeclarations } from '../fleet.ts';
import { countYaml, filesBelow, readYaml } from '../outputs.ts';
import type { Peer } from './peer.ts';

/** Files of Tenantry that are about tenants. */
export const TENANTS = /[\\/]tenants[\\/].*\.yaml$/;

/** `tenantry synth` over a file a tenant, nothing remembered. */
export const declared: Peer = {
  name: 'ours',
  title: 'tenantry synth, tenants in YAML',
  prepare(workspace, fleet) {
    const cwd = workspace.fresh('declared');
    writeDeclarations(cwd, fleet);
    return {
      command: (out) => ({
        file: process.execPath,
        args: [workspace.built('cli/main.js'), 'synth', '--quiet', '--out', out],
        cwd,
        env: { TENANTRY_CACHE: 'off' },
      }),
      count: ({ out }) => countYaml(filesBelow(out, TENANTS)),
      objects: ({ out }) => readYaml(filesBelow(out, TENANTS)),
    };
  },
};
