import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readSection } from './pages.ts';
import { isThere, namedTests } from './titles.ts';

const path = join('docs', 'runtime.md');
const [, ...parts] = readSection(path, 'What the runtime guarantees').text.split(/^### /m);

const guarantees = parts.map((text) => ({
  guarantee: text.slice(0, text.indexOf('\n')),
  tests: namedTests(text),
}));

test.each(guarantees.filter(({ guarantee }) => guarantee !== 'What is not guaranteed'))(
  'tests exist for: $guarantee',
  ({ tests }) => {
    expect(tests.length).toBeGreaterThan(1);
    expect(tests.filter((one) => !isThere(one))).toEqual([]);
  },
);

test('tests exist for the claims about the runtime on aggregated API servers', () => {
  const tests = namedTests(
    readSection(join('docs', 'crds.md'), 'CustomResourceDefinitions and aggregated API servers')
      .text,
  );
  expect(tests.length).toBeGreaterThan(5);
  expect(tests.filter((one) => !isThere(one))).toEqual([]);
});

test('the section on missing guarantees exists and names no test', () => {
  const { guarantee, tests } = guarantees.at(-1)!;
  expect([guarantee, tests]).toEqual(['What is not guaranteed', []]);
});
