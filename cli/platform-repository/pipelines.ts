import type { NewFile } from '../new-files/write-new-files.ts';
import { listForges, listOwners, type RepositoryAnswers } from './answers.ts';
import { formatYamlString } from './literals.ts';

/**
 * Renders the pipelines that check each merge request and each push to the default branch. They are those of docs/ci.md.
 * @param node the major version of Node
 */
export function renderPipelines(answers: RepositoryAnswers, node: string): NewFile[] {
  const render = { github: renderGithub, gitlab: renderGitlab };
  return listForges(answers).map((forge) => render[forge](answers, node));
}

const isOwned = (answers: RepositoryAnswers): boolean => listOwners(answers).length > 0;

function renderGithub(answers: RepositoryAnswers, node: string): NewFile {
  const { branch, language } = answers;
  const tests = language === 'typescript' ? '      - run: npm test\n' : '';
  const owners = isOwned(answers) ? '      - run: npx tenantry tenant codeowners --check\n' : '';
  const text = `name: tenants
on:
  pull_request:
  merge_group:
  push:
    branches: [${formatYamlString(branch)}]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: ${node}
          cache: npm
      - run: npm ci
${tests}      - if: github.event_name == 'pull_request'
        run: npx tenantry check --base "origin/$GITHUB_BASE_REF"
      - if: github.event_name == 'push'
        run: npx tenantry check --base "$BEFORE"
        env:
          BEFORE: \${{ github.event.before }}
      - if: github.event_name == 'merge_group'
        run: npx tenantry check --base "$BASE"
        env:
          BASE: \${{ github.event.merge_group.base_sha }}
${owners}`;
  return { path: '.github/workflows/tenants.yaml', text };
}

function renderGitlab(answers: RepositoryAnswers, node: string): NewFile {
  const { language } = answers;
  const include = isOwned(answers) ? 'include:\n  - local: .gitlab/review.yml\n\n' : '';
  const owners = isOwned(answers)
    ? '    - npx tenantry tenant codeowners --for gitlab --check\n'
    : '';
  const tests = language === 'typescript' ? '    - npm test\n' : '';
  const text = `${include}tenants:
  image: node:${node}
  rules:
    - if: $CI_PIPELINE_SOURCE == 'merge_request_event'
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    GIT_DEPTH: 0
  script:
    - npm ci
${tests}    - base="$CI_COMMIT_BEFORE_SHA"
    - |
      if [ -n "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" ]; then
        git fetch origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
        base=FETCH_HEAD
      fi
    - npx tenantry check --base "$base"
${owners}`;
  return { path: '.gitlab-ci.yml', text };
}
