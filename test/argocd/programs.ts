import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, computeDigest, fillOnce } from '../../testing/controlplane/cache.ts';
import { toStderr } from '../../testing/controlplane/progress.ts';
import { runGo, runGoBuild } from '../../testing/controlplane/run-go.ts';

/** Sources of the Go program. */
const goFolder = join(import.meta.dirname, '../go/argocd');
const module = 'github.com/argoproj/argo-cd/v3';

/** The names by which the one program is called. */
const names = [
  'argocd-application-controller',
  'argocd-applicationset-controller',
  'argocd-repo-server',
  'redis',
  'customizations',
  'comparison',
] as const;
export type ArgoCdProgram = (typeof names)[number];

/** What of the module an installation needs besides the program. */
const manifests = [
  'crds',
  'base/config',
  'base/application-controller-roles',
  'base/applicationset-controller',
  'cluster-rbac/application-controller',
  'cluster-rbac/applicationset-controller',
];

/** Argo CD as it was built. */
export interface ArgoCdPrograms {
  /** '3.5.7' */
  readonly version: string;
  /** To be in the PATH: the programs, and a script of Argo CD that its repo-server calls. */
  readonly bin: string;
  /** Argo CD's own manifests, as they are in its sources. */
  readonly manifests: string;
}

/** The programs, or why there are none. */
export type ArgoCdFound =
  | { readonly programs: ArgoCdPrograms; readonly reason?: undefined }
  | { readonly reason: string; readonly programs?: undefined };

/**
 * Finds Argo CD's controllers and repo-server in our cache, or builds them with the `go` in the PATH from
 * the sources of Argo CD, which takes minutes once. Without Go or its modules, the reason; with CI=true that
 * is an error, as a pipeline must not skip in silence.
 */
export async function findArgoCd(): Promise<ArgoCdFound> {
  const version = pinnedVersion();
  const digest = computeDigest(goFolder, readdirSync(goFolder).toSorted()).slice(0, 12);
  const key = `${version}-${process.platform}-${process.arch}-${digest}`;
  const entry = join(cacheRoot(process.env), 'argocd', key);
  let reason: string | undefined;
  if (!existsSync(entry)) {
    await fillOnce(entry, toStderr, async (folder) => {
      reason = await build(folder, version);
      return reason === undefined;
    });
  }
  if (reason === undefined) {
    const programs = { version, bin: join(entry, 'bin'), manifests: join(entry, 'manifests') };
    return { programs };
  }
  const words = `no Argo CD ${version}: ${reason}`;
  if (process.env['CI'] === 'true') throw new Error(words);
  return { reason: words };
}

/** Of go.mod, which says it once. */
function pinnedVersion(): string {
  const text = readFileSync(join(goFolder, 'go.mod'), 'utf8');
  return text.match(/argo-cd\/v3 v(\S+)/)![1]!;
}

/** Returns why not, when it did not. */
async function build(folder: string, version: string): Promise<string | undefined> {
  const { env } = process;
  const bin = join(folder, 'bin');
  const flags = ['-trimpath', '-mod=readonly', '-ldflags=-s -w', '-o', join(bin, 'argocd'), '.'];
  const failure = await runGoBuild(`Argo CD ${version}`, flags, goFolder, { env, say: toStderr });
  if (failure !== undefined) return failure;
  const listed = await runGo(['list', '-m', '-f', '{{.Dir}}', module], goFolder, env);
  if (listed.failure !== undefined) return listed.failure;
  const sources = listed.output.trim();
  for (const one of names) symlinkSync('argocd', join(bin, one));
  const script = 'git-verify-wrapper.sh';
  cpSync(join(sources, 'hack', script), join(bin, script));
  // Modules keep no modes of files.
  chmodSync(join(bin, script), 0o755);
  for (const one of manifests) {
    cpSync(join(sources, 'manifests', one), join(folder, 'manifests', one), { recursive: true });
  }
  return undefined;
}
