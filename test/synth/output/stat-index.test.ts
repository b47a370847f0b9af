import { lstatSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { Output } from '../../../synth/output/output.ts';
import {
  contentHash,
  buildEntry,
  formatStatIndex,
  parseStatIndex,
  type StatIndex,
} from '../../../synth/output/stat-index.ts';
import { generated, inFolder, settle, write } from './folders.ts';

const textOf = (text: string): string => generated({ 'a.yaml': text })['a.yaml']!;

/** An output of one settled file, and the index that knows it. */
function settled(dist: string): StatIndex {
  write(dist, { 'a.yaml': 'one' });
  settle();
  const output = Output.open(dist, { mode: 'compare' });
  output.put('a.yaml', textOf('one'));
  output.finish();
  return output.statIndex();
}

test(
  'a settled file is known by its stat, and need not be read',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const index = settled(dist);
    expect([...index.keys()]).toEqual(['a.yaml']);
    // Only an index that lies shows that the file was not read.
    const entry = index.get('a.yaml');
    if (entry === undefined) throw new Error('a.yaml must be in the index');
    const lies = new Map(index).set('a.yaml', { ...entry, hash: contentHash('lie') });
    const output = Output.open(dist, { mode: 'compare', index: lies });
    expect(output.keep('a.yaml', contentHash(textOf('one')))).toBe(false);
    expect(output.keep('a.yaml', contentHash('lie'))).toBe(true);
  }),
);

test(
  'an edit of the same size with the old modification time is noticed',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const index = settled(dist);
    const file = join(dist, 'a.yaml');
    const { atime, mtime, mtimeMs } = lstatSync(file);
    utimesSync(file, atime, mtime);
    const exact = Math.abs(lstatSync(file).mtimeMs - mtimeMs) < 1;
    writeFileSync(file, textOf('two'));
    utimesSync(file, atime, mtime);
    expect(exact).toBe(true);
    const output = Output.open(dist, { mode: 'write', index });
    expect(output.keep('a.yaml', contentHash(textOf('one')))).toBe(false);
    output.put('a.yaml', textOf('one'));
    expect(output.finish().changed).toEqual(['a.yaml']);
    expect(readFileSync(file, 'utf8')).toBe(textOf('one'));
  }),
);

test(
  'a file that changed a moment ago is not entered, but read the next time',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    const first = Output.open(dist, { mode: 'write' });
    first.put('a.yaml', textOf('one'));
    first.finish();
    expect(first.statIndex().size).toBe(0);
    writeFileSync(join(dist, 'a.yaml'), textOf('two'));
    // However long it took to come here.
    const now = jest
      .spyOn(Date, 'now')
      .mockReturnValue(lstatSync(join(dist, 'a.yaml')).ctimeMs + 19);
    const second = Output.open(dist, { mode: 'write', index: first.statIndex() });
    now.mockRestore();
    expect(second.keep('a.yaml', contentHash(textOf('one')))).toBe(false);
    expect(second.keep('a.yaml', contentHash(textOf('two')))).toBe(true);
    expect(second.finish()).toMatchObject({ written: [], unchanged: 1 });
    expect(second.statIndex().size).toBe(0);
    const stat = lstatSync(join(dist, 'a.yaml'));
    expect(buildEntry('h', stat, stat.ctimeMs + 19)).toBeUndefined();
    expect(buildEntry('h', stat, stat.ctimeMs + 21)).toMatchObject({
      hash: 'h',
      size: textOf('two').length,
    });
  }),
);

test(
  'a file that was kept stays ours, one that was not goes',
  inFolder((folder) => {
    const dist = join(folder, 'dist');
    write(dist, { a: '1', b: '2' });
    const output = Output.open(dist, { mode: 'write' });
    expect(output.keep('a', contentHash(generated({ a: '1' })['a']!))).toBe(true);
    expect(output.keep('none', contentHash('1'))).toBe(false);
    expect(output.finish()).toMatchObject({ removed: ['b'], written: [] });
  }),
);

test('an index survives as text, and any other text is an empty index', () => {
  const entry = {
    hash: contentHash('x'),
    size: 1,
    mtimeMs: Date.UTC(2026, 0, 1) + 0.25,
    ctimeMs: 2.5,
    ino: 7,
  };
  const index = new Map([['a/b.yaml', entry]]);
  expect(parseStatIndex(formatStatIndex(index))).toEqual(index);
  for (const text of ['', 'null', '[]', '{"version":1}', formatStatIndex(index).slice(0, -9)]) {
    expect(parseStatIndex(text).size).toBe(0);
  }
});
