import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { programs, resolveVersion } from './programs.ts';
import { elapsedSince, withProgress } from './progress.ts';

/** The release list of the envtest project: versions with their archives and sha512. */
interface Releases {
  readonly releases: Readonly<
    Record<string, Readonly<Record<string, { readonly hash: string; readonly selfLink: string }>>>
  >;
}

/** Timeouts in milliseconds: until a server counts as unreachable, and for one file. */
const responseTimeout = 5_000;
const transferTimeout = 10 * 60_000;

/** Returns the addresses of the downloads; the environment can name a mirror. */
function resolveSources(env: NodeJS.ProcessEnv): {
  readonly index: string;
  readonly kubernetes: string;
} {
  return {
    index:
      env['TENANTRY_ENVTEST_INDEX'] ||
      'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml',
    kubernetes: env['TENANTRY_KUBERNETES_DOWNLOADS'] || 'https://dl.k8s.io/release',
  };
}

/**
 * Downloads the programs into `folder`, and verifies every file by the sha512 that is published with
 * it. etcd and kube-apiserver come from the envtest archive of the newest patch. The controller manager
 * and the scheduler are not in it; they come from Kubernetes' own downloads of the same version (for
 * Linux only). Returns the reason where it failed.
 */
export async function downloadPrograms(
  folder: string,
  env: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<string | undefined> {
  const { minor } = resolveVersion(env);
  if (process.platform !== 'linux') return `no controllers are published for ${process.platform}`;
  const { index, kubernetes } = resolveSources(env);
  try {
    const list = load((await fetchBytes(index, responseTimeout)).toString()) as Releases;
    const platform = `linux-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const { version, hash, selfLink } = findNewest(list, minor, platform);
    const started = performance.now();
    report(`Kubernetes ${version}: downloading what envtest and Kubernetes publish`);
    await withProgress(
      report,
      (elapsed) => `Kubernetes ${version}: still downloading, ${elapsed}`,
      async () => {
        await unpack(await fetchChecked(selfLink, hash), folder);
        for (const program of ['kube-controller-manager', 'kube-scheduler']) {
          const url = `${kubernetes}/${version}/bin/${platform.replace('-', '/')}/${program}`;
          const sum = (await fetchBytes(`${url}.sha512`, responseTimeout))
            .toString()
            .trim()
            .slice(0, 128);
          await writeFile(join(folder, program), await fetchChecked(url, sum));
        }
        for (const program of programs) await chmod(join(folder, program), 0o755);
      },
    );
    report(`Kubernetes ${version}: downloaded in ${elapsedSince(started)}`);
    return undefined;
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    return `no download: ${formatFetchError(error)}`;
  }
}

function findNewest(
  { releases }: Releases,
  minor: string,
  platform: string,
): { readonly version: string; readonly hash: string; readonly selfLink: string } {
  const parsePatch = (version: string): number => Number(version.split('.')[2]);
  const [version] = Object.keys(releases)
    .filter((name) => name.startsWith(`v${minor}.`) && Number.isInteger(parsePatch(name)))
    .toSorted((a, b) => parsePatch(b) - parsePatch(a));
  const archive = version && releases[version]?.[`envtest-${version}-${platform}.tar.gz`];
  if (!archive) throw new Error(`envtest publishes no ${minor} for ${platform}`);
  return { version, ...archive };
}

async function fetchChecked(url: string, sha512: string): Promise<Buffer> {
  const bytes = await fetchBytes(url, transferTimeout);
  const got = createHash('sha512').update(bytes).digest('hex');
  if (got !== sha512) throw new Error(`${url} must have the sha512 ${sha512}, got ${got}`);
  return bytes;
}

async function fetchBytes(url: string, milliseconds: number): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(milliseconds) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new Error(`${url}: ${formatFetchError(error)}`, { cause: error });
  }
}

/** Unpacks an envtest archive. The programs are in controller-tools/envtest/. */
async function unpack(archive: Buffer, folder: string): Promise<void> {
  const file = join(folder, 'envtest.tar.gz');
  await writeFile(file, archive);
  await promisify(execFile)('tar', ['-xzf', file, '--strip-components=2', '-C', folder]);
  await rm(file);
}

/**
 * Formats an error of fetch with its cause, as its message is only "fetch failed". In jest, the error
 * is of another realm.
 */
function formatFetchError(error: unknown): string {
  const { message, cause } = error as NodeJS.ErrnoException;
  if (message !== 'fetch failed' || cause === undefined) return message;
  const { message: why, code } = cause as NodeJS.ErrnoException;
  return why || (code ?? message);
}
