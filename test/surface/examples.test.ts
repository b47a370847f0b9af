import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSurface } from '../../scripts/surface.ts';
import { UserProject } from './user-project.ts';

const surface = readSurface();
const examples = surface.flatMap(({ name: door, exports }) =>
  exports.flatMap(({ name, examples: [text] }) =>
    text ? [{ door, name, code: codeOf(text) }] : [],
  ),
);

/** What examples import that begin where another one ends. */
const shared = { define: 'redis.ts', conversions: 'box.ts' };

/** Runs every example in a folder of its own, and prints as JSON what each of them printed. */
const runner = `
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';

const home = process.cwd();
const print = console.log;
const results: Record<string, string[]> = {};
for (const name of ${JSON.stringify(examples.map(({ name }) => name))}) {
  const lines: string[] = [];
  console.log = (...args: unknown[]) => lines.push(format(...args));
  mkdirSync(join(home, 'runs', name, 'tenants'), { recursive: true });
  process.chdir(join(home, 'runs', name));
  try {
    await import(\`./\${name}.ts\`);
  } catch (error) {
    lines.push(String(error));
  }
  results[name] = lines;
}
print(JSON.stringify(results));
`;

const project = new UserProject({
  ...Object.fromEntries(examples.map(({ name, code }) => [`${name}.ts`, code])),
  ...Object.fromEntries(Object.entries(shared).map(([name, file]) => [file, codeOfExport(name)])),
  'run.ts': runner,
});

let printed: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  printed = JSON.parse(await project.run('run.ts')) as typeof printed;
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

test('every function and class that a program calls has an example', () => {
  const called = surface.flatMap(({ name: door, exports }) =>
    exports
      .filter(({ declaration }) =>
        /^export declare (?:function|(?:abstract )?class)/.test(declaration),
      )
      .filter(({ declaration }) => !/ extends Error\b/.test(declaration))
      .map(({ name }) => `${door} ${name}`),
  );
  // A Fleet is made for `useFleet`, and shown there.
  const shown = new Set(examples.map(({ door, name }) => `${door} ${name}`));
  expect(called.filter((one) => !shown.has(one))).toEqual(['tenantry Fleet']);
});

test('the types of every example are right', async () => {
  expect(await project.compile()).toBe('');
});

test.each(examples)('the example of $name does and prints what it says', ({ name, code }) => {
  const said = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line!);
  expect(printed[name]).toEqual(said);
});
