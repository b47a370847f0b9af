import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile } from '../../scripts/compile.ts';
import { root } from '../../scripts/steps.ts';

/** The key under which the globalSetup of jest leaves the build for its globalTeardown. */
export const packageKey = 'tenantry built package';

const variable = 'TENANTRY_BUILT';

/** In ms: how long a test file waits for the build that another one makes. */
const PATIENCE = 600_000;

/**
 * The package as users run it, built once for all tests of a run, when a test first needs it. JavaScript starts in half
 * of the time of the sources, and tests run the command some 500 times.
 */
export class BuiltPackage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry-built-'));

  constructor() {
    cpSync(join(root, 'package.json'), join(this.#folder, 'package.json'));
    // A test runs the command as an unprivileged user.
    chmodSync(this.#folder, 0o755);
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'), 'junction');
    process.env[variable] = join(this.#folder, 'build');
  }

  /** The built command, which is there after a call of `runnable`. */
  get command(): string {
    return join(this.#folder, 'build', 'cli', 'main.js');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Returns the file to run for a source file: its build, or the source if the run has no build. The first caller of a
 * run builds the package, and the others wait.
 * @throws if the sources are not valid TypeScript; types are not checked.
 */
export function runnable(source: string): string {
  const built = process.env[variable];
  if (built === undefined) return join(root, source);
  waitForBuild(built);
  return join(built, source.replace(/\.ts$/, '.js'));
}

function waitForBuild(build: string): void {
  const result = join(dirname(build), 'result');
  if (!existsSync(result) && makes(join(dirname(build), 'started'))) {
    writeFileSync(`${result}.new`, compile(build, '--noCheck') ? 'done' : 'failed');
    renameSync(`${result}.new`, result);
  }
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(result); waited += 100) {
    if (waited > PATIENCE) throw new Error('the package must be built by now');
    Atomics.wait(cell, 0, 0, 100);
  }
  if (readFileSync(result, 'utf8') !== 'done') {
    throw new Error('the sources must compile before tests can run the command');
  }
}

/** Makes a folder, and returns whether it did not exist. */
function makes(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

let own: string | undefined;

/** Returns a folder that the test files of a run share; it is deleted with the run. */
export function runFolder(): string {
  const built = process.env[variable];
  if (built !== undefined) return dirname(built);
  if (own === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'tenantry-run-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    own = made;
  }
  return own;
}
