import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

/** An entry point of the package. */
export interface Door {
  /** The name to import: `tenantry/crd`. */
  readonly name: string;
  /** The source of it, relative to the repository. */
  readonly source: string;
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** The code that package.json exports. */
export const doors: readonly Door[] = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          name: `tenantry${path.slice(1)}`,
          source: target.default.replace(/^\.\/build\/(.*)\.js$/, '$1.ts'),
        },
      ],
);
