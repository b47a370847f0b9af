import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goFolder, keyFile, computeSourcesKey } from '../testing/controlplane/cache.ts';
import { versions } from '../testing/controlplane/programs.ts';
import { root } from './steps.ts';

/**
 * Compiles the package to JavaScript in a folder, and returns whether that succeeded. The sources are
 * ES modules; the output is CommonJS, which both `import` and `require` can load.
 */
export function compile(folder: string, ...flags: readonly string[]): boolean {
  // Doc comments are in the declarations; in the code they would be parsed at each start.
  const isCompiled = typescript(folder, '--declaration', 'false', '--removeComments', ...flags);
  const command = join(folder, 'cli', 'main.js');
  if (existsSync(command)) {
    chmodSync(command, 0o755);
    // The package.json of the root declares the sources as ES modules.
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
    copyControlPlane(join(folder, 'testing', 'controlplane', 'go'));
  }
  return isCompiled;
}

/**
 * Copies the sources from which a control plane is built where none can be downloaded, without
 * checksums: they would be half of the size.
 */
function copyControlPlane(folder: string): void {
  cpSync(goFolder, folder, { recursive: true, filter: (path) => !path.endsWith('.sum') });
  for (const { modFile } of versions) {
    writeFileSync(join(folder, keyFile(modFile)), computeSourcesKey(modFile));
  }
}

/** Writes the type declarations of the package to a folder, and returns whether that succeeded. */
export function declare(folder: string, ...flags: readonly string[]): boolean {
  return typescript(folder, '--emitDeclarationOnly', ...flags);
}

function typescript(folder: string, ...flags: readonly string[]): boolean {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // With several threads, each would do much of the work again.
  const fixed = ['-p', 'tsconfig.build.json', '--singleThreaded'];
  const args = [compiler, ...fixed, '--outDir', folder, ...flags];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
