import { posix } from 'node:path';
import { errorAt, toProblem } from '@tenantry/kube/finding';
import { show, type Path, type Problem } from '@tenantry/kube/problem';
import type { Platform } from '../model/declaration.ts';
import { sortBySpecificity } from '../model/delegation.ts';

/** The forge that hosts the repository. Each has its own syntax and its own place for the file. */
export type Forge = 'github' | 'gitlab';

/** The paths of the repository that rules are written for, relative to its root, with `/`. */
export interface Repository {
  readonly tenants: string;
  readonly platform: string;
  readonly out: string;
  readonly crdFiles: readonly string[];
}

/** One line of the file: the owners of a path, unless a later line matches too. */
interface OwnersRule {
  readonly pattern: string;
  /** Empty if the path has no owners. */
  readonly owners: readonly string[];
}

/** The path of the file: the first place that the forge reads, so that no other file outranks it. */
export const ownersFile = { github: '.github/CODEOWNERS', gitlab: 'CODEOWNERS' } as const;

/**
 * Files that decide how everything is validated and rendered. They belong to the owners of the
 * platform, even inside a folder that has other owners.
 */
const steering = {
  github: ['cdk8s.yaml', 'package.json', 'package-lock.json', '.github/'],
  gitlab: [
    'cdk8s.yaml',
    'package.json',
    'package-lock.json',
    '.gitlab-ci.yml',
    '.gitlab/',
    'CODEOWNERS',
  ],
} as const;

/**
 * Converts the delegation table into rules, of which the last match wins. By default a path belongs
 * to the owners of the platform. The rendered output of tenants has no owners, since `tenantry
 * check` compares it with the declarations. A folder belongs to its own owners, except for the
 * files that configure the platform, which belong to the platform wherever they are.
 */
export function ownersRules(
  { delegation }: Pick<Platform, 'delegation'>,
  { tenants, platform, out, crdFiles }: Repository,
  forge: Forge,
): OwnersRule[] {
  const { owners, folders } = delegation;
  const nobodys = ['clusters/*/tenants/', 'argocd/projects/'].map((folder) => `${out}/${folder}`);
  return [
    { pattern: '*', owners },
    ...nobodys.map((path) => ({ pattern: rooted(path), owners: [] })),
    ...sortBySpecificity(folders).map((row) => ({
      pattern: `${rooted(posix.join(tenants, row.folder)).replace(/\/$/, '')}/`,
      owners: row.owners ?? owners,
    })),
    ...[platform, ...steering[forge], ...crdFiles.map(asFolder)].map((path) => ({
      pattern: rooted(path),
      owners,
    })),
  ];
}

/**
 * Returns the owners of a file, as the forge reads the rules: the last one that matches decides.
 * @param path relative to the root of the repository
 */
export function findOwners(rules: readonly OwnersRule[], path: string): readonly string[] {
  const rule = rules.findLast(({ pattern }) => matchesPattern(pattern, path));
  return rule?.owners ?? [];
}

/** Whether a pattern of these rules matches: `*`, a rooted file, or a rooted folder that ends with a slash. */
function matchesPattern(pattern: string, path: string): boolean {
  if (pattern === '*') return true;
  const names = pattern.replaceAll('\\ ', ' ').slice(1).split('/');
  const isFolder = names.at(-1) === '';
  if (isFolder) names.pop();
  const parts = path.split('/');
  const fits = isFolder ? parts.length > names.length : parts.length === names.length;
  return fits && names.every((name, i) => name === '*' || name === parts[i]);
}

/** Returns the owners and paths that the forge does not accept. */
export function ownersProblems(
  { delegation }: Pick<Platform, 'delegation'>,
  { tenants, platform, out, crdFiles }: Repository,
  forge: Forge,
): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: Path, message: string): void => {
    problems.push(toProblem(errorAt(path, message, 'codeowners'), { file: platform }));
  };
  const check = (owners: readonly string[], path: Path): void => {
    for (const [i, owner] of owners.entries()) {
      if (!isOwnerOn(owner, forge))
        refuse([...path, i], `must be ${an[forge]}, got ${show(owner)}`);
    }
  };
  const at: Path = ['spec', 'delegation'];
  if (delegation.owners.length === 0) {
    refuse([...at, 'owners'], 'must name the owners of the platform, got none');
  }
  check(delegation.owners, [...at, 'owners']);
  for (const [i, row] of delegation.folders.entries()) {
    check(row.owners ?? [], [...at, 'folders', i, 'owners']);
  }
  if (tenants === '.') {
    refuse([], 'must have a folder of tenants, got the whole repository, with what steers it');
  }
  for (const path of [tenants, platform, out, ...crdFiles]) {
    if (path.startsWith('../') || path === '..') {
      refuse([], `must be in the repository, with all that it names, got ${show(path)}`);
    } else if (!PLAIN.test(path)) {
      const must = "must name paths of letters, digits, spaces and '._@+=,~-'";
      refuse(
        [],
        `${must}, as other characters mean something else in a pattern, got ${show(path)}`,
      );
    }
  }
  return problems;
}

/** Whether a text can be an owner in CODEOWNERS of a forge. */
export const isOwnerOn = (owner: string, forge: Forge): boolean => isOwner[forge].test(owner);

/** @param platform the path of the platform file that the rules come from */
export function ownersText(rules: readonly OwnersRule[], forge: Forge, platform: string): string {
  const lines = rules.map(({ pattern, owners }) => {
    if (owners.length > 0) return `${pattern} ${owners.join(' ')}`;
    return forge === 'gitlab' ? `!${pattern}` : pattern;
  });
  return `${[`${OWN} ${forge}\` from spec.delegation of`, `# ${platform}: change it there.`, ...lines].join('\n')}\n`;
}

/** Whether Tenantry wrote a file and may therefore overwrite it. */
export const isOwn = (text: string): boolean => text.startsWith(OWN);

const OWN = '# Written by `tenantry tenant codeowners --for';

/** GitHub has teams of one organization, GitLab groups in groups. */
const EMAIL = '[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+';
const isOwner = {
  github: new RegExp(`^(@[A-Za-z0-9-]+(/[A-Za-z0-9._-]+)?|${EMAIL})$`),
  gitlab: new RegExp(`^(@[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*|${EMAIL})$`),
};
const an = {
  github: "'@user', '@organization/team' or an email address for GitHub",
  gitlab: "'@user', '@group/subgroup' or an email address for GitLab",
};

/** Characters that every pattern syntax reads literally, apart from a space, which is escaped. */
const PLAIN = /^[A-Za-z0-9._@+=,~ /-]+$/;

/** Ends the path of a folder with a slash, without which GitLab does not match the files in it. */
const asFolder = (path: string): string => (/\.ya?ml$|\/$/.test(path) ? path : `${path}/`);

/** Returns a pattern that matches a path at the root of the repository only. */
function rooted(path: string): string {
  return `/${path.replace(/^\.\//, '')}`.replaceAll(' ', '\\ ');
}
