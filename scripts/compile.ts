import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goFolder, keyFile, computeSourcesKey } from '../testing/controlplane/cache.ts';
import { versions } from '../testing/controlplane/versions.ts';
import { root } from './steps.ts';

/**
 * Writes the JavaScript of the package to a folder, and says whether that went well. The sources are
 * ES modules, what is built of them is CommonJS, which `import` and `require` both load.
 */
export function compile(folder: string, ...flags: readonly string[]): boolean {
  // What is said of an export stands in its declaration; comments in the code would be read at each start.
  const isCompiled = typescript(folder, '--declaration', 'false', '--removeComments', ...flags);
  const command = join(folder, 'cli', 'main.js');
  if (existsSync(command)) {
    chmodSync(command, 0o755);
    // package.json above it speaks of the sources.
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
    copyControlPlane(join(folder, 'testing', 'controlplane', 'go'));
  }
  return isCompiled;
}

/** What a control plane is built of where none can be downloaded: the checksums would be half of all. */
function copyControlPlane(folder: string): void {
  cpSync(goFolder, folder, { recursive: true, filter: (path) => !path.endsWith('.sum') });
  for (const { modFile } of versions) {
    writeFileSync(join(folder, keyFile(modFile)), computeSourcesKey(modFile));
  }
}

/** Writes the type declarations of the package to a folder, and says whether that went well. */
export function declare(folder: string, ...flags: readonly string[]): boolean {
  return typescript(folder, '--emitDeclarationOnly', ...flags);
}

function typescript(folder: string, ...flags: readonly string[]): boolean {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // Several threads do much of it each for itself.
  const fixed = ['-p', 'tsconfig.build.json', '--singleThreaded'];
  const args = [compiler, ...fixed, '--outDir', folder, ...flags];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
