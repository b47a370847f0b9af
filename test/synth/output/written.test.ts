import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isUpToDate } from '../../../synth/output/changes.ts';
import { Output } from '../../../synth/output/output.ts';
import { readOwned } from '../../../synth/output/ownership.ts';
import { filesOf, inFolder, place, treeOf, write } from './folders.ts';

test(
  'a first output holds its files and an empty mark for each, and leaves nothing beside it',
  inFolder((folder) => {
    const dist = join(folder, 'deep/dist');
    const changes = write(dist, { 'b/x.yaml': 'x', 'a.yaml': 'ä\n' });
    expect(filesOf(dist)).toEqual({ 'a.yaml': 'ä\n', 'b/x.yaml': 'x' });
    expect(treeOf(join(dist, 'OWNED'))).toEqual({
      'a.yaml.owned': '',
      'b+x.yaml.owned': '',
    });
    expect(readOwned(dist)).toEqual(['a.yaml', 'b/x.yaml']);
    expect(changes.added).toEqual(['a.yaml', 'b/x.yaml']);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['dist']);
  }),
);

test(
  'unchanged files keep inode and times, changed ones do not',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { 'a/1': 'one', 'a/2': 'two' });
    const before = ['a/1', 'OWNED/a+1.owned', 'OWNED/a+2.owned'].map((path) =>
      lstatSync(join(dist, path), { bigint: true }),
    );
    const changes = write(dist, { 'a/1': 'one', 'a/2': 'TWO' });
    const after = ['a/1', 'OWNED/a+1.owned', 'OWNED/a+2.owned'].map((path) =>
      lstatSync(join(dist, path), { bigint: true }),
    );
    const times = (stats: typeof after) => stats.map((s) => [s.ino, s.mtimeNs, s.ctimeNs]);
    expect(times(after)).toEqual(times(before));
    expect(changes).toMatchObject({ written: ['a/2'], changed: ['a/2'], added: [], unchanged: 1 });
  }),
);

test(
  'the files of a deleted tenant are removed with their folders, and foreign ones are kept',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { 'eu1/pay/t.yaml': '1', 'eu1/shop/t.yaml': '2', 'us1/pay/t.yaml': '3' });
    place(dist, { 'eu1/shop/notes.txt': 'mine', 'README.md': 'mine' });
    mkdirSync(join(dist, 'empty'));
    const changes = write(dist, { 'eu1/pay/t.yaml': '1' });
    expect(changes.removed).toEqual(['eu1/shop/t.yaml', 'us1/pay/t.yaml']);
    expect(Object.keys(treeOf(dist)).toSorted()).toEqual([
      'OWNED/',
      'OWNED/eu1/',
      'OWNED/eu1/pay+t.yaml.owned',
      'README.md',
      'empty/',
      'eu1/',
      'eu1/pay/',
      'eu1/pay/t.yaml',
      'eu1/shop/',
      'eu1/shop/notes.txt',
    ]);
  }),
);

test(
  'a file becomes a folder and a folder becomes a file',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: 'file', 'b/x/1': 'one', 'b/y/2': 'two' });
    write(dist, { 'a/x/1': 'one', b: 'file' });
    expect(filesOf(dist)).toEqual({ 'a/x/1': 'one', b: 'file' });
  }),
);

test(
  'an existing file with the same content is marked as rendered',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    place(dist, { 'a.yaml': 'same' });
    expect(write(dist, { 'a.yaml': 'same' })).toMatchObject({
      written: ['OWNED/a.yaml.owned'],
      unchanged: 1,
    });
    expect(write(dist, {}).removed).toEqual(['a.yaml']);
  }),
);

test(
  'links on the way to an output are followed',
  inFolder((folder) => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    write(join(folder, 'link/dist'), { 'a.yaml': 'a' });
    expect(filesOf(join(folder, 'real/dist'))).toEqual({ 'a.yaml': 'a' });
    expect(readdirSync(join(folder, 'real'))).toEqual(['dist']);
  }),
);

test(
  'thousands of files, some large, are written by two threads as by one',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const texts: Record<string, string> = {};
    for (let i = 0; i < 3000; i++) texts[`t${i % 700}/${i}.yaml`] = `${i} é€😀\n`.repeat(i % 300);
    texts['large.yaml'] = 'ü'.repeat(600_000);
    write(dist, texts);
    expect(filesOf(dist)).toEqual(texts);
    expect(isUpToDate(write(dist, texts))).toBe(true);
  }),
);

test(
  'a comparison reports what a write would do and writes nothing',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1', b: '2' });
    place(dist, { c: 'foreign' });
    const before = [treeOf(folder), lstatSync(folder).mtimeMs, lstatSync(dist).mtimeMs];
    const changes = write(dist, { a: '9', c: '3', d: '4' }, { mode: 'compare' });
    expect([treeOf(folder), lstatSync(folder).mtimeMs, lstatSync(dist).mtimeMs]).toEqual(before);
    expect(changes).toMatchObject({ added: ['d'], removed: ['b'], foreign: ['c'] });
    expect(changes.changed).toEqual(['a', 'c']);
    expect(isUpToDate(write(join(folder, 'none/dist'), { a: '1' }, { mode: 'compare' }))).toBe(
      false,
    );
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(isUpToDate(write(dist, { a: '1', b: '2' }, { mode: 'compare' }))).toBe(true);
  }),
);

test(
  'an aborted output leaves the folder unchanged, also if it did not exist',
  inFolder((folder) => {
    for (const name of ['dist', 'none/dist']) {
      const output = Output.open(join(folder, name), { mode: 'write' });
      output.put('a', 'a');
      output.abort();
      output.abort();
      expect(() => output.put('b', 'b')).toThrow(
        'must be open to be used, got one that is aborted',
      );
    }
    expect(readdirSync(folder)).toEqual([]);
  }),
);

test(
  'an empty output has no marks, and so no owner',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1' });
    expect(write(dist, {}).removed).toEqual(['a']);
    expect(treeOf(dist)).toEqual({});
    expect(readOwned(dist)).toBeUndefined();
  }),
);

test(
  'a mark that is missing, left over, or not empty is reported and repaired',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1', b: '1' });
    rmSync(join(dist, 'OWNED/a.owned'));
    place(dist, { 'OWNED/b.owned': 'x', 'OWNED/gone+c.owned': '' });
    const compared = write(dist, { a: '1', b: '1' }, { mode: 'compare', sealed: [] });
    expect(compared).toMatchObject({
      added: ['OWNED/a.owned'],
      changed: ['OWNED/b.owned'],
      removed: ['OWNED/gone+c.owned'],
      unchanged: 2,
      strangers: [],
    });
    expect(write(dist, { a: '1', b: '1' }, { sealed: [] })).toEqual(compared);
    expect(treeOf(join(dist, 'OWNED'))).toEqual({ 'a.owned': '', 'b.owned': '' });
  }),
);

test(
  'an output that is a mount point is staged on its own file system',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    mkdirSync(dist);
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dist]);
    if (mount.status !== 0) {
      console.log(`not tested: mounting is not permitted here: ${String(mount.stderr)}`);
      return;
    }
    try {
      write(dist, { 'a/1': '1' });
      const seen: string[] = [];
      write(dist, { 'a/1': '2', b: '1' }, { onMoment: () => seen.push(...readdirSync(dist)) });
      expect(seen).toContain('.dist.tenantry');
      expect(readdirSync(folder)).toEqual(['dist']);
      expect(treeOf(dist)).toMatchObject({ 'a/1': '2', b: '1' });
      expect(readdirSync(dist).toSorted()).toEqual(['OWNED', 'a', 'b']);
    } finally {
      spawnSync('umount', [dist]);
    }
  }),
);
