import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderingRooms } from '../../synth/render-cache.ts';
import {
  cycles,
  hiddenLoads,
  importsOf,
  roomOf,
  turnsBack,
  violations,
  wrongDoors,
  type Sources,
} from './imports.ts';
import { doors } from '../../scripts/doors.ts';
import { isProduct, productRooms, projectFiles, root } from './tracked.ts';

const below = productRooms.filter((room) => room !== 'cli');

/** The rooms that each room may import besides itself, for types too. Rooms that are not listed may import anything. */
const table = {
  kube: [],
  schema: ['kube'],
  crds: ['kube', 'schema'],
  olm: ['kube', 'schema', 'crds'],
  constructs: ['kube', 'schema', 'crds', 'olm'],
  synth: ['kube'],
  apps: ['kube', 'crds', 'olm', 'constructs', 'synth'],
  // Of olm/ only the kinds on clusters: olm/api.
  runtime: ['kube', 'schema', 'crds', 'olm'],
  testing: ['kube', 'schema', 'crds', 'runtime'],
  operator: ['kube', 'schema', 'crds', 'constructs', 'runtime'],
  install: ['kube', 'schema', 'crds', 'olm', 'runtime'],
  cli: [...below, 'index.ts'],
  examples: ['index.ts', 'argocd.ts', 'crd.ts', 'flux.ts', 'schema.ts', 'olm.ts', 'runtime.ts'],
  'index.ts': below,
  // A user who points Argo CD or Flux at the output loads neither apps nor runtime.
  'argocd.ts': ['constructs'],
  'flux.ts': ['constructs'],
  'crd.ts': below,
  'schema.ts': below,
  // A user who reads bundles loads neither cdk8s nor the runtime.
  'olm.ts': ['kube', 'schema', 'crds', 'olm'],
  // An operator loads no cdk8s.
  'runtime.ts': ['kube', 'schema', 'crds', 'olm', 'runtime'],
  'testing.ts': below,
};

const project: Sources = new Map(
  projectFiles()
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

const product: Sources = new Map([...project].filter(([path]) => isProduct(path)));

/** The exports of package.json, as imports. */
const packageDoors = doors.map(({ source }) => `import './${source}';`).join('\n');

const fake = (files: Record<string, string>): Sources => new Map(Object.entries(files));

test('every room imports only from the rooms that it may', () => {
  expect(violations(project, table)).toEqual([]);
});

test('no file imports itself through other files', () => {
  expect(cycles(project)).toEqual([]);
});

test('imports between the folders of a room have one direction', () => {
  expect(turnsBack(product)).toEqual([]);
});

test('bundlers can follow everything that the product loads', () => {
  expect(hiddenLoads(product)).toEqual([]);
});

/** Returns whether a path is a public file of a room that allows imports only from its top or from these folders. */
const isDoor = (path: string): boolean =>
  path.split('/').length === 2 ||
  path.startsWith('crds/tenantry/') ||
  path.startsWith('kube/api/') ||
  path.startsWith('kube/rights/') ||
  ['read', 'write', 'plain'].some((name) => path === `kube/yaml/${name}.ts`);

test('the top of a room has only public files that are used, and no other room imports deeper files', () => {
  const used = new Map([...product, ['package.json', packageDoors]]);
  const found = wrongDoors(used, ['kube', 'schema', 'crds'], isDoor);
  expect(found.filter((one) => !/^crds\/tenantry\/.*nobody/.test(one))).toEqual([]);
});

test('code that meets OLM on clusters loads only its kinds, and nothing of bundles', () => {
  const api = new Map([...product].filter(([path]) => path.startsWith('olm/api/')));
  const outside = [...api].flatMap(([path, text]) =>
    importsOf(text)
      .filter(({ specifier }) => /^\.\.\/(?!\.\.\/)/.test(specifier))
      .map(({ specifier }) => `${path}: ${specifier}`),
  );
  expect(outside).toEqual(['olm/api/cluster-service-version.ts: ../bundle/csv/spec.ts']);
  const inside = [...product].flatMap(([path, text]) =>
    /^(runtime|testing|operator)\//.test(path) || path === 'runtime.ts'
      ? importsOf(text)
          .filter(({ specifier }) => /\/olm\/(?!api\/)/.test(specifier))
          .map(({ specifier }) => `${path}: ${specifier}`)
      : [],
  );
  expect(inside).toEqual([]);
});

test('no room has a third of the product', () => {
  const sizes = new Map<string, number>();
  for (const [path, text] of product) {
    sizes.set(roomOf(path), (sizes.get(roomOf(path)) ?? 0) + text.split('\n').length);
  }
  const all = sizes.values().reduce((sum, size) => sum + size, 0);
  expect([...sizes].filter(([, size]) => size > all / 3)).toEqual([]);
});

test('the cache between runs is dropped when any room that renders changes', () => {
  const reached = new Set(['apps']);
  for (const room of reached) for (const one of table[room as keyof typeof table]) reached.add(one);
  expect([...reached].toSorted()).toEqual(renderingRooms.toSorted());
});

test('a forbidden import is reported with file and line', () => {
  const sources = fake({
    'kube/object.ts': `\nimport type { Chart } from '../constructs/tenant/chart.ts';\n`,
    'synth/plan.ts': `export * from '../test/plan.ts';\nimport '../kube/object.ts';\n`,
    'synth/watch.ts': `const drift = await import('../operator/drift.ts');\n`,
    'synth/main.ts': `import { App } from 'tenantry';\n`,
    'index.ts': `export { run } from './cli/main.ts';\n`,
    'cli/main.ts': `import { App } from '../index.ts';\nimport bench from "../bench/synth.ts";\n`,
    'scripts/test.ts': `import '../test/anything.ts';\n`,
  });
  const allowed = { kube: [], synth: ['kube'], 'index.ts': ['synth'], cli: ['synth', 'index.ts'] };
  expect(violations(sources, allowed)).toEqual([
    `kube/object.ts:2 must import from no other room, got '../constructs/tenant/chart.ts'`,
    `synth/plan.ts:1 must import from kube, got '../test/plan.ts'`,
    `synth/watch.ts:1 must import from kube, got '../operator/drift.ts'`,
    `synth/main.ts:1 must import from kube, got 'tenantry'`,
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
  expect(turnsBack(sources)).toEqual(['crds: b -> c -> b', 'crds: a -> b -> a']);
});

test('an unused public file is reported, and so is an import of a private one', () => {
  const sources = fake({
    'kube/object.ts': '',
    'kube/yaml/read.ts': '',
    'crds/define.ts': `import '../kube/yaml/read.ts';`,
  });
  const isTop = (path: string): boolean => path === 'kube/object.ts';
  expect(wrongDoors(sources, ['kube'], isTop)).toEqual([
    'kube/object.ts is a door, and nobody comes in by it',
    'kube/yaml/read.ts is no door, and crds/define.ts comes in by it',
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
