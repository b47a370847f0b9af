import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPage } from '../docs/pages.ts';
import type { Texts } from '../synth/output/folders.ts';

type Names = Readonly<Record<string, string>>;

/** The dependencies in a package.json. */
export interface Manifest {
  readonly dependencies: Names;
  readonly devDependencies: Names;
}

const page = readPage(join('docs', 'typescript.md'));

/** The commands of the page for a project of cdk8s init. */
export const steps: readonly string[] = page.blocks
  .filter(({ language, hints }) => language === 'sh' && hints.has('stock'))
  .flatMap(({ text }) => text.trim().split('\n'));

/** The files of the page for such a project. */
export const written: Texts = Object.fromEntries(
  page.blocks.flatMap(({ language, hints, text }) =>
    language === 'ts' && hints.has('stock') ? [[hints.get('stock')!, text]] : [],
  ),
);

/** The programs of the page, for the cdk8s-plus of such a project. */
export const programs: Texts = Object.fromEntries(
  page.blocks
    .filter(({ language, hints }) => language === 'ts' && !hints.has('fragment'))
    .map(({ text }, i) => [
      `page/program${i}.ts`,
      text.replaceAll('cdk8s-plus-28', 'cdk8s-plus-33'),
    ]),
);

/**
 * Returns the files that `cdk8s init typescript-app` writes; its node_modules are those of this repository's manifest.
 */
export function template(cdk8s: string): Texts {
  const folder = join(dirname(cdk8s), '..', 'cdk8s-cli', 'templates', 'typescript-app');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.hooks'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return Object.fromEntries(
    files.map((path) => [
      path.replace('{{}}', ''),
      readFileSync(join(folder, path), 'utf8').replaceAll(/\{\{ ([$\w]+) \}\}/g, filled),
    ]),
  );
}

const pinned = JSON.parse(
  readFileSync(join(import.meta.dirname, 'stock', 'package.json'), 'utf8'),
) as Pick<Manifest, 'dependencies'>;

function filled(_: string, name: string): string {
  const versions: Names = {
    cdk8s_core_version: pinned.dependencies['cdk8s']!,
    cdk8s_plus_version: pinned.dependencies['cdk8s-plus-33']!,
    constructs_version: pinned.dependencies['constructs']!,
    cdk8s_cli_spec: 'latest',
    $base: 'stock',
  };
  const value = versions[name];
  if (value === undefined) throw new Error(`the template must ask for what is known, got ${name}`);
  return value;
}

/** Returns the packages of a template that this repository's manifest lacks or has in another version. */
export function missing(files: Texts): string[] {
  const { dependencies, devDependencies } = JSON.parse(files['package.json']!) as Manifest;
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name !== 'cdk8s-cli')
    .filter(([name, range]) => {
      const version = pinned.dependencies[name] ?? '';
      const asked = range.replace(/^\^/, '').replace(/\.x$/, '');
      return version !== asked && !version.startsWith(`${asked}.`);
    })
    .map(([name, range]) => `${name} ${range}`);
}
