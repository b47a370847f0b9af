import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  sortBySpecificity,
  findFolder,
  mayInclude,
  resolveDelegation,
  findConflictingFolder,
} from '../../constructs/tenant/delegation.ts';
import { runs } from '../kube/yaml/runs.ts';

const name = fc.constantFrom('a', 'b', 'c');
const row = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.oneof(name, fc.constant('*')), { minLength: 1, maxLength: 3 }),
  },
  { weight: 1, arbitrary: fc.constant([] as string[]) },
);
const folders = fc
  .uniqueArray(row, { minLength: 1, maxLength: 8, selector: (names) => names.join('/') })
  .map((rows) => rows.map((names) => ({ folder: names.join('/') || '.', tenants: ['*'] })));
/** Those of which the platform file is taken. */
const tables = folders
  .filter((rows) => rows.every((_, i) => findConflictingFolder({ folders: rows }, i) === undefined))
  .map((rows) => resolveDelegation({ folders: [...rows, { folder: 'classes', classes: ['*'] }] }));
const files = fc.array(name, { maxLength: 4 }).map((names) => [...names, 'x.yaml'].join('/'));

/** All rows that stand for a folder on the way to a file: the words of the documentation. */
const standing = (rows: readonly { folder: string }[], file: string): string[] =>
  rows
    .map(({ folder }) => folder)
    .filter((folder) => {
      const one = folder === '.' ? '' : `${folder.replaceAll('*', '[^/]+')}/`;
      return new RegExp(`^${one}`).test(file);
    });

test('of the folders around a file the deepest holds, and of two as deep the one with fewer stars', () => {
  fc.assert(
    fc.property(tables, files, (table, file) => {
      const weight = (folder: string): number =>
        folder === '.' ? 0 : folder.split('/').length * 10 - folder.split('*').length;
      const found = standing(table.folders, file).toSorted((a, b) => weight(b) - weight(a));
      expect(findFolder(table, file)?.row.folder).toBe(found[0]);
    }),
    runs(500),
  );
});

test('the order of the table says nothing, and sorted from the general the last that stands holds', () => {
  fc.assert(
    fc.property(tables, files, (table, file) => {
      const held = findFolder(table, file);
      expect(findFolder({ ...table, folders: table.folders.toReversed() }, file)).toEqual(held);
      expect(standing(sortBySpecificity(table.folders), file).at(-1)).toBe(held?.row.folder);
    }),
    runs(500),
  );
});

test('a file includes from where another row begins only what is shared', () => {
  fc.assert(
    fc.property(tables, files, files, (table, from, to) => {
      const [own, other] = [findFolder(table, from), findFolder(table, to)];
      const may = own !== undefined && own.folder === other?.folder;
      expect(mayInclude(table, from, to)).toBe(may);
      expect(mayInclude({ ...table, shared: ['.'] }, from, to)).toBe(true);
      const inA = to.startsWith('a/');
      expect(mayInclude({ ...table, shared: ['a'] }, from, to)).toBe(may || inA);
    }),
    runs(500),
  );
});

test('rivals are the rows that can be the same folder, neither within the other', () => {
  const rivals = (...names: string[]): number[] => {
    const rows = names.map((folder) => ({ folder }));
    return rows.flatMap((_, i) => (findConflictingFolder({ folders: rows }, i) ? [i] : []));
  };
  expect(rivals('a/*', '*/b')).toEqual([1]);
  expect(rivals('*/b', 'c', 'a/*')).toEqual([2]);
  expect(rivals('a/*', '*/*', 'a/b', '*', 'a')).toEqual([]);
  expect(rivals('a/*', 'b/*', '*/c/d', '.')).toEqual([]);
  expect(rivals('a/*/c', '*/b/c')).toEqual([1]);
});

test('classes stand in the folder classes, unless the table says where', () => {
  const of = (folders?: { folder: string; classes?: string[] }[]) =>
    resolveDelegation(folders && { folders })
      .folders.filter(({ classes }) => classes)
      .map(({ folder }) => folder);
  expect(of()).toEqual(['classes']);
  expect(of([{ folder: 'a' }])).toEqual(['classes']);
  expect(of([{ folder: 'a', classes: ['*'] }])).toEqual(['a']);
  expect(of([{ folder: 'classes' }])).toEqual([]);
});
