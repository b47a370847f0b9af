import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findOwned, readOwned } from '../../../synth/output/ownership.ts';
import { isOutputPath, isReserved, parseMark, markOf } from '../../../synth/output/paths.ts';
import { expectKnownAtEveryEnd } from './every-end.ts';
import { filesOf, inFolder, place, treeOf, write, type Texts } from './folders.ts';
import { runs } from '../../kube/yaml/runs.ts';

/** Writes an output like earlier versions, whose marks were in the same folders as the files. */
function former(dist: string, texts: Texts): void {
  const marks = Object.keys(texts).map((path) => [`OWNED/${path}.owned`, '']);
  place(dist, { ...texts, ...Object.fromEntries(marks) });
}

const texts = { a: '1', 'b/x': '1', 'b/c/y': '1' };

test(
  'marks of the former format become current marks, and no file is touched',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    former(dist, texts);
    const stats = () =>
      Object.keys(texts).map((path) => lstatSync(join(dist, path), { bigint: true }));
    const before = stats().map(({ ino, ctimeNs }) => [ino, ctimeNs]);
    expect(readOwned(dist)).toEqual(['a', 'b/c/y', 'b/x']);
    const expected = {
      added: ['OWNED/b+x.owned', 'OWNED/b/c+y.owned'],
      changed: [],
      removed: ['OWNED/b/c/y.owned', 'OWNED/b/x.owned'],
      unchanged: 3,
      foreign: [],
      strangers: [],
    };
    expect(write(dist, texts, { mode: 'compare', sealed: ['b'] })).toMatchObject(expected);
    expect(write(dist, texts, { sealed: ['b'] })).toMatchObject(expected);
    expect(stats().map(({ ino, ctimeNs }) => [ino, ctimeNs])).toEqual(before);
    expect(treeOf(join(dist, 'OWNED'))).toEqual({
      'a.owned': '',
      'b/': '/',
      'b+x.owned': '',
      'b/c+y.owned': '',
    });
    expect(write(dist, texts)).toMatchObject({ written: [], removed: [], unchanged: 3 });
  }),
);

test(
  'a file with a former mark is replaced and removed like a rendered file, any other is not',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    former(dist, texts);
    place(dist, { 'b/theirs': 'mine', 'b/c/theirs': 'mine' });
    expect(write(dist, { a: '2', 'b/x': '2' }).removed).toContain('b/c/y');
    expect(filesOf(dist)).toEqual({ a: '2', 'b/x': '2', 'b/theirs': 'mine', 'b/c/theirs': 'mine' });
    expect(readOwned(dist)).toEqual(['a', 'b/x']);
  }),
);

test(
  'a file that a merge gave marks of both formats keeps one, and is removed with both',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, texts);
    former(dist, texts);
    expect(write(dist, texts)).toMatchObject({ written: [], unchanged: 3 });
    expect(readOwned(dist)).toEqual(['a', 'b/c/y', 'b/x']);
    former(dist, texts);
    write(dist, { a: '1' });
    expect(treeOf(dist)).toEqual({ a: '1', 'OWNED/': '/', 'OWNED/a.owned': '' });
  }),
);

test('whenever the migration to current marks stops, all rendered files are recognized', () => {
  expectKnownAtEveryEnd((dist) => former(dist, texts));
});

test('in a commit, marks of either format identify the rendered files', () => {
  const paths = ['a/b', 'a/c', 'a/d', 'OWNED/a+b.owned', 'OWNED/a/c.owned'];
  expect([...findOwned(paths, () => '')!].toSorted()).toEqual(['a/b', 'a/c']);
});

const name = fc.oneof(
  fc.stringMatching(/^[a-c.+-]{1,4}$/),
  fc.constantFrom('OWNED', 'x.owned', 'ä'.repeat(60), 'n'.repeat(200)),
);
const path = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'))
  .filter((path) => isOutputPath(path) && !isReserved(path));

test('a mark belongs to exactly one file, and its name is not too long for file systems', () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const mark = markOf(one);
      expect(parseMark(mark)).toBe(one);
      expect(isReserved(mark)).toBe(true);
      if (one !== other) expect(markOf(other)).not.toBe(mark);
      const longest = (path: string) =>
        Math.max(...path.split('/').map((n) => Buffer.byteLength(n)));
      expect(longest(mark)).toBeLessThanOrEqual(Math.max(255, longest(`${one}.owned`)));
    }),
    runs(100),
  );
});

test.each([
  ['OWNED/a+b+c.owned', 'two slashes in a name'],
  ['OWNED/+b.owned', 'no folder'],
  ['OWNED/a+.owned', 'no file'],
  ['OWNED/a+b/c.owned', 'one in a folder'],
  ['OWNED/..+b.owned', 'a way out'],
  ['a+b.owned', 'no folder of marks'],
])('%s is no mark: %s', (mark) => {
  expect(parseMark(mark)).toBeUndefined();
});

test(
  'a file whose mark would have too long a name keeps a mark of the former format',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const long = `${'f'.repeat(150)}/${'g'.repeat(150)}`;
    write(dist, { [long]: '1' });
    expect(treeOf(join(dist, 'OWNED'))).toHaveProperty([`${long}.owned`]);
    expect(write(dist, { [long]: '1' })).toMatchObject({ written: [], removed: [], unchanged: 1 });
    expect(readOwned(dist)).toEqual([long]);
  }),
);
