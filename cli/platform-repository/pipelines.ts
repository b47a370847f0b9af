import type { NewFile } from '../new-files/write-new-files.ts';
import type { RepositoryAnswers } from './answers.ts';
import { formatYamlString } from './literals.ts';

/**
 * Renders the pipelines that check each merge request and each push to the default branch. They are those of docs/ci.md.
 * @param node the major version of Node
 */
export function renderPipelines(answers: RepositoryAnswers, node: string): NewFile[] {
  const { ci } = answers;
  return [
    ...(ci === 'github' || ci === 'both' ? [renderGithub(answers, node)] : []),
    ...(ci === 'gitlab' || ci === 'both' ? [renderGitlab(answers, node)] : []),
  ];
}

function renderGithub({ branch, language }: RepositoryAnswers, node: string): NewFile {
  const tests = language === 'typescript' ? '      - run: npm test\n' : '';
  const text = `name: tenants
on:
  pull_request:
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
`;
  return { path: '.github/workflows/tenants.yaml', text };
}

function renderGitlab({ language }: RepositoryAnswers, node: string): NewFile {
  const tests = language === 'typescript' ? '    - npm test\n' : '';
  const text = `tenants:
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
`;
  return { path: '.gitlab-ci.yml', text };
}
