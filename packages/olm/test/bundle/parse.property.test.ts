import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { parseBundle } from '../../bundle/parse.ts';
import { createFindingLocator } from '../../bundle/bundle.ts';
import { sample } from '../sample.ts';

const files = Object.entries(sample).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

/** A replacement of a piece of a file by another text, or by any bytes. */
const damage = fc.record({
  file: fc.nat(files.length - 1),
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        '[]',
        '{}',
        'null',
        '1',
        'true',
        '&a',
        '*a',
        '---\n',
        '- ',
        ': ',
        "'",
        '"',
        '\n',
        '',
      )
      .map((text) => Buffer.from(text)),
  ),
});

const path = fc.constantFrom(
  ...files.map(({ path }) => path),
  'manifests/x',
  'metadata/dependencies.yaml',
  'tests/scorecard/config.yaml',
  'bundle.Dockerfile',
  '.hidden/x.yaml',
  'annotations',
);

test('a bundle with any files is read, and each fault has a place and a reason', () => {
  fc.assert(
    fc.property(
      fc.array(damage, { maxLength: 5 }),
      fc.array(path, { maxLength: 3 }),
      (all, paths) => {
        const damaged = files.map((file, i) => {
          let { bytes } = file;
          for (const { file: at, from, length, bytes: put } of all) {
            if (at !== i) continue;
            const start = Math.floor(from * bytes.length);
            bytes = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + length)]);
          }
          return { path: file.path, bytes };
        });
        const known = new Set(damaged.map(({ path }) => path));
        const more = [...new Set(paths)]
          .filter((path) => !known.has(path))
          .map((path) => ({ path, bytes: damaged[0]!.bytes }));
        const bundle = parseBundle({ files: [...damaged, ...more] });
        for (const problem of bundle.faults.map(createFindingLocator(bundle, 'bundle'))) {
          expect(problem.message).toMatch(/^must /);
          expect(problem.file).toMatch(/^bundle/);
        }
        if (bundle.csv) expect(bundle.csv.kind).toBe('ClusterServiceVersion');
        else expect(bundle.faults).not.toEqual([]);
      },
    ),
    runs(500),
  );
});
