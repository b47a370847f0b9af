import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserProject, type Ran } from '../surface/user-project.ts';
import { readPage, readPages } from './pages.ts';

/** A block that is not a complete program is marked with `<!-- fragment -->`. */
const programs = readPages()
  .flatMap(({ blocks }) => blocks)
  .filter(({ language, hints }) => language === 'ts' && !hints.has('fragment'))
  .map((block, i) => ({ ...block, name: `program${i}` }));

const { blocks } = readPage(join('docs', 'classes.md'));
const whole = (kind: string): string =>
  blocks.find(({ text }) => text.includes(`\nkind: ${kind}\n`))!.text;

/** Each program is in its own folder, with the platform and the class of docs/classes.md. */
const files = programs.flatMap(({ name, text }) => [
  [`${name}/main.ts`, text],
  [`${name}/tenantry.yaml`, whole('Platform')],
  [`${name}/tenants/classes/standard.yaml`, whole('TenantClass')],
]);
const project = new UserProject(Object.fromEntries(files) as Record<string, string>);

let printed: ReadonlyMap<string, Ran>;

beforeAll(async () => {
  const ran = await project.runAll(
    programs.map(({ name }) => ({ file: `${name}/main.ts`, folder: name })),
  );
  printed = new Map(programs.map(({ name }, i) => [name, ran[i]!]));
});

afterAll(() => project.remove());

test('every program on the pages compiles', async () => {
  expect(await project.compile()).toBe('');
});

test.each(programs)('the program of $place runs and renders what it declares', ({ name, text }) => {
  const { lines, error } = printed.get(name)!;
  expect(error).toBeUndefined();
  if (!text.includes('.synth()')) return expect(lines).not.toEqual([]);
  const out = /outdir: '(\w+)'/.exec(text)?.[1] ?? 'dist';
  expect(readdirSync(join(project.folder, name, out))).not.toEqual([]);
});
