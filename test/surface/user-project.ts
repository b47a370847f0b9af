import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { entryPoints, published } from '../../scripts/packages.ts';
import { runnable } from '../packages/built.ts';
import { declarations } from '../packages/declarations.ts';
import { root } from '../structure/tracked.ts';
import { place, type Texts } from '../synth/output/folders.ts';

const packages = ['cdk8s', 'cdk8s-plus-28', 'constructs', 'fast-check', '@types'];
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** The result of a program. */
export interface Ran {
  /** The printed lines. */
  readonly lines: readonly string[];
  /** The error that ended it. */
  readonly error?: string;
}

/** A folder of a user who imports the package by name; its TypeScript can be checked and run. */
export class UserProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry user-'));

  /** Creates a folder in which the package is the build of this repository. */
  constructor(files: Texts) {
    const modules = join(this.folder, 'node_modules');
    mkdirSync(modules, { recursive: true });
    for (const name of packages) {
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
    }
    for (const { manifest } of published) {
      const own = entryPoints.filter(({ name }) => isEntryPointOf(manifest.name, name));
      const names = own.map(({ name }, i) => [
        name.replace(manifest.name, '.'),
        `./entryPoint${i}.js`,
      ]);
      if (own.length === 0) continue;
      place(join(modules, manifest.name), {
        'package.json': JSON.stringify({
          name: manifest.name,
          type: 'module',
          exports: Object.fromEntries(names) as Record<string, string>,
        }),
        ...Object.fromEntries(
          own.map(({ source }, i) => {
            const url = pathToFileURL(runnable(source)).href;
            return [`entryPoint${i}.js`, `export * from ${JSON.stringify(url)};\n`];
          }),
        ),
      });
    }
    place(this.folder, {
      'package.json': '{ "type": "module" }\n',
      'tsconfig.json': JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { paths: pathsOfEntryPoints() },
        include: ['**/*.ts'],
      }),
      ...files,
    });
  }

  /** Returns the compiler's errors in these files under the strictest options; empty if there are none. */
  async compile(): Promise<string> {
    return (await this.#node(tsc, '-p', 'tsconfig.json', '--pretty', 'false')).trimEnd();
  }

  /** Runs a file and returns its output. */
  run(file: string): Promise<string> {
    return this.#node(file);
  }

  /** Runs programs in one process, one after the other, each in its own folder. */
  async runAll(
    programs: readonly { readonly file: string; readonly folder: string }[],
  ): Promise<readonly Ran[]> {
    place(this.folder, { 'run-all.ts': runner(programs) });
    return JSON.parse(await this.run('run-all.ts')) as Ran[];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #node(...args: readonly string[]): Promise<string> {
    const execute = promisify(execFile);
    const options = { cwd: this.folder, maxBuffer: 2 ** 28 };
    try {
      return (await execute(process.execPath, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      if (stderr !== '') throw new Error(`${args.join(' ')} failed:\n${stderr}`, { cause: error });
      return stdout;
    }
  }
}

const isEntryPointOf = (name: string, entryPoint: string): boolean =>
  entryPoint === name || entryPoint.startsWith(`${name}/`);

/** Returns the `paths` of a tsconfig.json that map the names of the package to its declarations. */
function pathsOfEntryPoints(): Readonly<Record<string, readonly string[]>> {
  const folder = declarations();
  return Object.fromEntries(
    entryPoints.map(({ name, source }) => [name, [join(folder, source.replace(/\.ts$/, '.d.ts'))]]),
  );
}

const runner = (
  programs: readonly { readonly file: string; readonly folder: string }[],
): string => `
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';

const home = process.cwd();
const print = console.log;
const results: object[] = [];
for (const { file, folder } of ${JSON.stringify(programs)}) {
  const lines: string[] = [];
  console.log = (...args: unknown[]) => lines.push(format(...args));
  mkdirSync(join(home, folder), { recursive: true });
  process.chdir(join(home, folder));
  try {
    await import(\`./\${file}\`);
    results.push({ lines });
  } catch (error) {
    results.push({ lines, error: String(error) });
  }
}
print(JSON.stringify(results));
`;
