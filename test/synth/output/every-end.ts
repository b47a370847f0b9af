import { join } from 'node:path';
import { expect } from '@jest/globals';
import { readOwned } from '../../../synth/output/ownership.ts';
import { filesOf, inFolder, place, write, type Texts } from './folders.ts';

/**
 * Moves an output of an earlier version to one of today, and is stopped at each moment of that in turn:
 * whenever it ends, what is ours is known as ours and what others have there is not, and the next run
 * goes on from there. `earlier` writes the output; `list` is a file of its own that is nobody's.
 */
export function expectKnownAtEveryEnd(earlier: (dist: string) => void, list?: string): void {
  const later: Texts = { a: '2', 'b/x': '1', 'new/z': '1' };
  const ends: boolean[] = [];
  for (let moment = 0; ends.at(-1) !== true; moment += 1) {
    inFolder((folder) => {
      const dist = join(folder, 'dist');
      earlier(dist);
      place(dist, { 'b/theirs': 'mine' });
      let left = moment;
      try {
        write(dist, later, {
          onMoment: () => {
            if (left-- === 0) throw new Error('stopped');
          },
        });
        ends.push(true);
      } catch {
        ends.push(false);
      }
      const found = Object.keys(filesOf(dist)).filter((path) => path !== list);
      const owned = readOwned(dist);
      for (const path of found) {
        expect([path, owned?.includes(path)]).toEqual([path, path !== 'b/theirs']);
      }
      write(dist, later);
      expect(filesOf(dist)).toEqual({ ...later, 'b/theirs': 'mine' });
    })();
  }
  expect(ends.length).toBeGreaterThan(7);
}
