import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    // What a control plane is built of where none can be downloaded.
    const go = join('testing', 'controlplane', 'go');
    cpSync(join(root, go), join(folder, go), { recursive: true });
  }
  return isCompiled;
}

/** Writes the type declarations of the package to a folder, and says whether that went well. */
export function declare(folder: string): boolean {
  return typescript(folder, '--emitDeclarationOnly');
}

function typescript(folder: string, ...flags: readonly string[]): boolean {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', folder, ...flags];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
