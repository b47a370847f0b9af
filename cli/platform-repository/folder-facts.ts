import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { RunGit } from '../git/git.ts';
import type { RepositoryAnswers, RepositoryFolder } from './answers.ts';
import { installedPackages } from './package-file.ts';

/** What the folder of a new platform repository and its Git repository reveal. */
export interface FolderFacts extends RepositoryFolder {
  /** The answers where nobody gives others, except for pipelines, which depend on the repository. */
  readonly defaults: Omit<RepositoryAnswers, 'ci'>;
}

/** Finds the defaults for a folder, which need not exist. It only reads. */
export function findFolderFacts(folder: string, runGit: RunGit): FolderFacts {
  const target = resolve(folder);
  const existing = findExisting(target);
  const git = (...args: readonly string[]): string | undefined =>
    runGit(args, existing).out?.toString().trim();
  const top = git('rev-parse', '--show-toplevel');
  const remote = top === undefined ? undefined : git('remote', 'get-url', 'origin');
  const repository = remote === undefined ? undefined : toRepositoryAddress(remote);
  const prefix = top === undefined ? '' : findPrefix(top, target, existing);
  return {
    prefix,
    defaults: {
      name: toName(basename(target)),
      language: 'yaml',
      cluster: 'in-cluster',
      server: 'https://kubernetes.default.svc',
      repository,
      branch: findBranch(git),
      tenant: 'payments',
      admins: undefined,
      owners: undefined,
    },
  };
}

/** Adds the defaults to the answers of a person. The pipelines are those of the forge that the repository names. */
export function completeAnswers(
  given: Partial<RepositoryAnswers>,
  { defaults, prefix }: FolderFacts,
): RepositoryAnswers {
  const { ci, ...answers } = { ...defaults, ...given };
  const pipelines = prefix === '' ? guessPipelines(answers.repository) : 'none';
  return { ...answers, ci: ci ?? pipelines };
}

/** Returns a path, or the nearest one above it that exists. */
export function findExisting(path: string): string {
  return existsSync(path) ? path : findExisting(dirname(path));
}

function findPrefix(top: string, target: string, existing: string): string {
  const real = join(realpathSync(existing), relative(existing, target));
  return relative(realpathSync(top), real).split(sep).join('/');
}

/**
 * Returns the address of a remote for Argo CD without secrets, which the clone of a pipeline often contains.
 * Returns undefined for a remote that Argo CD cannot use, such as a folder.
 */
function toRepositoryAddress(remote: string): string | undefined {
  if (!URL.canParse(remote)) return /^[-_.\w]+@[-.\w]+:/.test(remote) ? remote : undefined;
  const url = new URL(remote);
  if (url.protocol !== 'https:' && url.protocol !== 'ssh:') return undefined;
  if (url.protocol === 'https:') url.username = '';
  url.password = '';
  return url.href;
}

/** Returns the default branch of the remote, that of a repository without commits, or main. */
function findBranch(git: (...args: readonly string[]) => string | undefined): string {
  const remote = git('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  if (remote !== undefined) return remote.replace(/^origin\//, '');
  const hasCommits = git('rev-parse', '--verify', '--quiet', 'HEAD') !== undefined;
  const current = hasCommits ? undefined : git('symbolic-ref', '--quiet', '--short', 'HEAD');
  return current ?? 'main';
}

function guessPipelines(repository = ''): string {
  const [, host = ''] = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/:]+)/.exec(repository) ?? [];
  if (host.includes('github')) return 'github';
  return host.includes('gitlab') ? 'gitlab' : 'both';
}

/** Returns a DNS label like the name of a folder. */
function toName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' || installedPackages.includes(name) ? 'platform' : name;
}
