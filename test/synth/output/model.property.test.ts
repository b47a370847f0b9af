import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ForeignFile } from '../../../synth/output/errors.ts';
import { withGeneratedLine } from '../../../synth/output/generated-line.ts';
import { place, write, type Texts } from './folders.ts';
import { disk, expectOldOrNew, listedIn, sorted } from './interruption.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

/** Stops a write at a moment with an exception, as far as a live process can. */
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

/** Random files, none of which is the folder of another. */
const tree = fc.dictionary(path, fc.constantFrom('1', '2'), { maxKeys: 6 }).map((texts) => {
  const paths = Object.keys(texts);
  const isFolder = (path: string) => paths.some((other) => other.startsWith(`${path}/`));
  return Object.fromEntries(Object.entries(texts).filter(([path]) => !isFolder(path)));
});

const step = fc.record({
  output: tree,
  // The last is a copy of a generated file.
  foreign: fc.option(
    fc.tuple(path, fc.constantFrom('1', 'theirs', withGeneratedLine('elsewhere', '1'))),
    { freq: 2 },
  ),
  stop: fc.option(fc.nat(8), { freq: 2 }),
});

const overlap = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

test('after any sequence of outputs, foreign files and interruptions the tree equals the model', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'output-model-'));
      const dist = join(folder, 'dist');
      let ours: Texts = {};
      const theirs: Record<string, string> = {};
      try {
        for (const { output, foreign, stop } of steps) {
          if (foreign !== null) {
            const [path, text] = foreign;
            const taken = [...listedIn(dist), ...Object.keys(ours), ...Object.keys(theirs)];
            if (!taken.some((other) => overlap(path, other))) {
              place(dist, { [path]: text });
              theirs[path] = text;
            }
          }
          const conflicts = Object.keys(theirs).some((path) =>
            Object.keys(output).some((put) => overlap(put, path)),
          );
          const before = disk(dist);
          let error: unknown;
          try {
            write(dist, output, { onMoment: stop === null ? () => {} : stoppedAt(stop) });
          } catch (caught) {
            error = caught;
          }
          expect(readdirSync(folder).filter((name) => name !== 'dist')).toEqual([]);
          if (error === undefined) {
            expect(conflicts).toBe(false);
            expect(disk(dist)).toEqual(sorted({ ...theirs, ...output }));
            ours = output;
          } else {
            const isStop = error instanceof Stop || (error as Error).cause instanceof Stop;
            if (!isStop) expect([conflicts, error instanceof ForeignFile]).toEqual([true, true]);
            if (conflicts) expect(disk(dist)).toEqual(before);
            const left = without(theirs, listedIn(dist));
            expectOldOrNew(dist, { earlier: { ...theirs, ...ours }, later: output, theirs: left });
          }
          ours = without(disk(dist), Object.keys(theirs));
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    runs(60),
  );
});

function without(texts: Texts, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => !paths.includes(path)));
}
