import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './steps.ts';

/** The fields of a package.json that scripts read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** A package of the repository that users install. */
export interface PublishedPackage {
  /** Relative to the repository: 'packages/kube'; empty for the root. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** An entry point of a package. */
export interface EntryPoint {
  /** The name to import: `@tenantry/crd`. */
  readonly name: string;
  /** The source of it, relative to the repository. */
  readonly source: string;
}

const read = (path: string): Manifest =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;

/** The packages below packages/, sorted by name. They have one version, and are published together. */
export const workspaces: readonly PublishedPackage[] = globSync('packages/*/package.json', {
  cwd: root,
})
  .toSorted()
  .map((path) => ({ folder: dirname(path), manifest: read(path) }));

/** All packages; the root is the last one. */
export const published: readonly PublishedPackage[] = [
  ...workspaces,
  { folder: '', manifest: read('package.json') },
];

/** The names of the packages of others on which these packages depend. */
export function listForeignDependencies(packages: readonly PublishedPackage[]): readonly string[] {
  const names = packages.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}));
  return [...new Set(names)].filter((name) => !name.startsWith('@tenantry/'));
}

/**
 * The entry points that package.json files name one by one. Patterns such as `./*` are for the other packages of this
 * repository.
 */
export const entryPoints: readonly EntryPoint[] = published
  .toReversed()
  .flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports).flatMap(([path, target]) => {
      const file = typeof target === 'string' ? target : target.default;
      if (path.includes('*') || file.endsWith('.json')) return [];
      const source = file.replace(/^\.\/(?:build\/)?(.*)\.[jt]s$/, '$1.ts');
      return [{ name: `${manifest.name}${path.slice(1)}`, source: join(folder, source) }];
    }),
  );

/** Returns the package.json of a package as it is published: of JavaScript and declarations, not of sources. */
export function publishedManifest({ manifest }: PublishedPackage): object {
  const { scripts: _scripts, exports, ...rest } = manifest;
  const built = Object.entries(exports).map(([path, target]) => {
    if (path === './package.json') return [path, target];
    const file = String(target).replace(/\.ts$/, '');
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  return { ...rest, exports: Object.fromEntries(built) as object };
}
