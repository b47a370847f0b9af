import { delimiter, dirname, join } from 'node:path';
import { isMapping } from '@tenantry/kube/mapping';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { commandScript } from '../cli/command-client.ts';
import type { Ended, Project } from '../cli/project.ts';
import { readPage } from './pages.ts';
import { placePrograms } from './shell.ts';

/** An event at a forge. */
export interface Event {
  readonly kind: 'request' | 'push' | 'queue';
  /** The branch of a request, or the branch that was pushed to. */
  readonly branch: string;
  /** The commit of main before a push, or the one below the branch of a merge queue. */
  readonly before: string;
}

/** A forge with its own clone that runs the recipe of the page. */
export interface Forge {
  readonly name: string;
  /** The code block, as data. */
  readonly recipe: Fields;
  /** The commands that its shell runs, with their conditions. */
  readonly checks: readonly string[];
  /** @param depth the number of fetched commits. @default - the one in the recipe */
  run(site: Site, event: Event, depth?: number): Promise<Ended>;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the steps of a job, each as one text. */
export const stepsOf = (job: unknown): string[] => {
  const { steps, script } = fieldsOf(job);
  const all = listOf(steps)
    .map(fieldsOf)
    .filter(({ run }) => run !== undefined);
  return [...all, ...listOf(script)].map((step) => JSON.stringify(step));
};

export const fieldsOf = (value: unknown): Fields => (isMapping(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function recipeAfter(heading: string): Fields {
  const { text, blocks } = readPage('docs/ci.md');
  const line = text.slice(0, text.indexOf(`\n## ${heading}\n`)).split('\n').length;
  const block = blocks.find(({ place }) => Number(place.split(':')[1]) > line)!;
  return fieldsOf(readLoosely(block.text).documents[0]?.value);
}

/** A bare origin, an author's clone of it, and the folders in which CI runs. */
export class Site {
  readonly #project: Project;
  readonly #bin: string;
  #runs = 0;

  constructor(project: Project) {
    this.#project = project;
    // `npm ci` does nothing here: this Tenantry is built already, and `npx tenantry` runs it.
    const npx = commandScript('shift\n');
    this.#bin = join(project.folder, 'bin');
    placePrograms(this.#bin, { npm: '#!/bin/sh\n[ "$1" = ci ]\n', npx });
  }

  /** Runs a script in a folder, as a shell of CI does. */
  async shell(folder: string, script: string, variables: Fields = {}): Promise<Ended> {
    const path = [this.#bin, dirname(process.execPath)];
    const environment = {
      PATH: [...path, process.env['PATH']].join(delimiter),
      GIT_AUTHOR_NAME: 't',
      GIT_AUTHOR_EMAIL: 't@t',
      GIT_COMMITTER_NAME: 't',
      GIT_COMMITTER_EMAIL: 't@t',
      ...Object.fromEntries(Object.entries(variables).map(([name, it]) => [name, String(it)])),
    };
    const words = ['-eo', 'pipefail', '-c', `cd "$1"\n${script}`, 'bash', folder];
    return this.#project.run('bash', words, environment);
  }

  /** Runs a script in the author's clone and returns its output. */
  async author(script: string): Promise<string> {
    const { code, out, err } = await this.shell('author', script);
    if (code !== 0) throw new Error(`${script}: ${err}`);
    return out.trim();
  }

  async begin(files: Readonly<Record<string, string>>): Promise<void> {
    await this.shell('.', 'git init -q --bare -b main origin.git\ngit clone -q origin.git author');
    this.write(files);
    await this.author('git checkout -q -b main\nnpx tenantry synth --quiet');
    await this.author('git add -A\ngit commit -q -m all\ngit push -q origin main');
  }

  write(files: Readonly<Record<string, string>>): void {
    const placed = Object.entries(files).map(([path, text]) => [`author/${path}`, text] as const);
    this.#project.write(Object.fromEntries(placed));
  }

  /**
   * Changes files of a branch that starts at main, renders, commits and pushes it.
   * @param script further commands, such as `git rm`. `unrendered`: the output is not rendered again
   */
  async change(
    branch: string,
    files: Readonly<Record<string, string>>,
    script?: string,
  ): Promise<void> {
    await this.author(`git checkout -q ${branch} || git checkout -q -b ${branch} main`);
    this.write(files);
    if (script !== 'unrendered') {
      await this.author(`${script ?? ''}\nnpx tenantry synth --quiet`);
    }
    await this.author(`git add -A\ngit commit -q -m change\ngit push -q origin ${branch}`);
  }

  /** Pushes the merge of a branch into main to a ref of the origin, as a forge does for a request. */
  async merge(branch: string, ref: string): Promise<void> {
    const merge = `git checkout -q --detach main\ngit merge -q --no-edit ${branch}`;
    await this.author(`${merge}\ngit push -q -f origin HEAD:${ref}\ngit checkout -q ${branch}`);
  }

  /** Makes an empty folder in which CI can fetch. */
  async checkout(script: string): Promise<string> {
    const folder = `run-${(this.#runs += 1)}`;
    const begin = `mkdir ${folder}\ncd ${folder}\ngit init -q .`;
    const origin = `git remote add origin "file://$(cd ..; pwd)/origin.git"`;
    const { code, err } = await this.shell('.', `${begin}\n${origin}\n${script}`);
    if (code !== 0) throw new Error(err);
    return folder;
  }
}

const NO_COMMIT = '0'.repeat(40);
const depthWords = (depth: number): string => (depth === 0 ? '' : `--depth=${depth}`);

/** Evaluates an expression of GitHub that is a literal or a name in the context. */
function valueOf(word: string, context: Fields): string {
  if (word.startsWith("'")) return word.replaceAll("'", '');
  if (!Object.hasOwn(context, word)) throw new Error(`the context has no ${word}`);
  return String(context[word]);
}

/** Evaluates the `if` of a job or step of GitHub. */
export function holds(condition: unknown, context: Fields): boolean {
  if (condition === undefined) return true;
  return String(condition)
    .split(' && ')
    .every((part) => {
      const [left = '', right = ''] = part.split(' == ');
      return valueOf(left, context) === valueOf(right, context);
    });
}

/** Evaluates the `env` of a step of GitHub. */
export function filledIn(env: unknown, context: Fields): Readonly<Record<string, string>> {
  const filled = Object.entries(fieldsOf(env)).map(([name, value]) => [
    name,
    String(value).replaceAll(/\$\{\{ (\S+) \}\}/g, (_, what: string) => valueOf(what, context)),
  ]);
  return Object.fromEntries(filled) as Record<string, string>;
}

/** Evaluates a word of GitLab: a variable, or the word itself. */
export const valueIn = (word: string, variables: Fields): unknown =>
  word.startsWith('$') ? variables[word.slice(1)] : word.replaceAll("'", '');

/** Returns whether the rules of a job of GitLab let it run. */
export const isRun = (job: Fields, variables: Fields): boolean =>
  listOf(job['rules']).some((rule) => {
    const words = String(fieldsOf(rule)['if']).split(' == ');
    const [left, right] = words.map((word) => valueIn(word, variables));
    return left !== undefined && left === right;
  });

/** Fetches as actions/checkout does, and runs the steps of a job as a runner does. */
const github: Forge = {
  name: 'GitHub Actions',
  recipe: recipeAfter('GitHub Actions'),
  get checks() {
    return stepsOf(fieldsOf(this.recipe['jobs'])['check']);
  },
  async run(site, { kind, branch, before }, depth) {
    const steps = listOf(fieldsOf(fieldsOf(this.recipe['jobs'])['check'])['steps']).map(fieldsOf);
    const [checkout] = steps.map((step) => fieldsOf(step['with']));
    const fetched = depth ?? Number(checkout?.['fetch-depth'] ?? 1);
    const refs = {
      request: 'refs/pull/1/merge',
      push: 'refs/heads/main',
      queue: `refs/heads/${branch}`,
    };
    const ref = refs[kind];
    if (kind === 'request') await site.merge(branch, ref);
    const all = fetched === 0 ? `'+refs/heads/*:refs/remotes/origin/*'` : '';
    const folder = await site.checkout(
      `git fetch -q ${depthWords(fetched)} origin ${all} +${ref}:refs/remotes/ci\ngit checkout -q refs/remotes/ci`,
    );
    const context = {
      'github.event_name': { request: 'pull_request', push: 'push', queue: 'merge_group' }[kind],
      'github.event.before': before,
      'github.event.merge_group.base_sha': before,
    };
    let out = '';
    for (const step of steps) {
      if (step['run'] === undefined || !holds(step['if'], context)) continue;
      const ended = await site.shell(folder, String(step['run']), {
        CI: 'true',
        GITHUB_BASE_REF: kind === 'request' ? 'main' : '',
        ...filledIn(step['env'], context),
      });
      out += ended.out;
      if (ended.code !== 0) return { ...ended, out };
    }
    return { code: 0, out, err: '' };
  },
};

/** Fetches as GitLab's runner does, and runs the script of a job. */
const gitlab: Forge = {
  name: 'GitLab CI',
  recipe: recipeAfter('GitLab CI'),
  get checks() {
    return stepsOf(this.recipe['tenants']);
  },
  async run(site, { kind, branch, before }, depth) {
    const job = fieldsOf(this.recipe['tenants']);
    const fetched = depth ?? Number(fieldsOf(job['variables'])['GIT_DEPTH'] ?? 20);
    const folder = await site.checkout(
      `git fetch -q ${depthWords(fetched)} origin +refs/heads/${branch}:refs/pipelines/1\ngit checkout -q refs/pipelines/1`,
    );
    const request = kind === 'request';
    const variables: Fields = {
      CI: 'true',
      CI_DEFAULT_BRANCH: 'main',
      CI_PIPELINE_SOURCE: request ? 'merge_request_event' : 'push',
      CI_COMMIT_BEFORE_SHA: request ? NO_COMMIT : before,
      ...(request ? { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' } : { CI_COMMIT_BRANCH: branch }),
    };
    if (!isRun(job, variables)) throw new Error('the recipe runs nothing for this event');
    return site.shell(folder, listOf(job['script']).join('\n'), variables);
  },
};

export const forges: readonly Forge[] = [github, gitlab];
