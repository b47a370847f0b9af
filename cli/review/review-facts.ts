import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findOwners, ownersRules } from '../../apps/codeowners.ts';
import { FleetLookup } from '../../apps/fleet-lookup.ts';
import { parsePlatform } from '../../apps/platform-file.ts';
import type { ReviewPolicy } from '../../apps/plan/agreement/agree.ts';
import type { ReviewFacts } from '../../apps/review/review.ts';
import type { Platform } from '../../model/declaration.ts';
import { findFolder } from '../../model/delegation.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { BaseDescription } from '../git/bases.ts';
import { buildDiffArgs, findTopFolder } from '../git/base-tree.ts';
import { runGit } from '../git/git.ts';
import { describeRepository } from '../repository-paths.ts';
import type { Settings } from '../settings.ts';

/** What the repository states about a review. */
interface RepositoryReview {
  readonly policy: ReviewPolicy;
  readonly facts: Omit<ReviewFacts, 'approvedBy'>;
}

/**
 * Reads who must agree from the repository: the platform file of the base, so that a change cannot give itself an
 * approval, and the files that differ from the base. Without a base in Git the platform file on disk decides, and no file
 * is known to differ.
 */
export function readReviewFacts(settings: Settings, base: BaseDescription): RepositoryReview {
  const root = findTopFolder('.', runGit);
  const lookup = new FleetLookup({ tenants: settings.tenants, platform: settings.platform });
  const here = lookup.fleet.platform;
  const paths = describeRepository(root, settings, here.declared.crdFiles ?? []);
  const commit = base.kind === 'git' ? base.commits[0] : undefined;
  const platform = commit === undefined ? here : readPlatformAt(commit, paths.platform, root);
  const rules = ownersRules(platform, paths, 'github');
  const changed = commit === undefined ? [] : listChangedFiles(commit, root);
  const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
  const declarations = changed.filter((path) => isBelow(path, paths.tenants));
  const fileOf = (tenant: string): string | undefined => {
    const file = lookup.fileOf(tenant);
    return file === undefined ? undefined : `${paths.tenants}/${file}`;
  };
  return {
    policy: {
      ...platform,
      teamOf: (tenant) => {
        const file = lookup.fileOf(tenant);
        const found = file === undefined ? undefined : findFolder(platform.delegation, file);
        return found?.row.owners && found.folder;
      },
    },
    facts: {
      platformOwners: platform.delegation.owners,
      ownersOf: (tenant) => findOwners(rules, fileOf(tenant) ?? paths.platform),
      declarationOwners: declarations.map((path) => findOwners(rules, path)),
      otherFiles: changed.filter(
        (path) =>
          !isBelow(path, paths.tenants) && !isBelow(path, paths.out) && !path.endsWith('.md'),
      ),
    },
  };
}

/** A base without a valid platform file has no owners: only its defaults are known. */
function readPlatformAt(commit: string, path: string, root: string): Platform {
  const text = runGit(['show', `${commit}:${path}`], root).out?.toString();
  return (text === undefined ? undefined : parsePlatform(text)) ?? resolvePlatform();
}

/** Lists the files that differ from a commit, also those that Git does not know yet, relative to the root. */
function listChangedFiles(commit: string, root: string): string[] {
  const untracked = ['ls-files', '--others', '--exclude-standard', '-z'];
  // Another commit of a submodule is a change, too.
  const differing = buildDiffArgs(commit).toSpliced(-1, 0, '--ignore-submodules=dirty');
  const texts = withCopyOfIndex(root, (variables) =>
    [differing, untracked].map(
      (args) => runGit(args, root, undefined, variables).out?.toString() ?? '',
    ),
  );
  return [...new Set(texts.flatMap((text) => text.split('\0').filter(Boolean)))].toSorted();
}

/** Gives Git a copy of the index. To compare files, it updates their times in the index. */
function withCopyOfIndex<T>(root: string, use: (variables: NodeJS.ProcessEnv) => T): T {
  const path = runGit(['rev-parse', '--git-path', 'index'], root).out?.toString().trimEnd();
  const index = path === undefined ? undefined : resolve(root, path);
  if (index === undefined || !existsSync(index)) return use({});
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-index-'));
  try {
    const copy = join(folder, 'index');
    copyFileSync(index, copy);
    return use({ GIT_INDEX_FILE: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
