import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readOwned } from '../../../synth/output/ownership.ts';
import { expectKnownAtEveryEnd } from './every-end.ts';
import { filesOf, inFolder, OLD_TITLE, place, treeOf, write, type Texts } from './folders.ts';

/** Writes an output like an earlier version. */
function old(dist: string, texts: Texts, list = Object.keys(texts).toSorted().join('\n')): void {
  place(dist, { ...texts, FILES: `${OLD_TITLE}${list}\n` });
}

const texts = { a: '1', 'b/x': '1', 'b/y': '1' };

test(
  'the list of an earlier version becomes marks, and no file is touched',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    old(dist, texts);
    const stats = () => ['a', 'b/x'].map((path) => lstatSync(join(dist, path), { bigint: true }));
    const before = stats().map(({ ino, ctimeNs }) => [ino, ctimeNs]);
    expect(readOwned(dist)).toEqual(['a', 'b/x', 'b/y']);
    const changes = write(dist, texts);
    expect(changes).toMatchObject({
      added: ['OWNED/a.owned', 'OWNED/b+x.owned', 'OWNED/b+y.owned'],
      changed: [],
      removed: ['FILES'],
      unchanged: 3,
    });
    expect(stats().map(({ ino, ctimeNs }) => [ino, ctimeNs])).toEqual(before);
    expect(treeOf(dist)).not.toHaveProperty('FILES');
    expect(readOwned(dist)).toEqual(['a', 'b/x', 'b/y']);
    expect(write(dist, texts)).toMatchObject({ written: [], removed: [], unchanged: 3 });
  }),
);

test(
  'a file in the list of an earlier version is replaced and removed like a rendered file, any other is not',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    old(dist, texts);
    place(dist, { 'b/theirs': 'mine' });
    write(dist, { a: '2' });
    expect(filesOf(dist)).toEqual({ a: '2', 'b/theirs': 'mine' });
  }),
);

test(
  'after a merge conflict in the list, the files of both sides count as rendered',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    old(dist, { a: '1', b: '2', c: '3' }, 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nFILES');
    expect(write(dist, { a: '1' }).removed).toEqual(['FILES', 'b', 'c']);
    expect(filesOf(dist)).toEqual({ a: '1' });
  }),
);

test(
  'a list that a merge restored beside marks counts too, and is removed',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1' });
    old(dist, { b: '1' }, 'a\nb');
    expect(readOwned(dist)).toEqual(['a', 'b']);
    expect(write(dist, { a: '1', b: '2' })).toMatchObject({ changed: ['b'], removed: ['FILES'] });
    expect(treeOf(join(dist, 'OWNED'))).toEqual({ 'a.owned': '', 'b.owned': '' });
  }),
);

test('whenever the migration from list to marks stops, all rendered files are recognized', () => {
  expectKnownAtEveryEnd((dist) => old(dist, texts), 'FILES');
});
