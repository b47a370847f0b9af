import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { UnsafePath } from '../../../synth/output/folders.ts';
import { OutputLocked } from '../../../synth/output/area.ts';
import { OutputNotWritten, ForeignFile } from '../../../synth/output/errors.ts';
import { Output } from '../../../synth/output/output.ts';
import { generated, inFolder, place, treeOf, write, type Texts } from './folders.ts';

const WRITER = join(import.meta.dirname, 'killed-writer.ts');

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Expects a write to fail without any change in the folder. */
function refused(folder: string, texts: Texts): unknown {
  const before = treeOf(folder);
  const error = errorOf(() => write(join(folder, 'dist'), texts));
  expect(treeOf(folder)).toEqual(before);
  return error;
}

test(
  'foreign files are never overwritten, and all of them are named',
  inFolder((folder) => {
    write(join(folder, 'dist'), { old: '1' });
    place(folder, { 'dist/a': 'mine', 'dist/b/c/d': 'mine', 'dist/e': 'mine' });
    mkdirSync(join(folder, 'dist/empty'));
    const error = refused(folder, { a: '2', 'b/c': '2', 'e/f': '2', empty: '2', new: '2' });
    expect(error).toBeInstanceOf(ForeignFile);
    expect((error as ForeignFile).paths).toEqual(['a', 'b/c/d', 'e', 'empty']);
    expect((error as ForeignFile).message).toContain(
      'got 4 files of someone else: a, b/c/d, e, empty;',
    );
    const one = refused(folder, { a: '2' }) as ForeignFile;
    expect(one.message).toContain('must be new or begin with the line by which Tenantry marks');
    expect(one.message).toContain('got a file of someone else: a;');
  }),
);

test.each([['/etc/x'], ['../x'], ['a/../x'], ['./a'], ['a//b'], ['a/'], [''], ['a\\b'], ['a\0b']])(
  'the path %j is refused',
  (path) =>
    inFolder((folder) => {
      const error = refused(folder, { good: '1', [path]: '2' });
      expect(String(error)).toContain(`must be relative`);
      expect(String(error)).toContain(`got ${JSON.stringify(path)}`);
    })(),
);

test(
  'two texts for one path, a path in a file, and a text without the line of generated files are refused',
  inFolder((folder) => {
    expect(String(refused(folder, { a: '1', 'a/b': '2' }))).toContain('a file or a folder');
    expect(String(refused(folder, { 'a/b': '1', a: '2' }))).toContain('a file or a folder');
    for (const text of ['1', generated({ b: '1' })['b']!]) {
      const wrong = Output.open(join(folder, 'dist'), { mode: 'write' });
      expect(() => wrong.put('a', text)).toThrow('a must begin with the line of a generated file');
    }
    const [one, two] = ['1', '2'].map((text) => generated({ a: text })['a']!);
    const output = Output.open(join(folder, 'dist'), { mode: 'write' });
    output.put('a', one!);
    output.put('a', one!);
    expect(() => output.put('a', two!)).toThrow('a must be put once, got two different texts');
    expect(readdirSync(folder)).toEqual([]);
  }),
);

test(
  'nothing is written, removed or kept through a link that leaves the output',
  inFolder((folder) => {
    place(folder, { 'outside/t.yaml': 'alive' });
    write(join(folder, 'dist'), { a: '1' });
    symlinkSync('../outside', join(folder, 'dist/link'));
    expect(refused(folder, { a: '1', 'link/new': 'x' })).toBeInstanceOf(UnsafePath);
    expect(refused(folder, { a: '1', 'link/t.yaml': 'alive' })).toBeInstanceOf(UnsafePath);
    place(folder, { 'outside/stale': generated({ 'link/stale': '1' })['link/stale']! });
    const before = treeOf(join(folder, 'outside'));
    expect(write(join(folder, 'dist'), { a: '2' }).removed).toEqual([]);
    expect(treeOf(join(folder, 'outside'))).toEqual(before);
  }),
);

test(
  'a link in the place of a rendered file is foreign, and its target is kept',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    place(folder, { outside: 'alive' });
    write(dist, { a: '1', b: '1' });
    for (const name of ['a', 'b']) {
      spawnSync('ln', ['-sf', '../outside', join(dist, name)]);
    }
    expect((refused(folder, { a: '1', b: '1' }) as ForeignFile).paths).toEqual(['a', 'b']);
    place(folder, { outside: generated({ a: '1' })['a']! });
    expect((refused(folder, { a: '2' }) as ForeignFile).paths).toEqual(['a']);
  }),
);

test(
  'the second of two writers fails at once, and the first is not disturbed',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const first = Output.open(dist, { mode: 'write' });
    first.put('a', generated({ a: '1' })['a']!);
    const second = spawnSync(process.execPath, [WRITER, dist, '{}', '99'], { encoding: 'utf8' });
    expect(second.stderr).toContain(`OutputLocked`);
    expect(second.stderr).toContain(`while process ${process.pid} on ${hostname()} writes`);
    expect(errorOf(() => Output.open(dist, { mode: 'write' }))).toBeInstanceOf(OutputLocked);
    first.finish();
    expect(readdirSync(folder)).toEqual(['dist']);
  }),
);

test(
  'a full disk leaves the folder unchanged',
  inFolder((folder) => {
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
    if (mount.status !== 0) {
      console.log(`not tested: mounting is not permitted here: ${String(mount.stderr)}`);
      return;
    }
    try {
      for (const earlier of [{}, { old: '1' }]) {
        if ('old' in earlier) write(join(folder, 'dist'), earlier);
        const texts = Array.from({ length: 900 }, (_, i) => [`t${i}`, 'x'.repeat(4096)]);
        const error = refused(folder, Object.fromEntries(texts));
        expect(error).toBeInstanceOf(OutputNotWritten);
        expect((error as OutputNotWritten).cause).toMatchObject({ code: 'ENOSPC' });
      }
    } finally {
      spawnSync('umount', [folder]);
    }
  }),
);

test(
  'a missing permission leaves the folder unchanged',
  inFolder((folder) => {
    // Root may do everything, so the writer runs as nobody.
    const root = process.geteuid?.() === 0;
    const user = root ? { uid: 65534, gid: 65534 } : {};
    const reading = spawnSync(process.execPath, ['--check', WRITER], { ...user });
    if (reading.status !== 0) {
      console.log('not tested: nobody but root can read this checkout');
      return;
    }
    write(join(folder, 'dist'), { 'locked/a': '1', b: '1' });
    chmodSync(join(folder, 'dist/locked'), 0o555);
    if (root) spawnSync('chown', ['-R', '65534', folder]);
    const before = treeOf(folder);
    const failure = (texts: Texts) => {
      const args = [WRITER, join(folder, 'dist'), JSON.stringify(texts), '99'];
      const child = spawnSync(process.execPath, args, { encoding: 'utf8', ...user });
      expect(treeOf(folder)).toEqual(before);
      return child.stderr;
    };
    const denied = failure({ 'locked/a': '2', b: '2' });
    expect(denied).toMatch(/OutputNotWritten: .* is as it was before: EACCES/);
    expect(denied).toContain('[cause]');
    chmodSync(folder, 0o555);
    expect(failure({ b: '3' })).toMatch(/OutputNotWritten: .*EACCES/);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'dist/locked'), 0o755);
  }),
);
