import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goFolder, keyFile, computeSourcesKey } from '@tenantry/testing/controlplane/cache';
import { versions } from '@tenantry/testing/controlplane/programs';
import { publishedManifest, workspaces } from './packages.ts';
import { root } from './steps.ts';

/**
 * Compiles the packages to JavaScript in a folder, and returns whether that succeeded. The sources are
 * ES modules; the output is CommonJS, which both `import` and `require` can load. The folder has the
 * layout of the repository, and works in place.
 */
export function compile(folder: string, ...flags: readonly string[]): boolean {
  // Doc comments are in the declarations; in the code they would be parsed at each start.
  const isCompiled = typescript(folder, '--declaration', 'false', '--removeComments', ...flags);
  linkPackages(folder, 'commonjs');
  const command = join(folder, 'cli', 'main.js');
  if (existsSync(command)) {
    chmodSync(command, 0o755);
    // The package.json of the root declares the sources as ES modules.
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
    copyControlPlane(join(folder, 'packages', 'testing', 'controlplane', 'go'));
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

/** Writes the type declarations of the packages to a folder, and returns whether that succeeded. */
export function declare(folder: string, ...flags: readonly string[]): boolean {
  const isDeclared = typescript(folder, '--emitDeclarationOnly', ...flags);
  linkPackages(folder, 'module');
  return isDeclared;
}

/** Writes what npm publishes beside the code of each package, and a link by which the others find it. */
export function linkPackages(folder: string, type: 'commonjs' | 'module'): void {
  for (const one of workspaces) {
    const text = `${JSON.stringify({ ...publishedManifest(one), type }, undefined, 2)}\n`;
    mkdirSync(join(folder, one.folder), { recursive: true });
    writeFileSync(join(folder, one.folder, 'package.json'), text);
    cpSync(join(root, 'LICENSE'), join(folder, one.folder, 'LICENSE'));
    cpSync(join(root, one.folder, 'README.md'), join(folder, one.folder, 'README.md'));
  }
  const link = join(folder, 'node_modules', '@tenantry');
  if (existsSync(link)) return;
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const isWindows = process.platform === 'win32';
  symlinkSync(isWindows ? join(folder, 'packages') : '../packages', link, 'junction');
}

function typescript(folder: string, ...flags: readonly string[]): boolean {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // With several threads, each would do much of the work again.
  const fixed = ['-p', 'tsconfig.build.json', '--singleThreaded'];
  const args = [compiler, ...fixed, '--outDir', folder, ...flags];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
