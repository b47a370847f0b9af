import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  sortBySpecificity,
  findFolder,
  mayInclude,
  resolveDelegation,
  findConflictingFolder,
} from '../../model/delegation.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

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
/** Tables that the platform file accepts. */
const tables = folders
  .filter((rows) => rows.every((_, i) => findConflictingFolder({ folders: rows }, i) === undefined))
  .map((rows) => resolveDelegation({ folders: [...rows, { folder: 'classes', classes: ['*'] }] }));
const files = fc.array(name, { maxLength: 4 }).map((names) => [...names, 'x.yaml'].join('/'));

/** Lists all rows that match a folder on the path of a file, as the documentation defines it. */
const standing = (rows: readonly { folder: string }[], file: string): string[] =>
  rows
    .map(({ folder }) => folder)
    .filter((folder) => {
      const one = folder === '.' ? '' : `${folder.replaceAll('*', '[^/]+')}/`;
      return new RegExp(`^${one}`).test(file);
    });

test('the deepest matching folder applies, and of two equally deep ones that with fewer wildcards', () => {
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

test('the order of the table is irrelevant, and in order of specificity the last match applies', () => {
  fc.assert(
    fc.property(tables, files, (table, file) => {
      const held = findFolder(table, file);
      expect(findFolder({ ...table, folders: table.folders.toReversed() }, file)).toEqual(held);
      expect(standing(sortBySpecificity(table.folders), file).at(-1)).toBe(held?.row.folder);
    }),
    runs(500),
  );
});

test('a file may include from folders of another row only what is shared', () => {
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

test('two rows conflict when they can match the same folder and neither is more specific', () => {
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

test('classes are in the folder classes, unless the table sets another one', () => {
  const of = (folders?: { folder: string; classes?: string[] }[]) =>
    resolveDelegation(folders && { folders })
      .folders.filter(({ classes }) => classes)
      .map(({ folder }) => folder);
  expect(of()).toEqual(['classes']);
  expect(of([{ folder: 'a' }])).toEqual(['classes']);
  expect(of([{ folder: 'a', classes: ['*'] }])).toEqual(['a']);
  expect(of([{ folder: 'classes' }])).toEqual([]);
});
