import { lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { Inputs } from '../../../synth/memory/inputs.ts';
import { inFolder, place, settle } from '../output/folders.ts';

/** What a run knows of a file after one that read it. */
function known(file: string, hash = 'h'): Inputs {
  const first = new Inputs(new Map());
  expect(first.hashOf(file)).toBeUndefined();
  first.note(file, hash);
  return new Inputs(first.entries);
}

test(
  'a file that was left alone is known by its stat, run after run',
  inFolder((folder) => {
    const file = join(folder, 'a.yaml');
    place(folder, { 'a.yaml': 'one' });
    settle();
    const second = known(file);
    expect(second.hashOf(file)).toBe('h');
    expect(new Inputs(second.entries).hashOf(file)).toBe('h');
  }),
);

test.each<[string, (file: string, folder: string) => void]>([
  [
    'an edit of the same size, with the old modification time',
    (file) => {
      const { atime, mtime } = lstatSync(file);
      writeFileSync(file, 'two');
      utimesSync(file, atime, mtime);
    },
  ],
  ['nothing in its place', (file) => rmSync(file)],
  [
    'a folder in its place',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  [
    'a link to a file',
    (file) => {
      rmSync(file);
      symlinkSync('other', file);
    },
  ],
  [
    'a file in the place of its folder',
    (_, folder) => {
      rmSync(join(folder, 'deep'), { recursive: true });
      writeFileSync(join(folder, 'deep'), 'one');
    },
  ],
])('a file is not known after %s', (_, change) =>
  inFolder((folder) => {
    const file = join(folder, 'deep/a.yaml');
    place(folder, { 'deep/a.yaml': 'one', 'deep/other': 'one' });
    settle();
    const inputs = known(file);
    change(file, folder);
    expect(inputs.hashOf(file)).toBeUndefined();
    expect(inputs.entries.size).toBe(0);
  })(),
);

test(
  'a file that changed a moment before the run, or that nobody asked for, is not noted',
  inFolder((folder) => {
    const file = join(folder, 'a.yaml');
    place(folder, { 'a.yaml': 'one' });
    // However long it took to come here.
    const now = jest.spyOn(Date, 'now').mockReturnValue(lstatSync(file).ctimeMs + 19);
    expect(known(file).hashOf(file)).toBeUndefined();
    now.mockRestore();
    const inputs = new Inputs(new Map());
    inputs.note(file, 'h');
    expect(inputs.entries.size).toBe(0);
  }),
);

test(
  'a file that changes while it is read is read again',
  inFolder((folder) => {
    const file = join(folder, 'a.yaml');
    place(folder, { 'a.yaml': 'one' });
    settle();
    const inputs = new Inputs(new Map());
    inputs.hashOf(file);
    writeFileSync(file, 'two');
    inputs.note(file, 'of what was read, one or two');
    expect(new Inputs(inputs.entries).hashOf(file)).toBeUndefined();
  }),
);
