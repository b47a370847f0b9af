import { writePlatform } from '../fleet.ts';
import { aboutTenants } from './declared.ts';
import type { Peer } from './peer.ts';

const prepare =
  (mode: 'deferred' | 'eager'): Peer['prepare'] =>
  (workspace, fleet) => {
    const cwd = workspace.fresh(mode);
    writePlatform(cwd);
    const program = workspace.built('bench/programs/constructs.js');
    return {
      command: (out) => ({
        file: process.execPath,
        args: [program, String(fleet.length), out, mode],
        cwd,
        env: { TENANTRY_CACHE: 'off' },
      }),
      output: aboutTenants,
    };
  };

/** An app that creates every tenant with `app.defer`. */
export const constructs: Peer = {
  name: 'constructs',
  title: 'our App, tenants as constructs',
  prepare: prepare('deferred'),
};

/** The same with all constructs in memory, as in stock cdk8s: for the synth phase. */
export const eager: Peer = {
  name: 'eager',
  title: 'our App, all constructs at once',
  limit: { size: 2000, reason: 'it is there to be compared with stock cdk8s' },
  prepare: prepare('eager'),
};
