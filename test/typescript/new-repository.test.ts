import { beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { readLoosely } from '@tenantry/kube/yaml/read';
import type { Ended, Project } from '../cli/project.ts';
import { fieldsOf, filledIn, holds, isRun, listOf, type Fields } from '../docs/recipes.ts';
import { readPage } from '../docs/pages.ts';
import { placePrograms } from '../docs/shell.ts';
import { packed } from '../packages/packed.ts';
import { inPackedProject, packedCommand } from './packed-project.ts';

let tarballs: readonly string[];
let version: string;

beforeAll(async () => {
  const found = await packed();
  tarballs = found.tarballs;
  version = /tenantry-(\d.*)\.tgz$/.exec(found.filename)?.[1] ?? '';
}, 300_000);

const packages = {
  yaml: ['cdk8s', 'constructs'],
  typescript: ['@types/node', 'cdk8s', 'constructs', 'typescript', 'undici-types'],
};
type Language = keyof typeof packages;
const languages = ['yaml', 'typescript'] as const;

/** Runs a test in a folder in which only packages are, as npm installs them for the new package.json. */
const inNewFolder = (
  language: Language,
  body: (project: Project) => Promise<void>,
  more: readonly string[] = [],
) => {
  const names = [...packages[language], ...more];
  return inPackedProject({ tarballs, packages: names, files: {} }, async (project) => {
    const bin = join(project.folder, 'node_modules', '.bin');
    mkdirSync(bin);
    symlinkSync(join('..', 'tenantry', 'build', 'cli', 'main.js'), join(bin, 'tenantry'));
    symlinkSync(join('..', 'typescript', 'bin', 'tsc'), join(bin, 'tsc'));
    // Everything is installed already.
    placePrograms(join(project.folder, '..', 'bin'), {
      npm: `#!/bin/sh
case "$1" in
ci | install) [ -e node_modules ] || ln -s "$MODULES" node_modules ;;
*) PATH=$REAL_PATH exec npm "$@" ;;
esac
`,
    });
    await body(project);
  });
};

/** Runs a script as a pipeline or a person does. */
function shell(project: Project, script: string, variables: Fields = {}): Promise<Ended> {
  const real = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  return project.run('bash', ['-eo', 'pipefail', '-c', script], {
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
    REAL_PATH: real,
    MODULES: join(project.folder, 'node_modules'),
    PATH: [join(project.folder, '..', 'bin'), real].join(delimiter),
    ...Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)])),
  });
}

/** Returns the output of a script that must succeed. */
async function output(project: Project, script: string, variables: Fields = {}): Promise<string> {
  const { code, out, err } = await shell(project, script, variables);
  if (code !== 0) throw new Error(`${script} must succeed, got ${code}:\n${out}${err}`);
  return out;
}

const init = (project: Project, ...words: readonly string[]): Promise<Ended> =>
  project.run(process.execPath, [packedCommand, 'init', '--yes', ...words]);

const parse = (text = ''): Fields => fieldsOf(readLoosely(text).documents[0]?.value);

describe.each(languages)('a new repository in %s', (language) => {
  test('renders, is up to date, and passes its own tests as soon as it is installed', async () => {
    await inNewFolder(language, async (project) => {
      expect(await init(project, '--language', language)).toMatchObject({ code: 0, err: '' });
      const rendered = await output(project, 'npm install\nnpx tenantry synth');
      expect(rendered).toMatch(/^1 tenant, 2 namespaces, /);
      expect(await output(project, 'npx tenantry check')).toContain(
        'valid, and dist is up to date',
      );
      const tested = await output(project, 'npm test');
      expect(tested).toContain(language === 'typescript' ? 'pass 1' : 'dist is up to date');
      const quota = project.tree('dist/clusters/in-cluster/tenants/payments');
      expect(quota['namespace-payments-prod.yaml']).toContain('\n    pods: "80"\n');
      expect(quota['namespace-payments-prod.yaml']).toContain('\n    requests.cpu: "16"\n');
    });
  });

  test('installs this Tenantry, and the packages with which it was tested', async () => {
    await inNewFolder(language, async (project) => {
      await init(project, '--language', language);
      const { devDependencies } = JSON.parse(project.tree()['package.json']!) as {
        devDependencies: Record<string, string>;
      };
      expect(devDependencies['tenantry']).toBe(version);
      const names = packages[language].filter((name) => name !== 'undici-types');
      expect(Object.keys(devDependencies)).toEqual([...names, 'tenantry'].toSorted());
      for (const [name, pinned] of Object.entries(devDependencies)) {
        const script = `node -p "require('./node_modules/${name}/package.json').version"`;
        expect([name, (await output(project, script)).trim()]).toEqual([name, pinned]);
      }
    });
  });

  test('has pipelines whose commands accept the first merge request, and stop one with stale output', async () => {
    await inNewFolder(language, async (project) => {
      await init(project, '--language', language, '--ci', 'both');
      await output(project, 'npx tenantry synth');
      await project.commit();
      await project.git('branch -M main');
      await project.git('clone -q --bare . ../origin.git');
      await project.git('remote add origin ../origin.git');
      await project.git('fetch -q origin');
      const [github, gitlab] = [
        await runGithub(project, 'pull_request'),
        await runGitlab(project, 'merge_request_event'),
      ];
      for (const { code, out, err } of [github, gitlab]) {
        expect([code, code === 0 ? '' : err]).toEqual([0, '']);
        expect(out).toContain('dist is up to date');
        expect(out.includes('pass 1')).toBe(language === 'typescript');
      }
      expect((await runGithub(project, 'push')).code).toBe(0);
      expect((await runGitlab(project, 'push')).code).toBe(0);
      project.write({ 'tenants/new.yaml': newTenant });
      for (const run of [runGithub, runGitlab]) {
        const { code, err } = await run(project, 'push');
        expect(code).toBe(1);
        expect(err).toContain('missing  dist/clusters/in-cluster/tenants/new/tenant.yaml');
      }
    });
  });
});

const newTenant = `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata: { name: new }
spec: { namespaces: [{ name: new-dev, environment: dev }] }
`;

/** Runs the commands of the workflow for an event, one step after the other, until one fails. */
async function runGithub(project: Project, event: 'pull_request' | 'push'): Promise<Ended> {
  // To a reader of YAML 1.1, `on` is true.
  const workflow = parse(project.tree('.github/workflows')['tenants.yaml']);
  expect(Object.keys(fieldsOf(workflow['true']))).toContain(event);
  const steps = listOf(fieldsOf(fieldsOf(workflow['jobs'])['check'])['steps']).map(fieldsOf);
  const before = (await output(project, 'git rev-parse HEAD')).trim();
  const context = { 'github.event_name': event, 'github.event.before': before };
  let out = '';
  for (const step of steps) {
    if (step['run'] === undefined || !holds(step['if'], context)) continue;
    const ended = await shell(project, String(step['run']), {
      CI: 'true',
      GITHUB_BASE_REF: event === 'push' ? '' : 'main',
      ...filledIn(step['env'], context),
    });
    out += ended.out;
    if (ended.code !== 0) return { ...ended, out };
  }
  return { code: 0, out, err: '' };
}

/** Runs the script of the job for an event. */
async function runGitlab(project: Project, source: 'merge_request_event' | 'push') {
  const job = fieldsOf(parse(project.tree()['.gitlab-ci.yml'])['tenants']);
  const isRequest = source === 'merge_request_event';
  const variables: Fields = {
    CI: 'true',
    CI_DEFAULT_BRANCH: 'main',
    CI_PIPELINE_SOURCE: source,
    CI_COMMIT_BEFORE_SHA: (await output(project, 'git rev-parse HEAD')).trim(),
    ...(isRequest ? { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' } : { CI_COMMIT_BRANCH: 'main' }),
  };
  expect(isRun(job, variables)).toBe(true);
  return shell(project, listOf(job['script']).join('\n'), variables);
}

test('a repository in TypeScript renders the same objects as one in YAML', async () => {
  const objects: Record<string, string>[] = [];
  for (const language of languages) {
    await inNewFolder(language, async (project) => {
      await init(project, '--language', language, '--admins', "o'neill's, team");
      await output(project, 'npx tenantry synth --quiet');
      const files = Object.entries(project.tree('dist/clusters'));
      objects.push(
        Object.fromEntries(
          files.map(([path, text]) => [path, text.replace(/^# Generated.*\n/, '')]),
        ),
      );
    });
  }
  expect(objects[1]).toEqual(objects[0]);
});

test('the commands of the page on TypeScript make, test and render a project of your own', async () => {
  const steps = readPage('docs/typescript.md').blocks.filter(({ hints }) => hints.has('own'));
  expect(steps.map(({ language }) => language)).toEqual(['sh', 'sh', 'ts', 'sh']);
  const follow = async (project: Project): Promise<void> => {
    const outputs: string[] = [];
    for (const { language, text, hints } of steps) {
      const enter = outputs.length === 0 ? '' : 'cd forecasts\n';
      if (language === 'ts') project.write({ [`forecasts/${hints.get('own')}`]: text });
      else outputs.push(await output(project, enter + text));
    }
    expect(outputs[0]).toContain('pass 1');
    expect(outputs.at(-1)).toContain('dist is up to date');
    const rendered = project.tree('forecasts/dist/clusters/in-cluster/tenants/forecast/resources');
    expect(rendered['namespace-forecast-prod.yaml']).toContain('\n  model: weekly\n');
  };
  await inNewFolder('typescript', follow, ['cdk8s-plus-28']);
});
