import { isDeepEqual } from '@tenantry/kube/json';
import { findOwners, ownersRules } from '../../apps/codeowners.ts';
import { defaultInput } from '../../apps/fleet-input.ts';
import { parsePlatform, readPlatform } from '../../apps/platform-file.ts';
import { TenantFiles } from '../../apps/tenant-files.ts';
import type { ReviewPolicy } from '../../apps/plan/agreement/agree.ts';
import type { ReviewFacts } from '../../apps/review/review.ts';
import type { Platform } from '../../model/declaration.ts';
import { findFolder } from '../../model/delegation.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { resolveCommit } from '../git/base-commits.ts';
import type { BaseDescription } from '../git/bases.ts';
import { findTopFolder } from '../git/base-tree.ts';
import { runGit } from '../git/git.ts';
import { describeRepository } from '../repository-paths.ts';
import type { Settings } from '../settings.ts';
import { isBelow, listChangedFiles, sortFiles } from './changed-files.ts';
import { readTenantFiles } from './tenant-files.ts';

/** What the repository states about a review. */
interface RepositoryReview {
  readonly policy: ReviewPolicy;
  readonly facts: Omit<ReviewFacts, 'approvedBy' | 'unread'>;
}

/**
 * Reads who must agree from the repository: the platform file and the folders of the tenants in the base, so that a change
 * cannot give itself an approval, and the files that differ from the base. Without a base in Git the platform file on disk
 * decides, and no file is known to differ.
 * @param isOnDisk whether a path in the output folder is as the declarations render it
 */
export function readReviewFacts(
  settings: Settings,
  base: BaseDescription,
  isOnDisk: (path: string) => boolean,
): RepositoryReview {
  const root = findTopFolder('.', runGit);
  const read = readPlatform(settings.platform, {
    mustExist: settings.platform !== defaultInput.platform,
  });
  const here = read.platform;
  const tenants = new TenantFiles(
    settings.tenants,
    read.problems.length > 0 ? undefined : here.delegation,
  );
  const paths = describeRepository(root, settings, here.declared.crdFiles ?? []);
  const left = base.kind === 'git' ? base.commits[0] : undefined;
  // A branch chooses where it left the base. Its rules are those of today.
  const tip = base.kind === 'git' ? resolveCommit(root, base.revision, runGit) : undefined;
  const platform = tip === undefined ? here : readPlatformAt(tip, paths.platform, root);
  const rules = ownersRules(platform, paths, 'github');
  const changed = left === undefined ? [] : listChangedFiles(left, root);
  const { declarations, edited, others } = sortFiles(changed, paths, isOnDisk);
  const fileOnDisk = (tenant: string): string | undefined => {
    const file = tenants.fileOf(tenant);
    return file === undefined ? undefined : `${paths.tenants}/${file}`;
  };
  const differing = tip === undefined || tip === left ? changed : listChangedFiles(tip, root);
  const declared = differing.filter((path) => isBelow(path, paths.tenants));
  const before: ReadonlyMap<string, string> =
    tip === undefined ? new Map() : readTenantFiles(tip, declared, root);
  const fileOf = (tenant: string): string | undefined => before.get(tenant) ?? fileOnDisk(tenant);
  const ownersAt = (path: string): readonly string[] => findOwners(rules, path);
  const hasTeams = platform.delegation.folders.some(({ owners }) => owners);
  return {
    policy: {
      ...platform,
      teamOf: (tenant) => {
        if (!hasTeams) return undefined;
        const file = fileOf(tenant)?.slice(paths.tenants.length + 1);
        const found = file === undefined ? undefined : findFolder(platform.delegation, file);
        return found?.row.owners && found.folder;
      },
    },
    facts: {
      platformOwners: platform.delegation.owners,
      ownersOf: (tenant) => ownersAt(fileOf(tenant) ?? paths.platform),
      declarationOwners: declarations.map(ownersAt),
      moved: [...before].flatMap(([tenant, from]) => {
        const to = fileOnDisk(tenant);
        if (to === undefined || isDeepEqual(ownersAt(from), ownersAt(to))) return [];
        return [{ tenant, from, to, owners: [ownersAt(from), ownersAt(to)] }];
      }),
      otherFiles: [...edited, ...others].toSorted(),
    },
  };
}

/** A base without a valid platform file has no owners: only its defaults are known. */
function readPlatformAt(commit: string, path: string, root: string): Platform {
  const text = runGit(['show', `${commit}:${path}`], root).out?.toString();
  return (text === undefined ? undefined : parsePlatform(text)) ?? resolvePlatform();
}
