import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll } from '@jest/globals';
import { entryPoints } from '../../scripts/packages.ts';
import { runnable } from '../packages/built.ts';
import { place, treeOf, type Texts } from '../synth/output/folders.ts';
import { commandLine, isServed, runServed } from './command-client.ts';
import type { Ended } from './warm-command.ts';

export { commandLine };
export type { Ended };

export const repository = join(import.meta.dirname, '..', '..');

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a Tenant as a file in tenants/. JSON is YAML on one line. */
export const tenant = (name: string, spec?: object): string =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata:\n  name: ${name}\n${spec ? `spec: ${JSON.stringify(spec)}\n` : ''}`;

/** Returns a Platform as `tenantry.yaml`. */
export const platform = (spec: object): string =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata:\n  name: platform\nspec: ${JSON.stringify(spec)}\n`;

/** Returns an import of names from an entry point of the package. */
export const importTenantry = (names: string, entryPoint = 'tenantry'): string => {
  const { source } = entryPoints.find(({ name }) => name === entryPoint)!;
  return `import { ${names} } from '${runnable(source)}';\n`;
};

/** Returns an import of stock cdk8s for apps outside of the repository. */
export const importCdk8s = (names: string): string =>
  `import { ${names} } from '${join(repository, 'node_modules/cdk8s/lib/index.js')}';\n`;

/** Collects the output of a process until it ends, and its exit code. */
export function untilEnd(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** A folder of a user of Tenantry, with its own cache. */
export class Project {
  readonly folder: string;
  readonly #cache: string;

  constructor(folder: string, files: Texts) {
    this.folder = join(folder, 'project');
    this.#cache = join(folder, 'cache');
    mkdirSync(this.folder);
    this.write(files);
  }

  write(files: Texts): void {
    place(this.folder, files);
  }

  remove(...paths: string[]): void {
    for (const path of paths) rmSync(join(this.folder, path), { recursive: true });
  }

  /** Returns the text of every file, `/` for folders. */
  tree(folder = ''): Record<string, string> {
    return treeOf(join(this.folder, folder));
  }

  /**
   * Runs a command line, words separated by spaces, without a shell. It uses a warm process unless
   * the command reads stdin.
   */
  tenantry(words: string | readonly string[], environment: Environment = {}): Promise<Ended> {
    const args = typeof words === 'string' ? words.split(' ').filter(Boolean) : words;
    if (!isServed() || args.includes('-')) return this.spawnTenantry(args, environment);
    const all = Object.entries({ ...this.#environment(), ...environment });
    const env = Object.fromEntries(all.flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
    return runServed({ args, cwd: this.folder, env });
  }

  /** Runs a command line in a new process. */
  spawnTenantry(args: readonly string[], environment: Environment = {}): Promise<Ended> {
    return this.run(process.execPath, [commandLine, ...args], environment);
  }

  async git(words: string): Promise<void> {
    const args = ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words.split(' ')];
    const { code, err } = await this.run('git', args);
    if (code !== 0) throw new Error(err);
  }

  /** Creates a repository and commits everything. */
  async commit(): Promise<void> {
    await this.git('init -q .');
    await this.git('add -A');
    await this.git('commit -q -m all');
  }

  /** Starts a program in the folder; the caller reads stdout and stderr. */
  start(program: string, args: readonly string[], environment: Environment = {}) {
    const env = { ...this.#environment(), ...environment };
    return spawn(program, args, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Starts a program with a stdin that the caller can write to. */
  startTyping(program: string, args: readonly string[], environment: Environment = {}) {
    const env = { ...this.#environment(), ...environment };
    return spawn(program, args, { cwd: this.folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  run(program: string, args: readonly string[], environment: Environment = {}): Promise<Ended> {
    return untilEnd(this.start(program, args, environment));
  }

  /** Returns the environment of the tests, without variables that change Tenantry or Git. */
  #environment(): NodeJS.ProcessEnv {
    const env = Object.entries(process.env).filter(
      ([name]) => !/^(CI|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|(CDK8S|TENANTRY|GIT)_.*)$/.test(name),
    );
    return {
      ...Object.fromEntries(env),
      PATH: dirname(process.execPath) + delimiter + process.env['PATH'],
      TENANTRY_CACHE: this.#cache,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }
}

const committed = new Map<Texts, Promise<string>>();
const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Returns a folder with these files, their rendered output, and a commit. It is removed after the
 * test file.
 */
function committedFolder(files: Texts): Promise<string> {
  const make = async (): Promise<string> => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-committed-'));
    made.push(folder);
    const project = new Project(folder, files);
    const { code, err } = await project.tenantry('synth');
    if (code !== 0) throw new Error(err);
    await project.commit();
    return project.folder;
  };
  const folder = committed.get(files) ?? make();
  committed.set(files, folder);
  return folder;
}

/** Runs a test like `inProject`, in a copy of a rendered and committed project that is created once. */
export function inCommitted(
  files: Texts,
  body: (project: Project) => void | Promise<void>,
): () => Promise<void> {
  return inProject({}, async (project) => {
    cpSync(await committedFolder(files), project.folder, { recursive: true });
    await body(project);
  });
}

/** Runs a test in a project of its own, which is removed afterwards. */
export function inProject(
  files: Texts,
  body: (project: Project) => void | Promise<void>,
): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry cli-'));
    try {
      await body(new Project(folder, files));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
