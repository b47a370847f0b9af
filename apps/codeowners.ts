import { posix } from 'node:path';
import { errorAt, toProblem } from '../kube/finding.ts';
import { show, type Path, type Problem } from '../kube/problem.ts';
import type { Platform } from '../constructs/tenant/declaration.ts';
import { sortBySpecificity } from '../constructs/tenant/delegation.ts';

/** Where the repository lives: each has its own syntax, and its own place for the file. */
export type Forge = 'github' | 'gitlab';

/** What stands in the repository; paths from its root, with `/`. */
export interface Repository {
  readonly tenants: string;
  readonly platform: string;
  readonly out: string;
  readonly crdFiles: readonly string[];
}

/** One line: who is asked when a file changes that no later line matches. */
export interface OwnersRule {
  readonly pattern: string;
  /** Empty: nobody is. */
  readonly owners: readonly string[];
}

/** Where the file lies: the first place that the forge looks at, so that no other file outranks it. */
export const ownersFile = { github: '.github/CODEOWNERS', gitlab: 'CODEOWNERS' } as const;

/** What decides how everything is checked and rendered, whoever else has the folder that it is in. */
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
 * The table of the platform as rules, of which the last match holds: everything is the platform's;
 * the tenants' part of the output is nobody's (`tenantry check` holds it to what is declared); a
 * folder is its owners'; and what steers the platform is the platform's again, wherever it lies.
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

/** What the forge would not understand. */
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
      if (!isOwner[forge].test(owner))
        refuse([...path, i], `must be ${an[forge]}, got ${show(owner)}`);
    }
  };
  const at: Path = ['spec', 'delegation'];
  if (delegation.owners.length === 0) {
    refuse([...at, 'owners'], 'must name who owns the platform, got nobody');
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

/** @param platform the file from which they come, as it is called */
export function ownersText(rules: readonly OwnersRule[], forge: Forge, platform: string): string {
  const lines = rules.map(({ pattern, owners }) => {
    if (owners.length > 0) return `${pattern} ${owners.join(' ')}`;
    return forge === 'gitlab' ? `!${pattern}` : pattern;
  });
  return `${[`${OWN} ${forge}\` from spec.delegation of`, `# ${platform}: change it there.`, ...lines].join('\n')}\n`;
}

/** Whether a file was written by us, and may be written again. */
export const isOwn = (text: string): boolean => text.startsWith(OWN);

const OWN = '# Written by `tenantry codeowners --for';

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

/** What no pattern reads as anything but itself, a space escaped. */
const PLAIN = /^[A-Za-z0-9._@+=,~ /-]+$/;

/** GitLab means a folder and what is in it only where a slash says so. */
const asFolder = (path: string): string => (/\.ya?ml$|\/$/.test(path) ? path : `${path}/`);

/** A pattern for a path from the root, and from there only. */
function rooted(path: string): string {
  return `/${path.replace(/^\.\//, '')}`.replaceAll(' ', '\\ ');
}
