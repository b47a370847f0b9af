import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile } from '../../scripts/compile.ts';
import { root } from '../../scripts/steps.ts';

/** The key under which the globalSetup of jest leaves the build for its globalTeardown. */
export const packageKey = 'tenantry built package';

const variable = 'TENANTRY_BUILT';

/**
 * The package as users run it, built once for all tests of a run. JavaScript starts in two thirds of the time of the
 * sources, and tests run the command some 500 times.
 */
export class BuiltPackage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry-built-'));

  /** @throws if the sources are not valid TypeScript; types are not checked. */
  constructor() {
    if (!compile(join(this.#folder, 'build'), '--noCheck')) {
      this.remove();
      throw new Error('the sources must compile before tests can run the command');
    }
    cpSync(join(root, 'package.json'), join(this.#folder, 'package.json'));
    // A test runs the command as an unprivileged user.
    chmodSync(this.#folder, 0o755);
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'), 'junction');
    process.env[variable] = join(this.#folder, 'build');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the file to run for a source file: its build, or the source if the run has no build. */
export function runnable(source: string): string {
  const built = process.env[variable];
  return built === undefined ? join(root, source) : join(built, source.replace(/\.ts$/, '.js'));
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
