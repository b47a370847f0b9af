import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../packages/install.ts';

/** A folder whose node_modules has the packages for a test, or the reason why there is none. */
export type Installed = { readonly folder: string } | { readonly missing: string };

const at = (name: string): string => join(import.meta.dirname, name);
const bin = (name: string): string => join('node_modules', '.bin', name);

/** Installs what `cdk8s init typescript-app` installs, except cdk8s-cli. */
export const installStock = (): Promise<Installed> =>
  installed('typescript-stock', '29.7.0', 'stock', bin('ts-node'));

/** Returns the compiler of a version in a folder from `installVersions`. */
export const compilerOf = (version: string): string =>
  join('node_modules', `typescript-${version}`, 'bin', 'tsc');

/** Installs versions of TypeScript and cdk8s-plus that users may have. */
export const installVersions = (): Promise<Installed> =>
  installed('typescript-versions', '5.9.3', 'versions', compilerOf('5.9'));

const platform = `${process.platform}-${process.arch}`;
/** Returns the Node of a version in a folder from `installNodes`. */
export const nodeOf = (folder: string, version: string): string =>
  join(folder, 'node_modules', `node-${version}-${platform}`, 'bin', 'node');

/** Installs versions of Node that users may have. */
export async function installNodes(): Promise<Installed> {
  const nodes = await installed('typescript-nodes', '26.10.0', 'nodes', 'package.json');
  const has = (version: string): boolean =>
    'folder' in nodes && existsSync(nodeOf(nodes.folder, version));
  if ('missing' in nodes || has('26')) return nodes;
  return { missing: `there is no Node in npm for ${platform}` };
}

async function installed(
  name: string,
  version: string,
  manifests: string,
  entry: string,
): Promise<Installed> {
  const messages: string[] = [];
  const folder = await installPackages(
    { name, version, manifests: at(manifests), entry },
    { log: (line) => messages.push(line) },
  );
  return folder === undefined ? { missing: messages.at(-1)!.replaceAll(/\s+/g, ' ') } : { folder };
}
