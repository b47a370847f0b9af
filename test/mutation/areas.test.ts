import { expect, test } from '@jest/globals';
import { globSync } from 'node:fs';
import { projectFiles, root } from '../structure/tracked.ts';
import { areas } from './areas.ts';
import { equivalents } from './equivalents.ts';

const matched = (pattern: string) => globSync(pattern.replace(/^!/, ''), { cwd: root });
/** A pattern that begins with '!' excludes files. */
function files(patterns: readonly string[]): string[] {
  const without = new Set(patterns.filter((one) => one.startsWith('!')).flatMap(matched));
  const taken = patterns.filter((one) => !one.startsWith('!')).flatMap(matched);
  return taken.filter((path) => !without.has(path));
}
const parts = Object.values(areas).flat();

test('every mutated file and every test that judges it exists', () => {
  const patterns = parts.flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  expect(patterns.filter((pattern) => matched(pattern).length === 0)).toEqual([]);
});

test('every rule about tenants, and every file of the validator, is in an area', () => {
  const mutated = new Set(parts.flatMap(({ mutate }) => files(mutate)));
  const folders = /^(?:model\/rules|packages\/crd\/schema\/validator)\/.*\.ts$/;
  const rules = projectFiles().filter((path) => folders.test(path));
  const onlyTypes = ['model/rules/context.ts'];
  expect(rules.filter((path) => !mutated.has(path))).toEqual(onlyTypes);
});

test('every note about an equivalent mutant is for a file of an area', () => {
  const mutated = new Set(parts.flatMap(({ mutate }) => files(mutate)));
  expect(equivalents.filter(({ file }) => !mutated.has(file))).toEqual([]);
});
