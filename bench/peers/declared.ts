import { writeDeclarations } from '../fleet.ts';
import { filesBelow, type Output } from '../outputs.ts';
import type { Workspace } from '../workspace.ts';
import type { Peer, Prepared, Written } from './peer.ts';

/** Returns the files that Tenantry wrote for tenants. */
export function aboutTenants({ out }: Pick<Written, 'out'>): Output {
  return { format: 'yaml', files: filesBelow(out, /[\\/]tenants[\\/].*\.yaml$/) };
}

/** Returns the command `tenantry synth` in a folder, without a cache. */
export function synthIn(workspace: Workspace, cwd: string): Prepared {
  return {
    command: (out) => ({
      file: process.execPath,
      args: [workspace.built('cli/main.js'), 'synth', '--quiet', '--out', out],
      cwd,
      env: { TENANTRY_CACHE: 'off' },
    }),
    output: aboutTenants,
  };
}

/** `tenantry synth` with a file for each tenant. */
export const declared: Peer = {
  name: 'ours',
  title: 'tenantry synth, tenants in YAML',
  prepare(workspace, fleet) {
    const cwd = workspace.fresh('declared');
    writeDeclarations(cwd, fleet);
    return synthIn(workspace, cwd);
  },
};
