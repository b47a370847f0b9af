import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile } from '../../scripts/compile.ts';
import { root } from '../../scripts/steps.ts';
import { makeOnce } from './make-once.ts';

/** The key under which the globalSetup of jest leaves the build for its globalTeardown. */
export const packageKey = 'tenantry built package';

const variable = 'TENANTRY_BUILT';

/**
 * The package as users run it, built once for all tests of a run, when a test first needs it. JavaScript starts in two
 * thirds of the time of the sources, and tests run the command some 500 times.
 */
export class BuiltPackage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry-built-'));

  constructor() {
    cpSync(join(root, 'package.json'), join(this.#folder, 'package.json'));
    cpSync(join(root, 'action'), join(this.#folder, 'action'), { recursive: true });
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
  if (!makeOnce(join(dirname(built), 'built'), () => compile(built, '--noCheck'))) {
    throw new Error('the sources must compile before tests can run the command');
  }
  return join(built, source.replace(/\.ts$/, '.js'));
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
