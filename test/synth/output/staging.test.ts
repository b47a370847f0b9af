import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Staging } from '../../../synth/output/staging.ts';
import { filesOf, inFolder } from './folders.ts';

/** So many that a thread writes most of them, in folders of a hundred. */
function texts(count: number, text: (i: number) => string): Map<string, string> {
  return new Map(
    Array.from({ length: count }, (_, i) => [`${Math.floor(i / 100)}/${i}.yaml`, text(i)]),
  );
}

function stage(root: string, files: ReadonlyMap<string, string>): Staging {
  const staging = new Staging(root);
  for (const [path, text] of files) staging.write(path, text);
  return staging;
}

test(
  'thousands of files are complete once they are drained, whatever their length',
  inFolder((folder) => {
    const root = join(folder, 'staged');
    const lengths = [0, 1, 100, 3000, 90_000, 300_000];
    const files = texts(3000, (i) => '€'.repeat(lengths[i % 97] ?? i % 500) + i);
    stage(root, files).drain();
    expect(filesOf(root)).toEqual(Object.fromEntries(files));
  }),
);

test(
  'more than fits into the memory for what waits is written all the same',
  inFolder((folder) => {
    const root = join(folder, 'staged');
    const files = texts(256 + 400, (i) => `${i}`.padEnd(85_000, 'x'));
    stage(root, files).drain();
    for (const [path, text] of files) {
      expect(readFileSync(join(root, path), 'utf8') === text ? path : `${path} differs`).toBe(path);
    }
  }),
);

test(
  'nothing is written any more after a close, which may come twice',
  inFolder((folder) => {
    const root = join(folder, 'staged');
    const staging = stage(
      root,
      texts(2000, (i) => `${i}`.repeat(1000)),
    );
    staging.close();
    staging.close();
    rmSync(root, { recursive: true });
    const again = stage(
      join(folder, 'again'),
      texts(2000, (i) => `${i}`.repeat(1000)),
    );
    again.drain();
    expect(existsSync(root)).toBe(false);
  }),
);

test(
  'an error of the file system in either thread is thrown, with its path',
  inFolder((folder) => {
    const root = join(folder, 'staged');
    const staging = stage(root, texts(300, String));
    writeFileSync(join(root, 'taken'), 'a file where a folder is due');
    const write = () => {
      for (const i of Array(3000).keys()) staging.write(`taken/${i}`, `${i}`.repeat(1000));
      staging.drain();
    };
    expect(write).toThrow(expect.objectContaining({ syscall: expect.any(String) }));
    staging.close();
  }),
);
