import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isUpToDate } from '../../../synth/output/output.ts';
import { withGeneratedLine } from '../../../synth/output/generated-line.ts';
import { isOutputPath } from '../../../synth/output/paths.ts';
import { inFolder, place, treeOf, write } from './folders.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const ours = { 'README.md': '1', 'clusters/a/t.yaml': '1', 'other/t.yaml': '1' };
const sealed = ['clusters'];

/** Changes an output; returns the unexpected files of a comparison and of a write, which must be equal. */
function found(folder: string, put: (dist: string) => void): readonly string[] {
  const dist = join(folder, 'dist');
  write(dist, ours, { sealed });
  put(dist);
  const before = treeOf(folder);
  const compared = write(dist, ours, { mode: 'compare', sealed });
  const written = write(dist, ours, { sealed });
  expect(treeOf(folder)).toEqual(before);
  expect(written.unexpected).toEqual(compared.unexpected);
  expect(isUpToDate(compared)).toBe(compared.unexpected.length === 0);
  return compared.unexpected;
}

test.each<[string, (dist: string) => void, readonly string[]]>([
  [
    'files, also hidden ones, and all content of a new folder',
    (dist) =>
      place(dist, {
        'clusters/a/zz.yaml': 'x',
        'clusters/a/.hidden': 'x',
        'clusters/b/deep/x': 'x',
        'clusters/kustomization.yaml': 'x',
      }),
    [
      'clusters/a/.hidden',
      'clusters/a/zz.yaml',
      'clusters/b/deep/x',
      'clusters/kustomization.yaml',
    ],
  ],
  [
    'entries in any other folder that the output writes to',
    (dist) => place(dist, { 'other/zz.yaml': 'x' }),
    ['other/zz.yaml'],
  ],
  [
    'a copy of a generated file, whose line states another path',
    (dist) => {
      const text = withGeneratedLine('clusters/a/t.yaml', '1');
      place(dist, { 'clusters/a/copy.yaml': text, 'clusters/b/t.yaml': text });
    },
    ['clusters/a/copy.yaml', 'clusters/b/t.yaml'],
  ],
  [
    'a generated file that a comment or a document precedes',
    (dist) => {
      const line = (path: string) => withGeneratedLine(path, '1');
      place(dist, { 'clusters/x.yaml': `# mine\n${line('clusters/x.yaml')}` });
      place(dist, { 'clusters/y.yaml': `a: 1\n---\n${line('clusters/y.yaml')}` });
    },
    ['clusters/x.yaml', 'clusters/y.yaml'],
  ],
  [
    'nothing beside those folders',
    (dist) => place(dist, { 'x.yaml': 'x', 'mine/x.yaml': 'x' }),
    [],
  ],
  [
    'a linked folder, which is not followed',
    (dist) => symlinkSync('../../mine', join(dist, 'clusters/a/link')),
    ['clusters/a/link'],
  ],
  [
    'a link to nothing',
    (dist) => symlinkSync('none', join(dist, 'clusters/link')),
    ['clusters/link'],
  ],
  [
    'an empty folder, such as a submodule that was not fetched',
    (dist) => mkdirSync(join(dist, 'clusters/b/empty'), { recursive: true }),
    ['clusters/b/empty/'],
  ],
  ['a pipe', (dist) => void spawnSync('mkfifo', [join(dist, 'clusters/pipe')]), ['clusters/pipe']],
  [
    'a name that differs from a rendered one only in case',
    (dist) => place(dist, { 'clusters/a/T.yaml': '1' }),
    ['clusters/a/T.yaml'],
  ],
])('unexpected files include %s', (_, put, unexpected) =>
  inFolder((folder) => {
    expect(found(folder, put)).toEqual(unexpected);
  })(),
);

test(
  'a sealed folder is searched even if nothing is rendered to it, and if it is no folder',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    place(dist, { 'clusters/x': 'x' });
    expect(write(dist, { a: '1' }, { sealed }).unexpected).toEqual(['clusters/x']);
    const other = join(folder, 'other');
    place(other, { clusters: 'x' });
    expect(write(other, { a: '1' }, { sealed }).unexpected).toEqual(['clusters']);
  }),
);

test(
  'a sealed folder that does not exist, or is a rendered file, holds no unexpected files',
  inFolder((folder) => {
    expect(write(join(folder, 'dist'), { a: '1' }, { sealed }).unexpected).toEqual([]);
    expect(write(join(folder, 'other'), { clusters: '1' }, { sealed }).unexpected).toEqual([]);
  }),
);

test(
  'a file is reported once: as foreign, as removed, or as unexpected',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { 'clusters/old': '1', 'clusters/a': '1' });
    place(dist, { 'clusters/way': 'x', 'clusters/folder/x': 'x', 'clusters/zz': 'x' });
    const texts = { 'clusters/a': '1', 'clusters/way': '2', 'clusters/folder': '2' };
    expect(write(dist, texts, { mode: 'compare', sealed })).toMatchObject({
      removed: ['clusters/old'],
      foreign: ['clusters/folder/x', 'clusters/way'],
      unexpected: ['clusters/zz'],
    });
  }),
);

test(
  'an output that is not sealed is not searched for unexpected files',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, ours);
    place(dist, { 'clusters/zz': 'x' });
    place(folder, { '.dist.tenantry/x': 'x' });
    expect(write(dist, ours).unexpected).toEqual([]);
  }),
);

test(
  'a name that is not valid UTF-8 cannot pass for a rendered one',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, ours);
    writeFileSync(Buffer.concat([Buffer.from(`${dist}/clusters/t`), Buffer.from([0xff])]), '1');
    for (const mode of ['compare', 'write'] as const) {
      expect(write(dist, ours, { mode, sealed }).unexpected).toEqual(['clusters/t\ufffd']);
    }
    expect(readdirSync(join(dist, 'clusters'))).toHaveLength(2);
    for (const path of ['t\ufffd', 't\ud800', 't\u009b', 'a/\u0085']) {
      expect(isOutputPath(path)).toBe(false);
    }
    expect(isOutputPath('ü/日本/😀 x.yaml')).toBe(true);
  }),
);

const path = fc
  .array(fc.constantFrom('a', 'b', 'A', '.x', 'ä'), { minLength: 1, maxLength: 3 })
  .map((names) => `clusters/${names.join('/')}`);

test('every addition below a sealed folder is found, and nothing else is reported', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path), fc.uniqueArray(path), (rendered, added) => {
      inFolder((folder) => {
        const dist = join(folder, 'dist');
        const isFree = (taken: readonly string[]) => (path: string) =>
          !taken.some(
            (other) => `${path}/`.startsWith(`${other}/`) || other.startsWith(`${path}/`),
          );
        const paths: string[] = [];
        for (const path of rendered) if (isFree(paths)(path)) paths.push(path);
        const unexpected: string[] = [];
        for (const path of added)
          if (isFree([...paths, ...unexpected])(path)) unexpected.push(path);
        const texts = Object.fromEntries(paths.map((path) => [path, '1']));
        write(dist, texts, { sealed });
        place(dist, Object.fromEntries(unexpected.map((path) => [path, 'x'])));
        const changes = write(dist, texts, { mode: 'compare', sealed });
        expect(changes).toMatchObject({
          unexpected: unexpected.toSorted(),
          written: [],
          removed: [],
        });
      })();
    }),
    runs(60),
  );
});
