/** Requests to merge, of a repository. */
import { boolean, list, object, required, string } from '../../../schema/language.ts';
import {
  basicAuth,
  bearerToken,
  caRef,
  insecure,
  tokenRef,
  named,
  requeueAfterSeconds,
} from './parts.ts';
import { common } from './application-spec.ts';

const labels = list('Labels that requests have, all of them.', string('One.'));
const repo = required(string('The repository.'));

const github = named(
  'PullRequestGeneratorGithub',
  object('GitHub.', {
    owner: required(string('The organization or user.')),
    repo,
    api: string('The address of its API.', { absent: 'https://api.github.com/' }),
    tokenRef,
    appSecretName: string('The Secret of a GitHub App, in place of a token.'),
    labels,
  }),
);

const gitlab = named(
  'PullRequestGeneratorGitLab',
  object('GitLab.', {
    project: required(string('The project.')),
    api: string('The address of its API.', { absent: 'https://gitlab.com/' }),
    tokenRef,
    labels,
    pullRequestState: string('`opened`, `closed`, `merged`, `locked`.', { absent: 'all' }),
    insecure,
    caRef,
  }),
);

const gitea = named(
  'PullRequestGeneratorGitea',
  object('Gitea.', {
    owner: required(string('The organization or user.')),
    repo,
    api: required(string('The address of its API.')),
    tokenRef,
    labels,
    insecure,
  }),
);

const bitbucket = named(
  'PullRequestGeneratorBitbucket',
  object('Bitbucket Cloud.', {
    owner: required(string('The workspace.')),
    repo,
    api: string('The address of its API.', { absent: 'https://api.bitbucket.org/2.0' }),
    basicAuth,
    bearerToken,
  }),
);

const bitbucketServer = named(
  'PullRequestGeneratorBitbucketServer',
  object('Bitbucket Server.', {
    project: required(string('The project.')),
    repo,
    api: required(string('The address of its API.')),
    basicAuth,
    bearerToken,
    insecure,
    caRef,
  }),
);

const azuredevops = named(
  'PullRequestGeneratorAzureDevOps',
  object('Azure DevOps.', {
    organization: required(string('The organization.')),
    project: required(string('The project.')),
    repo,
    api: string('Its address.', { absent: 'https://dev.azure.com/' }),
    tokenRef,
    labels,
  }),
);

const filters = list(
  'Which requests are found: those that match one of these.',
  named(
    'PullRequestGeneratorFilter',
    object('All of these conditions.', {
      branchMatch: string('Its branch matches this regular expression.'),
      targetBranchMatch: string('The branch that it goes to matches this regular expression.'),
      titleMatch: string('Its title matches this regular expression.'),
    }),
  ),
);

export const pullRequest = named(
  'PullRequestGenerator',
  object('One for each open pull request of a repository.', {
    github,
    gitlab,
    gitea,
    bitbucket,
    bitbucketServer,
    azuredevops,
    filters,
    continueOnRepoNotFoundError: boolean('Whether a repository that is missing has no requests.'),
    requeueAfterSeconds: requeueAfterSeconds('1800'),
    ...common,
  }),
);
