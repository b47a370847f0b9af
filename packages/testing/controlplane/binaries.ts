import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheEntry, fillOnce } from './cache.ts';
import { downloadPrograms } from './download.ts';
import { buildPrograms } from './go-build.ts';
import { programs, resolveVersion, type Binaries } from './programs.ts';
import { toStderr } from './progress.ts';

/** The programs, or the reason why there are none. */
type BinariesResult =
  | { readonly binaries: Binaries; readonly reason?: undefined }
  | { readonly reason: string; readonly binaries?: undefined };

interface FindBinariesOptions {
  /** @default - process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** Receives one line of progress at a time. @default - writes to stderr */
  readonly report?: (line: string) => void;
}

/**
 * Finds or downloads or builds the programs of a control plane of the version that TENANTRY_KUBERNETES
 * names. It uses the first source that has them, and reports each source in one line:
 * 1. the folder of KUBEBUILDER_ASSETS; what it lacks (it rarely has the controllers) comes from 2 to 4;
 * 2. Tenantry's cache,
 * `${XDG_CACHE_HOME:-~/.cache}/tenantry/control-plane/<version>-<platform>-<hash>`;
 * 3. a download of what the envtest and Kubernetes projects publish, into the cache;
 * 4. a build by the machine's Go, into the cache: 2 minutes to 15, with a line every 15 seconds.
 *
 * Without any source it returns the reason. With CI=true it throws instead, so that a pipeline does not
 * skip tests silently.
 */
export async function findBinaries({
  env = process.env,
  report = toStderr,
}: FindBinariesOptions = {}): Promise<BinariesResult> {
  const { version } = resolveVersion(env);
  const given = findInAssets(env, report);
  if (isComplete(given)) return { binaries: given };
  const entry = cacheEntry(env);
  if (existsSync(entry)) {
    report(`Kubernetes ${version}: from the cache, ${entry}`);
    return { binaries: { ...resolveBinaries(entry), ...given } };
  }
  const reasons: string[] = [];
  const failed = (reason: string): void => {
    reasons.push(reason);
    report(`Kubernetes ${version}: ${reason}`);
  };
  await fillOnce(entry, report, async (folder) => {
    for (const get of [downloadPrograms, buildPrograms]) {
      const reason = await get(folder, env, report);
      if (reason === undefined) return true;
      failed(reason);
    }
    return false;
  });
  if (existsSync(entry)) return { binaries: { ...resolveBinaries(entry), ...given } };
  const reason = `no Kubernetes ${version}: ${reasons.join('; ')}`;
  if (env['CI'] === 'true') throw new Error(reason);
  return { reason };
}

function findInAssets(env: NodeJS.ProcessEnv, report: (line: string) => void): Partial<Binaries> {
  const folder = env['KUBEBUILDER_ASSETS'];
  if (!folder) return {};
  const has = programs.filter((program) => isExecutable(join(folder, program)));
  const lacks = programs.filter((program) => !has.includes(program));
  const rest = lacks.length > 0 ? `, which lacks ${lacks.join(', ')}` : '';
  report(`Kubernetes: from KUBEBUILDER_ASSETS, ${folder}${rest}`);
  return Object.fromEntries(has.map((program) => [program, join(folder, program)]));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isComplete(some: Partial<Binaries>): some is Binaries {
  return programs.every((program) => some[program] !== undefined);
}

function resolveBinaries(folder: string): Binaries {
  return {
    etcd: join(folder, 'etcd'),
    'kube-apiserver': join(folder, 'kube-apiserver'),
    'kube-controller-manager': join(folder, 'kube-controller-manager'),
    'kube-scheduler': join(folder, 'kube-scheduler'),
  };
}
