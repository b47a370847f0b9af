import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderingPackages, renderingRooms } from '../../synth/render-cache.ts';
import {
  cycles,
  hiddenLoads,
  importsOf,
  packageNameIn,
  roomOf,
  target,
  findFolderCycles,
  violations,
  findVisibilityErrors,
  type Sources,
} from './imports.ts';
import { entryPoints, published, workspaces, type Manifest } from '../../scripts/packages.ts';
import { isProduct, productRooms, projectFiles, root } from './tracked.ts';

/** The packages that a package depends on, by their folders: 'packages/kube'. */
const packagesOf = ({ dependencies = {} }: Manifest): string[] =>
  Object.keys(dependencies)
    .filter((name) => name.startsWith('@tenantry/'))
    .map((name) => name.replace('@tenantry', 'packages'));

const all = workspaces.map(({ folder }) => folder);
const rooms = productRooms.filter((room) => room !== 'packages');

/**
 * The rooms and packages that each room may import besides itself, for types too. A package may import those that its
 * package.json lists. Rooms that are not listed may import anything.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(workspaces.map(({ folder, manifest }) => [folder, packagesOf(manifest)])),
  crds: ['packages/kube', 'packages/crd'],
  // What is rendered for a declaration is known without cdk8s, to the operator too.
  model: ['packages/kube', 'packages/crd', 'packages/operator-kit', 'crds'],
  constructs: [
    'packages/kube',
    'packages/crd',
    'packages/operator-kit',
    'packages/olm',
    'crds',
    'model',
  ],
  synth: ['packages/kube'],
  apps: ['packages/kube', 'packages/olm', 'packages/crd', 'crds', 'model', 'constructs', 'synth'],
  operator: ['packages/kube', 'packages/crd', 'packages/runtime', 'crds', 'model'],
  import: ['packages/kube', 'packages/crd', 'crds', 'model', 'operator'],
  cli: [...all, ...rooms.filter((room) => room !== 'cli'), 'index.ts'],
  examples: [...all, 'index.ts', 'argocd.ts', 'flux.ts'],
  'index.ts': [...all, ...rooms.filter((room) => room !== 'cli')],
  // A user who points Argo CD or Flux at the output loads neither apps nor runtime.
  'argocd.ts': ['constructs', 'model'],
  'flux.ts': ['constructs', 'model'],
};

const project: Sources = new Map(
  projectFiles()
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

const product: Sources = new Map([...project].filter(([path]) => isProduct(path)));

/** The entry points of the packages, as imports. */
const publicEntries = entryPoints.map(({ source }) => `import './${source}';`).join('\n');

const fake = (files: Record<string, string>): Sources => new Map(Object.entries(files));

test('every room and package imports only from those that it may', () => {
  expect(violations(product, table)).toEqual([]);
});

test('a package imports only packages that its package.json lists', () => {
  const found = published.flatMap(({ folder, manifest }) => {
    const listed = { ...manifest.dependencies, ...manifest.peerDependencies };
    const own = folder === '' ? (path: string) => !path.startsWith('packages/') : isIn(folder);
    return [...product]
      .filter(([path]) => own(path))
      .flatMap(([path, source]) =>
        importsOf(source).flatMap(({ line, specifier }) => {
          const name = packageNameIn(specifier);
          return name === undefined || name in listed ? [] : [`${path}:${line} ${name}`];
        }),
      );
  });
  expect(found).toEqual([]);
});

const isIn =
  (folder: string) =>
  (path: string): boolean =>
    path.startsWith(`${folder}/`);

test('tests of a package know no tenants', () => {
  const found = [...project]
    .filter(([path]) => /^packages\/[^/]+\/test\//.test(path))
    .flatMap(([path, source]) =>
      importsOf(source).flatMap(({ line, specifier }) => {
        const file = target(path, specifier);
        const isAllowed = file === undefined || /^(packages|test|scripts)\//.test(file);
        return isAllowed ? [] : [`${path}:${line} ${specifier}`];
      }),
    );
  expect(found).toEqual([]);
});

test('every script of a package.json runs a file that exists', () => {
  const missing = published.flatMap(({ folder, manifest }) =>
    Object.values(manifest.scripts ?? {}).flatMap((command) =>
      [...command.matchAll(/\S+\.[jt]s\b/g)]
        .map(([path]) => join(folder, path))
        .filter((path) => !existsSync(join(root, path))),
    ),
  );
  expect(missing).toEqual([]);
});

test('no file imports itself through other files', () => {
  expect(cycles(project)).toEqual([]);
});

test('imports between the folders of a room, and between packages, have one direction', () => {
  expect(findFolderCycles(product)).toEqual([]);
});

test('bundlers can follow everything that the product loads', () => {
  expect(hiddenLoads(product)).toEqual([]);
});

/** Folders of packages whose files may be imported from outside. */
const open = new Set(['packages/kube/api', 'packages/kube/rights', 'packages/crd/constructs']);

/** Parts of the product whose inner folders are private. */
const closed = ['packages/crd/schema', 'packages/crd', 'packages/kube'];

/** An entry point counts as a part of its own: it imports what users get. */
const partOf = (path: string): string => {
  if (entryPoints.some(({ source }) => source === path)) return path;
  return closed.find((part) => isIn(part)(path)) ?? roomOf(path);
};

/** Returns whether a path is a public file: at the top of a part with private folders, or in an open folder. */
const isPublic = (path: string): boolean =>
  !closed.includes(partOf(path)) ||
  dirname(path) === partOf(path) ||
  open.has(dirname(path)) ||
  ['read', 'write', 'plain'].some((name) => path === `packages/kube/yaml/${name}.ts`);

test('kube, crd and their schemas are imported only by their public files, and all of these are used', () => {
  const used = new Map([...product, ['package.json', publicEntries]]);
  const found = findVisibilityErrors(used, partOf, isPublic);
  expect(found.filter((one) => closed.includes(partOf(one)))).toEqual([]);
});

test('an operator that reports to OLM loads only the kinds of OLM, and nothing of bundles', () => {
  const reached = new Set(['packages/olm/operator-conditions.ts']);
  for (const path of reached) {
    for (const { specifier } of importsOf(product.get(path) ?? '')) {
      const file = target(path, specifier);
      if (file !== undefined) reached.add(file);
    }
  }
  const folders = new Set([...reached].filter(isIn('packages/olm')).map((path) => dirname(path)));
  expect([...folders].toSorted()).toEqual([
    'packages/olm',
    'packages/olm/api',
    'packages/olm/operator-condition',
  ]);
});

test('no room has a third of the product', () => {
  const sizes = new Map<string, number>();
  for (const [path, text] of product) {
    sizes.set(roomOf(path), (sizes.get(roomOf(path)) ?? 0) + text.split('\n').length);
  }
  const all = sizes.values().reduce((sum, size) => sum + size, 0);
  expect([...sizes].filter(([, size]) => size > all / 3)).toEqual([]);
});

test('the cache between runs is dropped when any code that renders changes', () => {
  const reached = new Set(['apps']);
  for (const room of reached) for (const one of table[room] ?? []) reached.add(one);
  const folders = renderingPackages.map((name) => `packages/${name}`);
  expect([...reached].toSorted()).toEqual([...renderingRooms, ...folders].toSorted());
});

test('a forbidden import is reported with file and line', () => {
  const sources = fake({
    'packages/kube/object.ts': `\nimport type { Chart } from '../../model/chart.ts';\n`,
    'packages/crd/define.ts': `import { Kind } from '@tenantry/runtime/kinds/kind';\n`,
    'synth/plan.ts': `export * from '../test/plan.ts';\nimport '@tenantry/kube/object';\n`,
    'synth/watch.ts': `const drift = await import('../operator/drift.ts');\n`,
    'synth/main.ts': `import { App } from 'tenantry';\n`,
    'index.ts': `export { run } from './cli/main.ts';\n`,
    'cli/main.ts': `import { App } from '../index.ts';\nimport bench from "../bench/synth.ts";\n`,
    'scripts/test.ts': `import '../test/anything.ts';\n`,
  });
  const allowed = {
    'packages/kube': [],
    'packages/crd': ['packages/kube'],
    synth: ['packages/kube'],
    'index.ts': ['synth'],
    cli: ['synth', 'index.ts'],
  };
  expect(violations(sources, allowed)).toEqual([
    `packages/kube/object.ts:2 must import from no other room, got '../../model/chart.ts'`,
    `packages/crd/define.ts:1 must import from packages/kube, got '@tenantry/runtime/kinds/kind'`,
    `synth/plan.ts:1 must import from packages/kube, got '../test/plan.ts'`,
    `synth/watch.ts:1 must import from packages/kube, got '../operator/drift.ts'`,
    `synth/main.ts:1 must import from packages/kube, got 'tenantry'`,
    `index.ts:1 must import from synth, got './cli/main.ts'`,
    `cli/main.ts:2 must import from synth, index.ts, got '../bench/synth.ts'`,
  ]);
});

test('code that bundlers cannot follow is reported with file and line', () => {
  const sources = fake({
    'kube/a.ts': `import { createRequire } from 'node:module';\nconst b = require('./b.js');`,
    'kube/c.ts': `const c = await import(\n  './c.ts'\n);\nconst d = await import(name);`,
    'kube/e.ts': "// require('./e.ts')\nconst f = await import(`./${name}.ts`);",
  });
  expect(hiddenLoads(sources)).toEqual([
    'kube/a.ts:1 createRequire',
    'kube/a.ts:2 require(',
    'kube/c.ts:4 import(',
    'kube/e.ts:2 import(',
  ]);
});

test('a cycle is reported with its files, even if it consists of types only', () => {
  const sources = fake({
    'crds/a.ts': `import { b } from './b.ts';`,
    'crds/b.ts': `import type { C } from './deep/c.ts';`,
    'crds/deep/c.ts': `export type { A } from '../a.ts';`,
    'crds/alone.ts': `import { b } from './b.ts';`,
  });
  expect(cycles(sources)).toEqual(['crds/a.ts -> crds/b.ts -> crds/deep/c.ts -> crds/a.ts']);
});

test('a folder that imports backward is reported even if no file imports itself', () => {
  const sources = fake({
    'crds/a/one.ts': `import '../b.ts';`,
    'crds/b.ts': `import './c/one.ts';`,
    'crds/c/one.ts': `import '../b/two.ts';`,
    'crds/b/two.ts': `import '../a/three.ts';`,
    'crds/a/three.ts': '',
  });
  expect(cycles(sources)).toEqual([]);
  expect(findFolderCycles(sources)).toEqual(['crds: b -> c -> b', 'crds: a -> b -> a']);
});

test('an unused public file is reported, and so is an import of a private one', () => {
  const sources = fake({
    'packages/kube/object.ts': '',
    'packages/kube/yaml/read.ts': '',
    'crds/define.ts': `import '@tenantry/kube/yaml/read';`,
  });
  const isTop = (path: string): boolean => !path.startsWith('packages/kube/yaml/');
  expect(findVisibilityErrors(sources, roomOf, isTop)).toEqual([
    'packages/kube/object.ts is public, and nobody imports it',
    'packages/kube/yaml/read.ts is private, and crds/define.ts imports it',
    'crds/define.ts is public, and nobody imports it',
  ]);
});

test('all forms of imports are found, and none in comments and templates', () => {
  const source = [
    `import fs from 'node:fs'; import './effect.ts';`,
    `import {`,
    `  one, // not from './comment.ts'`,
    `  type Two,`,
    `} from "./many.ts";`,
    `import type * as names from './names.ts';`,
    `export type { Three } from './three.ts';`,
    `/* import './block.ts' */ // import './line.ts';`,
    'const text = `',
    `import './template.ts';`,
    '`;',
    `type Four = import('./four.ts').Four;`,
    `const message = "import the CRD from 'git'";`,
    `const five = await import(`,
    `  './five.ts');`,
  ].join('\n');
  expect(importsOf(source)).toEqual([
    { line: 1, specifier: 'node:fs' },
    { line: 1, specifier: './effect.ts' },
    { line: 5, specifier: './many.ts' },
    { line: 6, specifier: './names.ts' },
    { line: 7, specifier: './three.ts' },
    { line: 12, specifier: './four.ts' },
    { line: 15, specifier: './five.ts' },
  ]);
});
