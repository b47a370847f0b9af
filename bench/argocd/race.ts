import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isSettled } from '../../test/argocd/application.ts';
import type { ArgoCd } from '../../test/argocd/argocd.ts';
import type { GitRepository } from '../../test/argocd/git-repository.ts';
import { until } from '@tenantry/testing/waiting/until';
import { cpuSeconds, memory } from '../runtime/proc.ts';
import type { Arrangement } from './arrangements.ts';
import { revoked, TENANTS, type TenantFolder } from './tenants.ts';

/** The measurements of one arrangement: seconds, MB (10^6 bytes). */
export interface ArgoCdRun {
  /** From the first apply until everything is Synced and Healthy. */
  readonly wall: number;
  /** The CPU time of all processes of Argo CD until then. */
  readonly cpu: number;
  /** The resident memory after that. */
  readonly controller: number;
  readonly repoServer: number;
  /** The CPU time at rest, in seconds a minute. */
  readonly restCpu: number;
  /** From a commit that revokes access of one tenant, with its webhook, until the binding is deleted. */
  readonly revocation: number;
  /** The additional CPU time of the commit, in seconds, compared with as much time at rest. */
  readonly commitCpu: number;
  readonly load: number;
}

export type Quantity = Exclude<keyof ArgoCdRun, 'load'>;

/** A first sync that cannot finish. */
export interface Endless {
  readonly load: number;
  /** The error that Argo CD reports repeatedly. */
  readonly refused: string;
  /** Seconds until Argo CD first reported it. */
  readonly after: number;
}

export interface Track {
  readonly argoCd: ArgoCd;
  readonly git: GitRepository;
  readonly tenants: readonly TenantFolder[];
}

/**
 * Seconds between two comparisons of the same Application: Argo CD's default, without the jitter. At
 * rest it measures for as long, so that each Application is compared once.
 */
export const RESYNC = 120;

/** The timeout of a first sync, in milliseconds. */
const TIMEOUT = 45 * 60_000;
/** Milliseconds between two polls of all Applications. */
const POLL_INTERVAL = 3_000;
/**
 * Matches the error of an Application beyond the object limit of about 1.5 MB. Argo CD retries its
 * status for ever and syncs nothing.
 */
const TOO_LARGE =
  /"error":"([^"\n]*(?:request is too large|larger than max)[^"\n]*)"[^\n]*"msg":"error patching application with operation state"/;

/** Measures one arrangement: the first sync, a time at rest, and one commit. */
export async function run(arrangement: Arrangement, track: Track): Promise<ArgoCdRun | Endless> {
  const { argoCd, git, tenants } = track;
  const [load = 0] = loadavg();
  const names = tenants.map(({ name }) => name);
  const before = cpuOf(argoCd);
  const started = performance.now();
  await argoCd.apply(...arrangement.objects(git.url, TENANTS, names));
  const expected = applicationsOf(arrangement, names).length;
  const end = await until(
    'everything is Synced and Healthy',
    async () => {
      const all = [...(await argoCd.applications()).values()];
      if (all.length === expected && all.every((one) => isSettled(one))) return 'settled';
      // A status of one tenant does not grow, and its log would be long.
      if (!arrangement.isOne) return undefined;
      return TOO_LARGE.exec(argoCd.log('argocd-application-controller'))?.[1];
    },
    { within: TIMEOUT, every: POLL_INTERVAL },
  );
  const wall = (performance.now() - started) / 1000;
  if (end !== 'settled') return { load, refused: end, after: wall };
  const cpu = cpuOf(argoCd) - before;
  const atRest = await cpuDuring(argoCd, RESYNC);
  const revocation = await revoke(arrangement, track);
  const afterIt = await cpuDuring(argoCd, RESYNC - revocation.wall);
  return {
    wall,
    cpu,
    controller: residentOf(argoCd, 'argocd-application-controller'),
    repoServer: residentOf(argoCd, 'argocd-repo-server'),
    restCpu: (atRest * 60) / RESYNC,
    revocation: revocation.wall,
    commitCpu: Math.max(0, revocation.cpu + afterIt - atRest),
    load,
  };
}

/**
 * Removes the viewers of the last tenant. Like Git's webhook, it refreshes the Applications one after
 * the other.
 */
async function revoke(arrangement: Arrangement, { argoCd, git, tenants }: Track) {
  const last = tenants.at(-1)!;
  const { files, binding } = revoked(last);
  const before = cpuOf(argoCd);
  const started = performance.now();
  git.commit('Take the viewers of one tenant away', files);
  const concerned = arrangement.declaresPaths ? [last] : tenants;
  const applications = applicationsOf(
    arrangement,
    concerned.map(({ name }) => name),
  );
  const { admin } = argoCd.cluster;
  const gone = until('the binding is gone', async () => (await admin.get(binding)).status === 404, {
    within: TIMEOUT,
    every: 100,
  });
  await Promise.all([gone, argoCd.refresh(applications)]);
  return { wall: (performance.now() - started) / 1000, cpu: cpuOf(argoCd) - before };
}

const applicationsOf = (arrangement: Arrangement, tenants: readonly string[]): string[] => [
  ...new Set(tenants.flatMap((name) => arrangement.applicationsOf(name))),
];

async function cpuDuring(argoCd: ArgoCd, seconds: number): Promise<number> {
  const before = cpuOf(argoCd);
  await pause(Math.max(0, seconds) * 1000);
  return cpuOf(argoCd) - before;
}

const cpuOf = (argoCd: ArgoCd): number =>
  processesOf(argoCd)
    .map(({ pid }) => cpuSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8')))
    .reduce((sum, one) => sum + one, 0);

function residentOf(argoCd: ArgoCd, program: string): number {
  const found = processesOf(argoCd).find((one) => one.program === program);
  if (!found) throw new Error(`${program} must run`);
  return memory(readFileSync(`/proc/${found.pid}/status`, 'utf8')).now;
}

/** Lists the processes with Argo CD's folder in their environment, with the names of their programs. */
function processesOf({ folder }: ArgoCd): { readonly pid: string; readonly program: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const [program = ''] = textOf(`/proc/${pid}/cmdline`).split('\0');
    const name = program.slice(program.lastIndexOf('/') + 1);
    const isOurs = /^(?:argocd-|redis$)/.test(name);
    return isOurs && textOf(`/proc/${pid}/environ`).includes(`${folder}/`)
      ? [{ pid, program: name }]
      : [];
  });
}

/** Reads a file of a process; empty where the process has ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
