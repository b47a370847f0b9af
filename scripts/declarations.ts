import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `from './kind.js'`, `import("./kind.ts")`, `from '@tenantry/kube/object'`. */
const imported = /(?:from|import)\s*\(?\s*["']((?:\.|@tenantry\/)[^"']+)["']/g;

/** Comments, which may contain an example with imports. */
const comment = /\/\*.*?\*\//gs;

/** Removes declarations that no entry point imports, as users of the package cannot reach them. */
export function keepReachable(folder: string, entryPoints: readonly string[]): void {
  const reached = new Set(entryPoints.map((entryPoint) => join(folder, entryPoint)));
  for (const file of reached) {
    const code = readFileSync(file, 'utf8').replaceAll(comment, '');
    for (const [, specifier = ''] of code.matchAll(imported)) {
      const declared = declarationOf(folder, file, specifier);
      if (!existsSync(declared))
        throw new Error(`${file} must import what is declared, got ${specifier}`);
      reached.add(declared);
    }
  }
  for (const path of globSync('**/*.d.ts', { cwd: folder, exclude: ['node_modules'] })) {
    const file = join(folder, path);
    if (!reached.has(file)) rmSync(file);
  }
}

function declarationOf(folder: string, file: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
  const [, name = '', path = 'index'] = /^@tenantry\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return join(folder, 'packages', name, `${path}.d.ts`);
}
