import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cycles, importsOf, violations, type Sources } from './imports.ts';
import { projectFiles, root } from './tracked.ts';

const below = ['kube', 'schema', 'crds', 'constructs', 'synth', 'apps', 'runtime', 'operator'];

/** Who may import whom, besides itself; types included. Rooms that are not here may import anything. */
const table = {
  kube: [],
  schema: ['kube'],
  crds: ['kube', 'schema'],
  constructs: ['kube', 'schema', 'crds'],
  synth: ['kube'],
  apps: ['kube', 'crds', 'constructs', 'synth'],
  runtime: ['kube', 'schema', 'crds'],
  operator: ['kube', 'schema', 'crds', 'constructs', 'runtime'],
  cli: [...below, 'index.ts'],
  'index.ts': below,
};

const project: Sources = new Map(
  projectFiles()
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

const fake = (files: Record<string, string>): Sources => new Map(Object.entries(files));

test('every room imports only from the rooms that it may', () => {
  expect(violations(project, table)).toEqual([]);
});

test('no file imports itself by way of others', () => {
  expect(cycles(project)).toEqual([]);
});

test('an import that the table forbids is named with file and line', () => {
  const sources = fake({
    'crds/tenant.ts': `\nimport type { Chart } from '../constructs/tenant/chart.ts';\n`,
    'synth/plan.ts': `export * from '../test/plan.ts';\nimport '../crds/object.ts';\n`,
    'runtime/watch.ts': `const drift = await import('../operator/drift.ts');\n`,
    'operator/main.ts': `import { App } from 'tenantry';\n`,
    'index.ts': `export { run } from './cli/main.ts';\n`,
    'cli/main.ts': `import { App } from '../index.ts';\nimport bench from "../bench/synth.ts";\n`,
    'scripts/test.ts': `import '../test/anything.ts';\n`,
  });
  expect(violations(sources, table)).toEqual([
    `crds/tenant.ts:2 must import from no other room, got '../constructs/tenant/chart.ts'`,
    `synth/plan.ts:1 must import from crds, got '../test/plan.ts'`,
    `runtime/watch.ts:1 must import from crds, got '../operator/drift.ts'`,
    `operator/main.ts:1 must import from runtime, constructs, crds, got 'tenantry'`,
    `index.ts:1 must import from apps, constructs, crds, operator, runtime, synth, got './cli/main.ts'`,
    `cli/main.ts:2 must import from apps, constructs, crds, index.ts, operator, runtime, synth, got '../bench/synth.ts'`,
  ]);
});

test('a cycle is named with its files, and one of types only is a cycle', () => {
  const sources = fake({
    'crds/a.ts': `import { b } from './b.ts';`,
    'crds/b.ts': `import type { C } from './deep/c.ts';`,
    'crds/deep/c.ts': `export type { A } from '../a.ts';`,
    'crds/alone.ts': `import { b } from './b.ts';`,
  });
  expect(cycles(sources)).toEqual(['crds/a.ts -> crds/b.ts -> crds/deep/c.ts -> crds/a.ts']);
});

test('all ways to import are seen, and none in comments and templates', () => {
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
