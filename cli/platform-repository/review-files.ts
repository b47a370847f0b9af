import { ownersFile, ownersRules, ownersText, type Repository } from '../../apps/codeowners.ts';
import { resolveDelegation } from '../../model/delegation.ts';
import type { NewFile } from '../new-files/write-new-files.ts';
import { listForges, listOwners, type RepositoryAnswers } from './answers.ts';
import { places } from './declarations.ts';

/** The paths of a new repository, for CODEOWNERS. */
export const repositoryPaths: Repository = {
  tenants: 'tenants',
  platform: places.platform,
  out: 'dist',
  crdFiles: [],
};

/**
 * Renders what lets owners agree to changes, as docs/action.md shows it: CODEOWNERS, and the job that comments the plan
 * and states its verdict. Without owners nobody could agree, so there are no files.
 * @param node the major version of Node
 * @param readComponent reads the component of GitLab, as the package has it
 */
export function renderReview(
  answers: RepositoryAnswers,
  node: string,
  readComponent: () => string,
): NewFile[] {
  const owners = listOwners(answers);
  if (owners.length === 0) return [];
  const platform = { delegation: resolveDelegation({ owners }) };
  const jobs = {
    github: () => ({ path: '.github/workflows/review.yaml', text: renderWorkflow(node) }),
    gitlab: () => ({ path: '.gitlab/review.yml', text: readComponent() }),
  };
  return listForges(answers).flatMap((forge) => {
    const rules = ownersRules(platform, repositoryPaths, forge);
    const text = ownersText(rules, forge, repositoryPaths.platform);
    return [{ path: ownersFile[forge], text }, jobs[forge]()];
  });
}

const renderWorkflow = (node: string): string => `name: review
on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
  pull_request_review:
    types: [submitted, dismissed]
  merge_group:
permissions:
  contents: read
concurrency:
  group: review-\${{ github.event.pull_request.number || github.ref }}
jobs:
  review:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
      statuses: write
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: ${node}
          cache: npm
      - run: npm ci
      - uses: ./node_modules/tenantry/action
        with:
          teams-token: \${{ secrets.TENANTRY_TEAMS_TOKEN }}
`;
