import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Moment } from '../../../synth/output/swap.ts';
import { UnusableOutput } from '../../../synth/output/location.ts';
import { filesOf, generated, inFolder, place, treeOf, write } from './folders.ts';

const MOMENTS: readonly Moment[] = ['locked', 'staged', 'begun', 'done'];

/** Moves a folder away, and puts a link to another in its place. */
function replace(folder: string, name: string): void {
  renameSync(join(folder, name), join(folder, 'moved'));
  symlinkSync('outside', join(folder, name));
}

const texts = { a: '2', 'b/x': '2', 'new/x': '2' };

test.each(MOMENTS)(
  'an output that becomes a link at the moment %s is not written through',
  (when) =>
    inFolder((folder) => {
      write(join(folder, 'dist'), { a: '1', 'b/x': '1' });
      place(folder, { 'outside/x': 'alive' });
      const before = treeOf(join(folder, 'outside'));
      const onMoment = (moment: Moment) => {
        if (moment === when && !readdirSync(folder).includes('moved')) replace(folder, 'dist');
      };
      expect(() => write(join(folder, 'dist'), texts, { onMoment })).toThrow(
        /dist must stay the folder that it was when the run began, got something else in its place/,
      );
      expect(treeOf(join(folder, 'outside'))).toEqual(before);
      expect(readdirSync(folder).toSorted()).toEqual(['dist', 'moved', 'outside']);
    })(),
);

test(
  'a folder of the output that becomes a link in the swap is not written through',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { 'b/x': '1', 'c/x': '1' });
    place(folder, { 'dist/outside/x': 'alive' });
    const onMoment = (moment: Moment) => {
      if (moment === 'begun') replace(dist, 'c');
    };
    expect(() => write(dist, { 'b/x': '2', 'c/x': '2' }, { onMoment })).toThrow(
      /must be a real folder, got a symbolic link on the way to c\/x/,
    );
    const moved = generated({ 'c/x': '1' })['c/x'];
    expect(filesOf(dist)).toMatchObject({ 'outside/x': 'alive', 'moved/x': moved, 'b/x': '2' });
  }),
);

test.each([
  ['the output', 'dist'],
  ['the staging area', '.dist.tenantry'],
])('%s that becomes another folder before files are staged is refused', (_, name) =>
  inFolder((folder) => {
    write(join(folder, 'dist'), { a: '1' });
    place(folder, { 'outside/x': 'alive' });
    const seen: Moment[] = [];
    const onMoment = (moment: Moment) => {
      seen.push(moment);
      if (moment !== 'locked') return;
      renameSync(join(folder, name), join(folder, 'moved'));
      mkdirSync(join(folder, name));
    };
    expect(() => write(join(folder, 'dist'), { a: '2' }, { onMoment })).toThrow(UnusableOutput);
    expect(seen).toEqual(['locked']);
    expect(Object.values(filesOf(folder))).not.toContain('2');
  })(),
);

test(
  'what comes to be where a first output goes is not replaced',
  inFolder((folder) => {
    place(folder, { 'outside/x': 'alive' });
    const onMoment = (moment: Moment) => {
      if (moment === 'staged') symlinkSync('outside', join(folder, 'dist'));
    };
    expect(() => write(join(folder, 'dist'), { x: '2' }, { onMoment })).toThrow(/as it was before/);
    expect(treeOf(folder)).toMatchObject({ dist: '-> outside', 'outside/x': 'alive' });
    expect(readdirSync(folder).toSorted()).toEqual(['dist', 'outside']);
  }),
);

test(
  'a first output is not taken out of a staging area that became a link',
  inFolder((folder) => {
    const onMoment = (moment: Moment) => {
      if (moment !== 'staged') return;
      renameSync(join(folder, '.dist.tenantry'), join(folder, 'moved'));
      symlinkSync('moved', join(folder, '.dist.tenantry'));
    };
    expect(() => write(join(folder, 'dist'), { a: '2' }, { onMoment })).toThrow(UnusableOutput);
    expect(readdirSync(folder)).not.toContain('dist');
  }),
);

test.each(['write', 'compare'] as const)(
  'a link in the place of an output is refused, to %s too',
  (mode) =>
    inFolder((folder) => {
      place(folder, { 'outside/x': 'alive' });
      symlinkSync('outside', join(folder, 'dist'));
      const before = treeOf(folder);
      expect(() => write(join(folder, 'dist'), { a: '1' }, { mode })).toThrow(
        'dist must be a folder, got a symbolic link: give the path that it leads to instead',
      );
      expect(treeOf(folder)).toEqual(before);
    })(),
);

test(
  'an output that is mounted from its own file system is copied to where renames end',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    mkdirSync(join(folder, 'real'));
    mkdirSync(dist);
    const mount = spawnSync('mount', ['--bind', join(folder, 'real'), dist]);
    if (mount.status !== 0) {
      console.log(`not tested: mounting is not permitted here: ${String(mount.stderr)}`);
      return;
    }
    try {
      write(dist, { 'a/1': '1', c: '1' });
      write(dist, { 'a/1': '2', 'b/1': '1', c: '2' });
      expect(filesOf(dist)).toEqual({ 'a/1': '2', 'b/1': '1', c: '2' });
      expect(readdirSync(dist).toSorted()).toEqual(['a', 'b', 'c']);
    } finally {
      spawnSync('umount', [dist]);
    }
  }),
);
