import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isUpToDate } from '../../../synth/output/changes.ts';
import { ForeignFile } from '../../../synth/output/ownership.ts';
import { Output } from '../../../synth/output/output.ts';
import { filesOf, inFolder, place, treeOf, write, type Texts } from './folders.ts';

const WRITER = join(import.meta.dirname, 'killed-writer.ts');

function killedAt(moment: number, directory: string, texts: Texts): boolean {
  const args = [WRITER, directory, JSON.stringify(texts), String(moment)];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (child.signal === null && child.status !== 0) throw new Error(child.stderr);
  return child.signal === 'SIGKILL';
}

const OLD = { a: '1', 'b/x': '1', 'b/y': '1', c: '1', 'gone/z': '1' };
const NEW = { a: '2', b: '2', 'c/deep/x': '2', 'new/x': '2', 'new/y': '2' };

describe.each([
  ['a first output', {}, NEW],
  ['a changed output', OLD, NEW],
])('%s of a process that is killed', (_, earlier: Texts, later: Texts) => {
  test('is the old one, or with the next run the new one, at every moment', () => {
    let [olds, news] = [0, 0];
    const kills: boolean[] = [];
    for (let moment = 0; kills.at(-1) !== false; moment++) {
      inFolder((folder) => {
        const dist = join(folder, 'dist');
        const isFirst = Object.keys(earlier).length === 0;
        if (!isFirst) write(dist, earlier);
        place(folder, { 'beside.txt': 'mine' });
        const before = treeOf(folder);
        kills.push(killedAt(moment, dist, later));
        const interrupted = write(dist, later, { mode: 'compare' }).interrupted;
        // The next run may be given up at once: opening it completes what was begun.
        Output.open(dist, { mode: 'write' }).abort();
        const after = treeOf(folder);
        if (JSON.stringify(after) === JSON.stringify(before)) {
          olds++;
          expect(interrupted).toBe(false);
        } else {
          news++;
          expect(filesOf(dist)).toEqual(later);
          expect(isUpToDate(write(dist, later, { mode: 'compare' }))).toBe(true);
        }
        expect(readdirSync(folder).toSorted()).toEqual(
          'dist/' in after ? ['beside.txt', 'dist'] : ['beside.txt'],
        );
      })();
    }
    expect(olds).toBeGreaterThanOrEqual(2);
    expect(news).toBeGreaterThanOrEqual(2);
  }, 60_000);
});

/** Ends a write at a moment by an exception, as far as a live process can. */
class Stop extends Error {}

function stoppedAt(moment: number): () => void {
  let left = moment;
  return () => {
    if (left-- === 0) throw new Stop('stopped');
  };
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));

/** Random files of which none is the folder of another. */
const tree = fc.dictionary(path, fc.constantFrom('1', '2'), { maxKeys: 6 }).map((texts) => {
  const paths = Object.keys(texts);
  const isFolder = (path: string) => paths.some((other) => other.startsWith(`${path}/`));
  return Object.fromEntries(Object.entries(texts).filter(([path]) => !isFolder(path)));
});

const step = fc.record({
  output: tree,
  foreign: fc.option(fc.tuple(path, fc.constantFrom('1', 'theirs')), { freq: 2 }),
  stop: fc.option(fc.nat(8), { freq: 2 }),
});

test('after any run of outputs, foreign files and interruptions the tree is what the model says', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'output-model-'));
      const dist = join(folder, 'dist');
      let ours: Texts = {};
      const theirs: Record<string, string> = {};
      const overlap = (a: string, b: string) =>
        a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
      try {
        for (const { output, foreign, stop } of steps) {
          if (foreign !== null) {
            const [path, text] = foreign;
            const taken = [...Object.keys(ours), ...Object.keys(theirs)];
            if (!taken.some((other) => overlap(path, other))) {
              place(dist, { [path]: text });
              theirs[path] = text;
            }
          }
          const conflicts = Object.entries(theirs).some(([path, text]) =>
            Object.keys(output).some((put) =>
              put === path ? output[put] !== text : overlap(put, path),
            ),
          );
          let error: unknown;
          try {
            const onMoment = stop === null ? () => {} : stoppedAt(stop);
            write(dist, output, { onMoment });
          } catch (caught) {
            error = caught;
          }
          const unfinished =
            error !== undefined && write(dist, output, { mode: 'compare' }).interrupted;
          if (conflicts) expect(error === undefined || unfinished).toBe(false);
          if (error !== undefined && stop === null) expect(error).toBeInstanceOf(ForeignFile);
          if (error !== undefined) Output.open(dist, { mode: 'write' }).abort();
          // What the disk holds is the old or the new; which one, the list of files tells.
          const found = error === undefined || unfinished ? output : undefined;
          const swapped = found ?? (isNew(dist, ours, output, theirs) ? output : ours);
          ours = swapped;
          for (const path of Object.keys(ours)) delete theirs[path];
          expect(disk(dist)).toEqual({ ...theirs, ...ours });
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
});

function disk(dist: string): Record<string, string> {
  try {
    return filesOf(dist);
  } catch {
    return {};
  }
}

/** An exception after the journal was dropped: the swap is complete although the write threw. */
function isNew(dist: string, before: Texts, after: Texts, theirs: Texts): boolean {
  const found = JSON.stringify(Object.entries(disk(dist)).toSorted());
  const state = (texts: Texts) =>
    JSON.stringify(Object.entries({ ...theirs, ...texts }).toSorted());
  return found === state(after) && found !== state(before);
}
