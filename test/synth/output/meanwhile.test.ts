import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { UnsafePath } from '../../../synth/output/folders.ts';
import { OutputNotWritten } from '../../../synth/output/errors.ts';
import { listGenerated } from '../../../synth/output/survey.ts';
import { SwapInterrupted, type Moment } from '../../../synth/output/swap.ts';
import { filesOf, generated, inFolder, place, treeOf, write, type Texts } from './folders.ts';

/** Writes an output, and changes its folder once at a moment of the write. */
function meanwhile(dist: string, texts: Texts, at: Moment, act: () => void): unknown {
  let done = false;
  const onMoment = (moment: Moment) => {
    if (moment !== at || done) return;
    done = true;
    act();
  };
  try {
    write(dist, texts, { onMoment });
    return undefined;
  } catch (error) {
    return error;
  }
}

test(
  'a swap passes its moments in order, and one step is one file or one new folder',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const seen: Moment[] = [];
    const onMoment = (moment: Moment) => void seen.push(moment);
    write(dist, { a: '1', b: '1' }, { onMoment });
    expect(seen.splice(0)).toEqual(['locked', 'staged', 'swapped']);
    write(dist, { a: '2', b: '1' }, { onMoment });
    expect(seen.splice(0)).toEqual(['locked', 'staged', 'begun', 'done', 'swapped']);
    write(dist, { a: '2', c: '1', 'd/x': '1', 'd/y': '1' }, { onMoment });
    const swapped = ['done', 'done', 'done', 'swapped'];
    expect(seen.splice(0)).toEqual(['locked', 'staged', 'begun', ...swapped]);
    write(dist, { a: '2', c: '1', 'd/x': '1', 'd/y': '1' }, { onMoment });
    expect(seen).toEqual(['locked', 'staged']);
  }),
);

test(
  'a run that fails with the lock releases it',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const error = meanwhile(dist, { a: '1' }, 'locked', () => {
      throw new Error('stop');
    });
    expect(String(error)).toContain('stop');
    expect(readdirSync(folder)).toEqual([]);
    write(dist, { a: '1' });
    expect(filesOf(dist)).toEqual({ a: '1' });
  }),
);

test(
  'after a swap, the generated files are those of the new output',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1', b: '1' });
    write(dist, { b: '1', 'c/d': '1' });
    expect(listGenerated(dist)).toEqual(['b', 'c/d']);
    expect(readdirSync(dist).toSorted()).toEqual(['b', 'c']);
  }),
);

test(
  'a folder that becomes a link before the swap leaves everything unchanged',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { 'b/x': '1', 'c/x': '1' });
    place(folder, { 'dist/outside/x': 'alive' });
    const error = meanwhile(dist, { 'b/x': '2', 'c/x': '2' }, 'staged', () => {
      renameSync(join(dist, 'c'), join(dist, 'moved'));
      symlinkSync('outside', join(dist, 'c'));
    });
    expect(error).toBeInstanceOf(UnsafePath);
    expect((error as UnsafePath).paths).toEqual(['c/x']);
    const moved = generated({ 'c/x': '1' })['c/x'];
    expect(filesOf(dist)).toMatchObject({ 'outside/x': 'alive', 'moved/x': moved, 'b/x': '1' });
  }),
);

test(
  'a read-only folder is detected before the swap',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { b: '1', 'locked/a': '1' });
    const locked = join(dist, 'locked');
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', locked]);
    if (mount.status !== 0) {
      console.log(`not tested: mounting is not permitted here: ${String(mount.stderr)}`);
      return;
    }
    try {
      const before = treeOf(folder);
      const error = meanwhile(dist, { b: '2', 'locked/a': '2' }, 'staged', () => {});
      expect(error).toBeInstanceOf(OutputNotWritten);
      expect((error as Error).cause).toMatchObject({ code: 'EROFS' });
      expect(treeOf(folder)).toEqual(before);
    } finally {
      spawnSync('umount', [locked]);
    }
  }),
);

test(
  'a new folder is merged into one that was created meanwhile, whose content is kept',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1' });
    const texts = { a: '1', 'new/x': '1', 'new/deep/y': '1' };
    const error = meanwhile(dist, texts, 'begun', () =>
      place(dist, { 'new/theirs': 'mine', 'new/deep/theirs': 'mine' }),
    );
    expect(error).toBeUndefined();
    const theirs = { 'new/theirs': 'mine', 'new/deep/theirs': 'mine' };
    expect(filesOf(dist)).toEqual({ ...texts, ...theirs });
    expect(listGenerated(dist)).toEqual(Object.keys(texts).toSorted());
  }),
);

test(
  'files that disappear before their removal are ignored, and their folders are removed too',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1', b: '1', 'c/d/e/x': '1' });
    const error = meanwhile(dist, { a: '1' }, 'begun', () => {
      rmSync(join(dist, 'b'));
      rmSync(join(dist, 'c/d'), { recursive: true });
    });
    expect(error).toBeUndefined();
    expect(treeOf(dist)).toEqual(generated({ a: '1' }));
  }),
);

test(
  'a file in the place of a rendered folder, and a folder in that of a file, are not removed',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1', b: '1', 'c/x': '1' });
    const error = meanwhile(dist, { a: '1' }, 'begun', () => {
      rmSync(join(dist, 'c'), { recursive: true });
      writeFileSync(join(dist, 'c'), 'mine');
      rmSync(join(dist, 'b'));
      mkdirSync(join(dist, 'b'));
    });
    expect(error).toBeUndefined();
    expect(treeOf(dist)).toEqual({ ...generated({ a: '1' }), 'b/': '/', c: 'mine' });
    expect(listGenerated(dist)).toEqual(['a']);
  }),
);

test(
  'a folder that appears in the place of a file stops the swap, and leaves nothing beside it',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1' });
    const error = meanwhile(dist, { a: '1', b: '1' }, 'begun', () =>
      place(dist, { 'b/x': 'mine' }),
    );
    expect(error).toBeInstanceOf(SwapInterrupted);
    expect((error as Error).message).toContain(
      'some files are new and some are old: fix it and synthesize again',
    );
    expect(readdirSync(dist).toSorted()).toEqual(['a', 'b']);
  }),
);
