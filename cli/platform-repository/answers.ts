/** The languages of the tenants. The platform file is always YAML. */
export const languages = ['yaml', 'typescript'] as const;

/** The forges for which a pipeline is written. */
export const pipelines = ['github', 'gitlab', 'both', 'none'] as const;

/** Everything that a new platform repository depends on. Values may be invalid until they are validated. */
export interface RepositoryAnswers {
  /** The name of the platform and of the npm package. */
  readonly name: string;
  readonly language: string;
  /** The name of the first cluster. */
  readonly cluster: string;
  /** The address of the API server, as Argo CD knows it. */
  readonly server: string;
  /** The Git repository that Argo CD syncs; undefined if it is not known yet. */
  readonly repository: string | undefined;
  readonly branch: string;
  /** The name of the first tenant. */
  readonly tenant: string;
  /** The group of the tenant's admins; undefined for no access. */
  readonly admins: string | undefined;
  /** Who owns the platform, as CODEOWNERS spells them, with commas or spaces between; undefined for nobody. */
  readonly owners: string | undefined;
  readonly ci: string;
}

/** Returns the owners of the platform, each once. */
export const listOwners = ({ owners = '' }: Pick<RepositoryAnswers, 'owners'>): string[] => [
  ...new Set(owners.split(/[\s,]+/).filter(Boolean)),
];

/** The forges that read the files of a new repository. */
export const listForges = ({ ci }: Pick<RepositoryAnswers, 'ci'>): ('github' | 'gitlab')[] =>
  (['github', 'gitlab'] as const).filter((forge) => ci === forge || ci === 'both');

/** The place of the new folder in its Git repository. */
export interface RepositoryFolder {
  /** The folder in its Git repository, with `/`; empty for the top, and outside of Git. */
  readonly prefix: string;
}

/** A question about a new platform repository. */
export interface RepositoryQuestion {
  readonly key: keyof RepositoryAnswers;
  readonly flag: string;
  /** The words that a person sees; absent for what only a flag sets. */
  readonly prompt?: string;
}

/** The questions, in the order of the prompts. */
export const repositoryQuestions: readonly RepositoryQuestion[] = [
  { key: 'name', flag: '--name', prompt: 'Name of the platform' },
  { key: 'language', flag: '--language', prompt: 'Language of the tenants, yaml or typescript' },
  { key: 'cluster', flag: '--cluster', prompt: 'Name of the first cluster' },
  { key: 'server', flag: '--server', prompt: 'Address of its API server, as Argo CD knows it' },
  { key: 'repository', flag: '--repository', prompt: 'Git repository that Argo CD syncs' },
  { key: 'branch', flag: '--branch' },
  { key: 'tenant', flag: '--tenant', prompt: 'Name of the first tenant' },
  { key: 'admins', flag: '--admins', prompt: "Group of the tenant's admins" },
  { key: 'owners', flag: '--owners', prompt: 'Owners of the platform, such as @acme/platform' },
  { key: 'ci', flag: '--ci', prompt: 'Pipelines: github, gitlab, both or none' },
];
