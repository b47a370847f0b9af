import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandScript } from '../cli/command-client.ts';
import { platform, repository, tenant, type Project } from '../cli/project.ts';
import { placePrograms } from '../docs/shell.ts';

/** The name of the target branch: a shell must read it as text. */
export const BASE = 'main$(touch${IFS}pwned)';

/** The file beside the repository that lists the commands, and whether they had a token. */
export const RUNS = 'runs';

const shop = (pods: number): string => tenant('shop', { quota: { hard: { pods } } });

/**
 * Makes a repository with a branch that raises a quota, checked out as a pipeline does. The package is in node_modules,
 * as after `npm ci`.
 * @returns the commit that is reviewed
 */
export async function prepareReview(project: Project): Promise<string> {
  project.write({
    '.gitignore': 'node_modules/\n.gitlab-ci-local/\n',
    'package.json': '{ "private": true }\n',
    'tenantry.yaml': platform({
      clusters: [{ name: 'fra1' }],
      delegation: {
        owners: ['@acme/platform'],
        folders: [{ folder: '.', tenants: ['*'], owners: ['@ann'] }],
      },
    }),
    'tenants/shop.yaml': shop(10),
  });
  const record = `echo "$1 $2 \${GITHUB_TOKEN:+token}\${GITLAB_TOKEN:+token}" >> '${join(project.folder, '..', RUNS)}'\n`;
  placePrograms(join(project.folder, 'node_modules', '.bin'), { tenantry: commandScript(record) });
  mkdirSync(join(project.folder, 'node_modules', 'tenantry'));
  cpSync(join(repository, 'action'), join(project.folder, 'node_modules/tenantry/action'), {
    recursive: true,
  });
  await project.tenantry('synth');
  await project.commit();
  await project.git('branch -q -M head');
  await project.git(`update-ref refs/remotes/origin/${BASE} HEAD`);
  project.write({ 'tenants/shop.yaml': shop(20) });
  await project.tenantry('synth');
  await project.git('commit -q -a -m more');
  const { out } = await project.run('git', ['rev-parse', 'HEAD']);
  return out.trim();
}
