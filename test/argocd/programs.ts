import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, computeDigest, fillOnce } from '@tenantry/testing/controlplane/cache';
import { toStderr } from '@tenantry/testing/controlplane/progress';
import { runGo, runGoBuild } from '@tenantry/testing/controlplane/go-build';

/** The folder of the Go program's sources. */
const goFolder = join(import.meta.dirname, '../go/argocd');
const module = 'github.com/argoproj/argo-cd/v3';

/** The names under which the single program is called. */
const names = [
  'argocd-application-controller',
  'argocd-applicationset-controller',
  'argocd-repo-server',
  'redis',
  'customizations',
  'comparison',
] as const;
export type ArgoCdProgram = (typeof names)[number];

/** The parts of the module that an installation needs besides the program. */
const manifests = [
  'crds',
  'base/config',
  'base/application-controller-roles',
  'base/applicationset-controller',
  'cluster-rbac/application-controller',
  'cluster-rbac/applicationset-controller',
];

/** A build of Argo CD. */
export interface ArgoCdPrograms {
  /** '3.5.7' */
  readonly version: string;
  /** A folder for the PATH, with the programs and a script of Argo CD that its repo-server calls. */
  readonly bin: string;
  /** Argo CD's own manifests, as in its sources. */
  readonly manifests: string;
}

/** The programs, or the reason why there are none. */
export type ArgoCdFound =
  | { readonly programs: ArgoCdPrograms; readonly reason?: undefined }
  | { readonly reason: string; readonly programs?: undefined };

/**
 * Finds Argo CD's controllers and repo-server in the cache. Otherwise builds them from the sources of Argo CD with the
 * `go` in the PATH, which takes minutes once.
 *
 * Returns the reason if Go or its modules are missing. With CI=true that is an error, because a pipeline must not skip
 * tests silently.
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

/** Returns the version in go.mod, the only place that has it. */
function pinnedVersion(): string {
  const text = readFileSync(join(goFolder, 'go.mod'), 'utf8');
  return text.match(/argo-cd\/v3 v(\S+)/)![1]!;
}

/** Builds the programs. Returns the reason if that fails. */
async function build(folder: string, version: string): Promise<string | undefined> {
  const { env } = process;
  const bin = join(folder, 'bin');
  const flags = ['-trimpath', '-mod=readonly', '-ldflags=-s -w', '-o', join(bin, 'argocd'), '.'];
  const failure = await runGoBuild(`Argo CD ${version}`, flags, goFolder, {
    env,
    report: toStderr,
  });
  if (failure !== undefined) return failure;
  const listed = await runGo(['list', '-m', '-f', '{{.Dir}}', module], goFolder, env);
  if (listed.failure !== undefined) return listed.failure;
  const sources = listed.output.trim();
  for (const one of names) symlinkSync('argocd', join(bin, one));
  const script = 'git-verify-wrapper.sh';
  cpSync(join(sources, 'hack', script), join(bin, script));
  // Modules do not preserve file modes.
  chmodSync(join(bin, script), 0o755);
  for (const one of manifests) {
    cpSync(join(sources, 'manifests', one), join(folder, 'manifests', one), { recursive: true });
  }
  return undefined;
}
