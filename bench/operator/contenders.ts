import { join } from 'node:path';
import { buildGoFolder } from '../../test/go/build.ts';
import { writePlatform } from '../fleet.ts';
import { FLAGS, type Program } from '../runtime/contenders.ts';
import type { Workspace } from '../workspace.ts';

/** A program that reports the status of tenants. */
export interface Contender {
  /** Its name for `--only`, in the results, and as a user of the API server. */
  readonly name: string;
  readonly title: string;
  /** Builds the program, or returns why it cannot be built. */
  prepare(workspace: Workspace): Promise<Prepared | { readonly missing: string }>;
}

export interface Prepared extends Program {
  /** In addition to KUBECONFIG. */
  readonly env: Readonly<Record<string, string>>;
  /** The address of its metrics. */
  readonly metrics?: string;
}

/** Seconds in which the dry-run controller compares each object once. */
export const PERIOD = 600;
/** The number of objects of a kind that it compares concurrently. */
export const WORKERS = 4;

const METRICS = '127.0.0.1:18080';

/** Tenantry's operator with the options of its image. */
export const ours: Contender = {
  name: 'ours',
  title: 'tenantry operator',
  async prepare(workspace) {
    workspace.build();
    const folder = workspace.fresh('platform');
    writePlatform(folder);
    const flags = ['--platform', join(folder, 'tenantry.yaml'), '--leader-election', 'false'];
    const served = ['--metrics-address', METRICS, '--health-address', 'off'];
    const command = [workspace.built('cli/main.js'), 'serve', ...flags, ...served];
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

/** Returns the folder of the declared objects for the dry-run controller. */
export function desiredFolder({ folder }: Workspace): string {
  return join(folder, 'desired');
}
