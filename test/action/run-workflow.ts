import { join } from 'node:path';
import type { GitHubApi } from '../cli/forge/github-api.ts';
import type { Ended, Project } from '../cli/project.ts';
import { place } from '../synth/output/folders.ts';

/** A run of a workflow for an event. */
export interface WorkflowRun {
  /** The program act. */
  readonly program: string;
  readonly api: GitHubApi;
  /** The text of the workflow. */
  readonly workflow: string;
  /** The repository, below the folder of the project. Default: that folder */
  readonly folder?: string;
  readonly event: 'pull_request' | 'pull_request_review' | 'merge_group';
  readonly payload: object;
  readonly secrets: Readonly<Record<string, string>>;
  /** A folder for act, whose path has no space. */
  readonly cache: string;
}

/** Runs a workflow of the repository acme/tenants in act, without containers. */
export function runWorkflow(
  project: Project,
  { program, api, workflow, folder = '.', event, payload, secrets, cache }: WorkflowRun,
): Promise<Ended> {
  // Outside of the repository: a new file in it would be part of the plan.
  const files = join(project.folder, '..', 'act');
  place(files, {
    'workflow.yaml': workflow,
    'event.json': JSON.stringify(payload),
    secrets: Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  });
  const variables = {
    GITHUB_REPOSITORY: 'acme/tenants',
    GITHUB_API_URL: api.address,
    GITHUB_GRAPHQL_URL: `${api.address}/graphql`,
  };
  const flags = [
    ['--workflows', join(files, 'workflow.yaml')],
    ['--eventpath', join(files, 'event.json')],
    ['--secret-file', join(files, 'secrets')],
    ['--platform', 'ubuntu-latest=-self-hosted'],
    ['--use-gitignore=false', '--no-cache-server'],
    ...Object.entries(variables).map(([name, value]) => ['--env', `${name}=${value}`]),
  ].flat();
  return project.run('env', ['-C', folder, program, event, ...flags], {
    XDG_CACHE_HOME: cache,
    CI: 'true',
  });
}
