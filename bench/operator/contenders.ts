import { join } from 'node:path';
import { buildGoFolder } from '../../test/go/build.ts';
import { writePlatform } from '../fleet.ts';
import { FLAGS, type Program } from '../runtime/contenders.ts';
import type { Workspace } from '../workspace.ts';

/** One of those that say how tenants stand. */
export interface Contender {
  /** As `--only` has it, and the results; also who it is to the API server. */
  readonly name: string;
  readonly title: string;
  /** Makes the program; or why it cannot be made. */
  prepare(workspace: Workspace): Promise<Prepared | { readonly missing: string }>;
}

export interface Prepared extends Program {
  /** Beside KUBECONFIG. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it serves metrics. */
  readonly metrics?: string;
}

/** Seconds within which the dry-run way compares each object once. */
export const PERIOD = 600;
/** Objects of a kind that it compares at a time. */
export const WORKERS = 4;

const METRICS = '127.0.0.1:18080';

/** As its image starts it. */
export const ours: Contender = {
  name: 'ours',
  title: 'tenantry operator',
  async prepare(workspace) {
    workspace.build();
    const folder = workspace.fresh('platform');
    writePlatform(folder);
    const flags = ['--platform', join(folder, 'tenantry.yaml'), '--leader-election', 'false'];
    const served = ['--metrics-address', METRICS, '--health-address', 'off'];
    const command = [workspace.built('cli/main.js'), 'operator', 'run', ...flags, ...served];
    return {
      file: process.execPath,
      args: [...FLAGS, ...command],
      env: {},
      metrics: `http://${METRICS}/metrics`,
    };
  },
};

export const dryRuns: Contender = {
  name: 'dry-runs',
  title: 'dry runs, controller-runtime 0.24.1',
  async prepare(workspace) {
    const { program, reason } = await buildGoFolder(
      'tenant-operator',
      join(import.meta.dirname, 'go'),
    );
    if (program === undefined) return { missing: reason };
    const env = {
      DESIRED: desiredFolder(workspace),
      PERIOD: String(PERIOD),
      WORKERS: String(WORKERS),
    };
    return { file: program, args: [], env };
  },
};

export const contenders: readonly Contender[] = [ours, dryRuns];

/** Where what is declared lies for the dry-run way. */
export function desiredFolder({ folder }: Workspace): string {
  return join(folder, 'desired');
}
