import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../structure/tracked.ts';
import { place, type Texts } from '../synth/output/folders.ts';
import { doorPaths, doors } from '../../scripts/doors.ts';

const packages = ['cdk8s', 'cdk8s-plus-28', 'constructs', 'fast-check', '@types'];
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** A folder of somebody who uses the package, by its names: its TypeScript can be checked and run. */
export class UserProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry user-'));

  /** Where the package is the sources of this repository. */
  constructor(files: Texts) {
    const modules = join(this.folder, 'node_modules');
    mkdirSync(join(modules, 'tenantry'), { recursive: true });
    for (const name of packages) {
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
    }
    const exports = doors.map(({ name }, i) => [name.replace('tenantry', '.'), `./door${i}.js`]);
    place(join(modules, 'tenantry'), {
      'package.json': JSON.stringify({
        name: 'tenantry',
        type: 'module',
        exports: Object.fromEntries(exports) as Record<string, string>,
      }),
      ...Object.fromEntries(
        doors.map(({ source }, i) => {
          const url = pathToFileURL(join(root, source)).href;
          return [`door${i}.js`, `export * from ${JSON.stringify(url)};\n`];
        }),
      ),
    });
    place(this.folder, {
      'package.json': '{ "type": "module" }\n',
      'tsconfig.json': JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { paths: doorPaths },
        include: ['**/*.ts'],
      }),
      ...files,
    });
  }

  /** What the compiler says of these files under the strictest options; empty when it is content. */
  async compile(): Promise<string> {
    const said = await this.#node('.', tsc, '-p', 'tsconfig.json', '--pretty', 'false');
    // Sources of ours that are wrong are found by their own check.
    return said
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('..'))
      .join('\n');
  }

  /** What a file prints. */
  run(file: string, folder = '.'): Promise<string> {
    return this.#node(folder, file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #node(folder: string, ...args: readonly string[]): Promise<string> {
    const execute = promisify(execFile);
    const options = { cwd: join(this.folder, folder), maxBuffer: 2 ** 28 };
    try {
      return (await execute(process.execPath, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      if (stderr !== '') throw new Error(`${args.join(' ')} failed:\n${stderr}`, { cause: error });
      return stdout;
    }
  }
}
