import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linkPackages } from '../scripts/compile.ts';

const root = dirname(import.meta.dirname);

/** The temporary folder of one benchmark, with a build of Tenantry as it is published. */
export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
  #made = 0;

  /**
   * Returns a new folder that never existed before: deleting a large tree and writing it again slows a
   * file system down for a while. Nothing is deleted before the end.
   */
  fresh(name: string): string {
    const folder = this.path(name);
    mkdirSync(folder);
    return folder;
  }

  /** Returns a new path like `fresh`, where nothing exists yet. */
  path(name: string): string {
    return join(this.folder, `${String(++this.#made).padStart(3, '0')}-${name}`);
  }

  /** The path of a built file: 'cli/main.js'. */
  built(path: string): string {
    return join(this.folder, 'build', path);
  }

  /** The URL of the build folder, with a slash at its end: a prefix of the URL of each built file. */
  builtUrl(): string {
    return `${pathToFileURL(realpathSync(join(this.folder, 'build'))).href}/`;
  }

  /** Compiles the package, and the programs to be measured with it. */
  build(): void {
    const config = join(root, 'tsconfig.build.json');
    const { include, exclude } = JSON.parse(readFileSync(config, 'utf8')) as Record<
      'include' | 'exclude',
      string[]
    >;
    const { name, version } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
    mkdirSync(join(this.folder, 'build'));
    writeFileSync(this.built('package.json'), JSON.stringify({ name, version, type: 'commonjs' }));
    const project = join(this.folder, 'tsconfig.json');
    const compilerOptions = {
      rootDir: root,
      outDir: join(this.folder, 'build'),
      declaration: false,
    };
    writeFileSync(
      project,
      JSON.stringify({
        extends: config,
        compilerOptions,
        include: [...include, 'bench/programs'].map((path) => join(root, path)),
        exclude: exclude.map((path) => join(root, path)),
      }),
    );
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status } = spawnSync(process.execPath, [tsc, '-p', project], {
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error('the sources must compile (see the errors of tsc above)');
    linkPackages(join(this.folder, 'build'), 'commonjs');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
