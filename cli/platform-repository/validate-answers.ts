import { readDeclarations } from '../../crds/declarations.ts';
import type { DeclaredKind } from '../../crds/declared-kind.ts';
import { platform as platformKind } from '../../crds/platform.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { isOwnerOn, ownersProblems, type Forge } from '../../apps/codeowners.ts';
import { resolveDelegation } from '../../model/delegation.ts';
import { Fleet } from '../../model/fleet.ts';
import { applyPlatformDefaults } from '../../model/platform.ts';
import { validatePlatform } from '../../model/rules/platform.ts';
import { formatList, show, type Problem } from '@tenantry/kube/problem';
import type { NewFile } from '../new-files/write-new-files.ts';
import {
  languages,
  listForges,
  listOwners,
  pipelines,
  repositoryQuestions,
  type RepositoryAnswers,
  type RepositoryFolder,
} from './answers.ts';
import { EXAMPLE_REPOSITORY, renderClass, renderPlatform, renderTenant } from './declarations.ts';
import { installedPackages } from './package-file.ts';
import { repositoryPaths } from './review-files.ts';

/**
 * Returns one problem for each flag whose answer is invalid, in the order of the questions. The declarations that the
 * answers give are validated as `tenantry check` does.
 */
export function validateAnswers(answers: RepositoryAnswers, folder: RepositoryFolder): Problem[] {
  const found = [
    ...validateChoice('--language', answers.language, languages),
    ...validateChoice('--ci', answers.ci, pipelines),
    ...validatePlace(answers, folder),
    ...validateNames(answers),
    ...validateRepository(answers),
    ...validateOwners(answers),
    ...validateDeclarations(answers, folder),
  ];
  const flags = [...repositoryQuestions.map(({ flag }) => flag), DIR];
  return flags.flatMap((flag) => found.filter(({ path }) => path === flag).slice(0, 1));
}

const DIR = 'DIR';

const problem = (path: string, message: string): Problem => ({ path, message, rule: 'answer' });

function validateChoice(flag: string, got: string, words: readonly string[]): Problem[] {
  if (words.includes(got)) return [];
  return [problem(flag, `must be one of ${formatList(words)}, got ${show(got)}`)];
}

/** Forges read pipelines only at the top of a repository. */
function validatePlace({ ci }: RepositoryAnswers, { prefix }: RepositoryFolder): Problem[] {
  if (prefix === '' || ci === 'none') return [];
  const must =
    'must be none below the top folder of a Git repository, where forges read no pipelines';
  return [problem('--ci', `${must}, got ${show(ci)}`)];
}

/** The longest name of a tenant with a namespace such as `payments-prod`. */
const LONGEST_TENANT = 63 - '-prod'.length;

function validateNames({ name, tenant }: RepositoryAnswers): Problem[] {
  const isTaken = installedPackages.includes(name);
  const must = `must have at most ${LONGEST_TENANT} characters, because names of its namespaces end in '-prod'`;
  return [
    ...(isTaken ? [problem('--name', `must not be an installed package, got ${show(name)}`)] : []),
    ...(tenant.length > LONGEST_TENANT
      ? [problem('--tenant', `${must}, got ${tenant.length}`)]
      : []),
  ];
}

/** Argo CD has credentials in a Secret; in the platform file everybody could read them. */
function validateRepository({ repository = '' }: RepositoryAnswers): Problem[] {
  const { protocol, username, password } = URL.canParse(repository)
    ? new URL(repository)
    : { protocol: '', username: '', password: '' };
  const hasSecret = password !== '' || (protocol === 'https:' && username !== '');
  if (!hasSecret) return [];
  return [problem('--repository', 'must be an address without user and password, got one with')];
}

/** Where no file is for a forge, the owners may be those of either. */
function validateOwners(answers: RepositoryAnswers): Problem[] {
  const owners = listOwners(answers);
  if (owners.length === 0) {
    return answers.owners === undefined
      ? []
      : [problem('--owners', `must name who owns the platform, got ${show(answers.owners)}`)];
  }
  const platform = { delegation: resolveDelegation({ owners }) };
  const validate = (forge: Forge): Problem[] => ownersProblems(platform, repositoryPaths, forge);
  const forges = listForges(answers);
  if (forges.length > 0) {
    return forges.flatMap(validate).map(({ message }) => problem('--owners', message));
  }
  const wrong = owners.filter((owner) =>
    (['github', 'gitlab'] as const).every((forge) => !isOwnerOn(owner, forge)),
  );
  const must = "must be '@user', '@organization/team' or an email address";
  return wrong.map((owner) => problem('--owners', `${must}, got ${show(owner)}`));
}

/** The flag that sets the value at a path of a declaration. */
const flagsOfPlatform: readonly (readonly [RegExp, string])[] = [
  [/^metadata\.name/, '--name'],
  [/^spec\.clusters\[0\]\.server/, '--server'],
  [/^spec\.clusters/, '--cluster'],
  [/^spec\.delegation\.owners/, '--owners'],
  [/^spec\.argocd\.source\.repoURL/, '--repository'],
  [/^spec\.argocd\.source\.targetRevision/, '--branch'],
  [/^spec\.argocd\.source\.path/, DIR],
];
const flagsOfTenant: readonly (readonly [RegExp, string])[] = [
  [/^spec\.access/, '--admins'],
  [/^(metadata|spec\.namespaces)/, '--tenant'],
];

function validateDeclarations(answers: RepositoryAnswers, folder: RepositoryFolder): Problem[] {
  // Without an address, the branch and the folder are in comments; they must be valid there, too.
  const complete = { ...answers, repository: answers.repository ?? EXAMPLE_REPOSITORY };
  const platform = read(renderPlatform(complete, folder), platformKind);
  const faults = [
    ...platform.problems,
    ...platform.declared.flatMap(({ spec, problem }) => validatePlatform(spec).map(problem)),
  ];
  const [valid] = faults.length === 0 ? platform.declared : [];
  const fleet = new Fleet(applyPlatformDefaults(valid?.spec ?? { defaultClass: 'standard' }));
  for (const one of read(renderClass(), tenantClass).declared) fleet.classes.add(one);
  // The rules for names are checked even if the group is wrong.
  const tenants = [{ ...answers, admins: undefined }, answers].map(renderTenant);
  return [
    ...faults.map((one) => toAnswerProblem(one, flagsOfPlatform)),
    ...tenants
      .flatMap((file) => validateTenant(file, fleet))
      .map((one) => toAnswerProblem(one, flagsOfTenant)),
  ];
}

function validateTenant(file: NewFile, fleet: Fleet): readonly Problem[] {
  const { declared, problems } = read(file, tenantKind);
  const errors = declared.flatMap((one) =>
    fleet
      .desired(one)
      .findings.filter(({ severity }) => severity === 'error')
      .map(one.problem),
  );
  return [...problems, ...errors];
}

function read<K extends DeclaredKind>({ path, text }: NewFile, kind: K) {
  return readDeclarations(path, text, [kind], () => {
    throw new Error('the declarations of a new repository must include no files');
  });
}

function toAnswerProblem(
  { path, message }: Problem,
  flags: readonly (readonly [RegExp, string])[],
): Problem {
  const flag = flags.find(([pattern]) => pattern.test(path))?.[1];
  if (flag === undefined) {
    throw new Error(`an answer must be the reason of every problem, got ${path} ${message}`);
  }
  return problem(flag, message);
}
