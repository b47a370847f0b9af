/** Generators that list repositories of an organization. */
import { boolean, list, object, required, string } from '../../../schema/language.ts';
import {
  basicAuth,
  bearerToken,
  caRef,
  insecure,
  secretRef,
  tokenRef,
  named,
  requeueAfterSeconds,
  strings,
} from './parts.ts';
import { common } from './application-spec.ts';

const allBranches = boolean('Whether all branches are found, not the default branch alone.');
const excludeArchivedRepos = boolean('Whether archived repositories are left out.');

const github = named(
  'SCMProviderGeneratorGithub',
  object('GitHub.', {
    organization: required(string('The organization.')),
    api: string('The address of its API.', { absent: 'https://api.github.com/' }),
    tokenRef,
    appSecretName: string('The Secret of a GitHub App, in place of a token.'),
    allBranches,
    excludeArchivedRepos,
  }),
);

const gitlab = named(
  'SCMProviderGeneratorGitlab',
  object('GitLab.', {
    group: required(string('The group, by its number or its path.')),
    includeSubgroups: boolean('Whether groups within it count.'),
    includeSharedProjects: boolean('Whether projects count that are shared with groups in it.', {
      absent: 'true',
    }),
    includeArchivedRepos: boolean('Whether archived repositories count.'),
    topic: string('Which topic repositories have.', { absent: 'any' }),
    api: string('The address of its API.', { absent: 'https://gitlab.com/' }),
    tokenRef,
    allBranches,
    insecure,
    caRef,
  }),
);

const gitea = named(
  'SCMProviderGeneratorGitea',
  object('Gitea.', {
    owner: required(string('The organization or user.')),
    api: required(string('The address of its API.')),
    tokenRef,
    allBranches,
    excludeArchivedRepos,
    insecure,
  }),
);

const bitbucket = named(
  'SCMProviderGeneratorBitbucket',
  object('Bitbucket Cloud.', {
    owner: required(string('The workspace.')),
    user: required(string('The user of the requests.')),
    appPasswordRef: required(secretRef("The user's password for apps.")),
    allBranches,
  }),
);

const bitbucketServer = named(
  'SCMProviderGeneratorBitbucketServer',
  object('Bitbucket Server.', {
    project: required(string('The project.')),
    api: required(string('The address of its API.')),
    basicAuth,
    bearerToken,
    allBranches,
    insecure,
    caRef,
  }),
);

const azureDevOps = named(
  'SCMProviderGeneratorAzureDevOps',
  object('Azure DevOps.', {
    organization: required(string('The organization.')),
    teamProject: required(string('The project.')),
    api: string('Its address.', { absent: 'https://dev.azure.com' }),
    accessTokenRef: required(secretRef('A token.')),
    allBranches,
  }),
);

const awsCodeCommit = named(
  'SCMProviderGeneratorAWSCodeCommit',
  object('AWS CodeCommit.', {
    tagFilters: list(
      'Tags that repositories have.',
      named(
        'TagFilter',
        object('A tag.', {
          key: required(string('Its key.')),
          value: string('Its value.', { absent: 'any' }),
        }),
      ),
    ),
    role: string('The role to assume.', { absent: "the controller's own" }),
    region: string('The region.', { absent: "the controller's own" }),
    allBranches,
  }),
);

const filters = list(
  'Which repositories are found: those that match one of these.',
  named(
    'SCMProviderGeneratorFilter',
    object('All of these conditions.', {
      repositoryMatch: string('Its name matches this regular expression.'),
      branchMatch: string('The branch matches this regular expression.'),
      labelMatch: string('One of its labels matches this regular expression.'),
      pathsExist: strings('These paths are in it.'),
      pathsDoNotExist: strings('These paths are not in it.'),
    }),
  ),
);

export const scmProvider = named(
  'SCMProviderGenerator',
  object('One for each repository of an organization.', {
    github,
    gitlab,
    gitea,
    bitbucket,
    bitbucketServer,
    azureDevOps,
    awsCodeCommit,
    filters,
    cloneProtocol: string('How repositories are addressed: `ssh`, `https`.', {
      absent: '`ssh` where there is one',
    }),
    requeueAfterSeconds: requeueAfterSeconds('1800'),
    ...common,
  }),
);
