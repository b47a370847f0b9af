import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isUpToDate } from '../../../synth/output/output.ts';
import { inFolder, place, write, type Texts } from './folders.ts';
import { disk, expectOldOrNew, sorted } from './interruption.ts';

const WRITER = join(import.meta.dirname, 'killed-writer.ts');

function killedAt(moment: number, directory: string, texts: Texts): boolean {
  const args = [WRITER, directory, JSON.stringify(texts), String(moment)];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (child.signal === null && child.status !== 0) throw new Error(child.stderr);
  return child.signal === 'SIGKILL';
}

const OLD = { a: '1', 'b/x': '1', 'b/y': '1', c: '1', 'gone/z': '1' };
const NEW = { a: '2', b: '2', 'c/deep/x': '2', 'new/x': '2', 'new/y': '2' };
const OTHER = { a: '1', 'b/y': '3', 'new/x': '2' };
const THEIRS = { 'new-of-theirs': 'mine', 'gone/theirs': 'mine' };

describe.each([
  ['a first output', {}, NEW, {}],
  ['a changed output', OLD, NEW, THEIRS],
  ['an output of the same names', OLD, { ...OLD, a: '2', 'b/y': '2' }, THEIRS],
])('%s of a process that is killed', (_, earlier: Texts, later: Texts, theirs: Texts) => {
  test('holds old and new files, all recognized as generated, and any later run completes its own output', () => {
    const kills: boolean[] = [];
    let interruptions = 0;
    for (let moment = 0; kills.at(-1) !== false; moment++) {
      inFolder((folder) => {
        const dist = join(folder, 'one/dist');
        if (Object.keys(earlier).length > 0) write(dist, earlier);
        place(dist, theirs);
        place(folder, { 'one/beside.txt': 'mine' });
        if (Object.keys(earlier).length === 0) rmSync(dist, { recursive: true, force: true });
        kills.push(killedAt(moment, dist, later));
        expectOldOrNew(dist, { earlier, later, theirs });
        const comparison = write(dist, later, { mode: 'compare', sealed: [] });
        if (comparison.interrupted) interruptions++;
        const isNew =
          JSON.stringify(disk(dist)) === JSON.stringify(sorted({ ...later, ...theirs }));
        if (!isNew) expect(isUpToDate(comparison)).toBe(false);
        expect(comparison.unexpected.filter((path) => path.startsWith('../'))).toEqual([]);
        for (const next of [later, earlier, OTHER]) {
          const name = join(folder, 'two');
          cpSync(join(folder, 'one'), name, { recursive: true, preserveTimestamps: true });
          write(join(name, 'dist'), next);
          expect(disk(join(name, 'dist'))).toEqual(sorted({ ...next, ...theirs }));
          expect(isUpToDate(write(join(name, 'dist'), next, { mode: 'compare' }))).toBe(true);
          // An empty output creates no folder.
          expect(readdirSync(name).filter((one) => one !== 'dist')).toEqual(['beside.txt']);
          rmSync(name, { recursive: true });
        }
      })();
    }
    expect(kills.length).toBeGreaterThanOrEqual(4);
    expect(interruptions > 0).toBe(Object.keys(earlier).length > 0);
  });
});
