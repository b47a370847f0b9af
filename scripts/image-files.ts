import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Folders whose code is in the image: all that the operator needs, except tests. */
const rooms = [
  'apps',
  'cli',
  'constructs',
  'crds',
  'model',
  'operator',
  'packages/crd',
  'packages/kube',
  'packages/operator-kit',
  'packages/runtime',
  'synth',
] as const;

/** A package that users install for metrics; the image serves metrics, so it includes it. */
const METRICS = 'prom-client';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Versions;
  readonly devDependencies: Versions;
}

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Versions }>>;
}

/** The input and output folders of the image. */
export interface ImageProps {
  /** The repository, or a copy of it, with node_modules and package-lock.json. */
  readonly root: string;
  /** @default - build/ of the root */
  readonly build?: string;
  /** A folder that is not there yet: /app of the image. */
  readonly target: string;
}

/** Writes the packages of the image, with a package.json that lists exactly these. */
export function writePackages({ root, target }: Omit<ImageProps, 'build'>): readonly string[] {
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
  const { name, version, license, ...manifest } = read<Manifest>('package.json');
  const metrics = { [METRICS]: manifest.devDependencies[METRICS]! };
  const own = rooms.filter((room) => room.startsWith('packages/'));
  const manifests = own.map((folder) => read<Manifest>(join(folder, 'package.json')));
  const all = [manifest, ...manifests].flatMap((one) => Object.entries(one.dependencies ?? {}));
  const published = all.filter(([name]) => !name.startsWith('@tenantry/'));
  const dependencies = { ...(Object.fromEntries(published) as Versions), ...metrics };
  mkdirSync(target, { recursive: true });
  const image = { name, version, license, private: true, type: 'module', dependencies };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(image, undefined, 2)}\n`);
  const paths = closure(Object.keys(dependencies), read<Locked>('package-lock.json'));
  for (const path of paths) copyPackage(join(root, path), join(target, path));
  return paths;
}

/** Writes all files of the image. */
export function writeImage({ root, build = join(root, 'build'), target }: ImageProps): void {
  writePackages({ root, target });
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  cpSync(join(build, 'package.json'), join(target, 'build', 'package.json'));
  for (const room of rooms) {
    cpSync(join(build, room), join(target, 'build', room), {
      recursive: true,
      filter: (path) => !/\.(?:d\.c?ts|md)$/.test(path),
    });
  }
  mkdirSync(join(target, 'build', 'node_modules'));
  symlinkSync('../packages', join(target, 'build', 'node_modules', '@tenantry'));
}

/** Returns the folders of packages and of their dependencies, as Node resolves them, in order. */
function closure(names: readonly string[], { packages }: Locked): readonly string[] {
  const found = new Set<string>();
  const find = (name: string, from: string): string => {
    for (let folder = from; ; folder = dirname(folder)) {
      const path = `${folder === '.' ? '' : `${folder}/`}node_modules/${name}`;
      if (path in packages) return path;
      if (folder === '.') throw new Error(`package-lock.json must have ${name}, for ${from}`);
    }
  };
  const add = (name: string, from: string): void => {
    const path = find(name, from);
    if (found.has(path)) return;
    found.add(path);
    for (const one of Object.keys(packages[path]?.dependencies ?? {})) add(one, path);
  };
  for (const name of names) add(name, '.');
  return [...found].toSorted();
}

/** Copies a package without nested packages, which are copied where they are needed. */
function copyPackage(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => !path.slice(from.length).split(sep).includes('node_modules'),
  });
}
