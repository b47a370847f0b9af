import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSurface } from '../../scripts/surface.ts';
import { declarations } from '../packages/declarations.ts';
import { UserProject, type Ran } from './user-project.ts';

const surface = readSurface(declarations());
const examples = surface.flatMap(({ name: entry, exports }) =>
  exports.flatMap(({ name, examples: [text] }) =>
    text ? [{ entry, name, code: codeOf(text) }] : [],
  ),
);

/** An export that two entry points share has one example. */
const uniqueExamples = [...new Map(examples.map((one) => [one.name, one])).values()];

/** Files that examples import when they continue another example. */
const shared = { define: 'redis.ts', conversions: 'box.ts' };

const project = new UserProject({
  ...Object.fromEntries(examples.map(({ name, code }) => [`${name}.ts`, code])),
  ...Object.fromEntries(Object.entries(shared).map(([name, file]) => [file, codeOfExport(name)])),
});

let printed: ReadonlyMap<string, Ran>;

beforeAll(async () => {
  const programs = uniqueExamples.map(({ name }) => ({
    file: `${name}.ts`,
    folder: `runs/${name}`,
  }));
  for (const { folder } of programs) {
    mkdirSync(join(project.folder, folder, 'tenants'), { recursive: true });
  }
  const ran = await project.runAll(programs);
  printed = new Map(uniqueExamples.map(({ name }, i) => [name, ran[i]!]));
});

afterAll(() => project.remove());

function codeOf(text: string): string {
  const code = /^```ts\n([^]*)\n```$/.exec(text.trim())?.[1];
  if (code === undefined) throw new Error(`an example must be one block of ts, got\n${text}`);
  return `${code}\n`;
}

function codeOfExport(name: string): string {
  return examples.find((one) => one.name === name)!.code;
}

const all = surface.flatMap(({ name, exports }) =>
  exports.map((one) => ({ ...one, name: `${name}: ${one.name}` })),
);

test('every export has a description', () => {
  expect(all.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([]);
});

test('every type in the signature of an export can be imported, too', () => {
  const hidden = all.flatMap(({ name, hidden }) => hidden.map((one) => `${name} needs ${one}`));
  expect(hidden).toEqual([]);
});

test('every function and class that a program calls has an example', () => {
  const called = surface.flatMap(({ name: entry, exports }) =>
    exports
      .filter(({ declaration }) =>
        /^export declare (?:function|(?:abstract )?class)/.test(declaration),
      )
      .filter(({ declaration }) => !/ extends Error\b/.test(declaration))
      .map(({ name }) => `${entry} ${name}`),
  );
  // A Fleet is created for `useFleet`, whose example shows it.
  const shown = new Set(examples.map(({ entry, name }) => `${entry} ${name}`));
  expect(called.filter((one) => !shown.has(one))).toEqual(['tenantry Fleet']);
});

test('every example compiles', async () => {
  expect(await project.compile()).toBe('');
});

test.each(uniqueExamples)(
  'the example of $name runs and prints the shown output',
  ({ name, code }) => {
    const expectedLines = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(
      ([, line]) => line!,
    );
    expect(printed.get(name)).toEqual({ lines: expectedLines });
  },
);
