import {
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, jest } from '@jest/globals';
import { RenderCache, cacheFileName, Inputs, type UnitRecord } from '../../synth/render-cache.ts';
import { cacheFolder } from '../../synth/run.ts';
import { inFolder, place, settle } from './output/folders.ts';

const record: UnitRecord = {
  id: 'a.yaml',
  files: [['a/ä.yaml', 'hash']],
  objects: 1,
  namespaces: ['eu1/a'],
  holders: [],
  facts: { text: 'two\nlines' },
};

test(
  'what a run used is there in the next, what it did not use is forgotten',
  inFolder((folder) => {
    const file = join(folder, 'deep/memory.json');
    const first = new RenderCache(file, 'code');
    expect(first.get('a')).toBeUndefined();
    first.set('a', record);
    first.set('b', record);
    first.save(new Map());
    const second = new RenderCache(file, 'code');
    expect(second.get('a')).toEqual(record);
    second.retain('a');
    second.retain('unknown');
    expect(second.has('b')).toBe(true);
    expect(second.has('unknown')).toBe(false);
    second.save(new Map());
    expect(new RenderCache(file, 'code').get('b')).toBeUndefined();
    expect(new RenderCache(file, 'code').get('a')).toEqual(record);
    expect(new RenderCache(file, 'other code').get('a')).toBeUndefined();
    expect(readdirSync(join(folder, 'deep'))).toEqual(['memory.json']);
  }),
);

test(
  'a memory that cannot be read or written is an empty one, and no error',
  inFolder((folder) => {
    const file = join(folder, 'memory.json');
    const memory = new RenderCache(file, 'code');
    memory.set('a', record);
    memory.save(new Map());
    const whole = readFileSync(file, 'utf8');
    for (const text of [
      '',
      'code',
      'code\n',
      'code\n{}\n{',
      whole.slice(0, -9),
      whole.slice(0, 40),
    ]) {
      writeFileSync(file, text);
      expect(new RenderCache(file, 'code').get('a')).toBeUndefined();
    }
    place(folder, { blocked: 'a file' });
    const blocked = new RenderCache(join(folder, 'blocked/memory.json'), 'code');
    blocked.set('a', record);
    expect(() => blocked.save(new Map())).not.toThrow();
    expect(readFileSync(join(folder, 'blocked'), 'utf8')).toBe('a file');
  }),
);

test('every output folder has a memory of its own, in the folder that the environment names', () => {
  expect(cacheFileName('/a/dist')).not.toBe(cacheFileName('/b/dist'));
  expect(existsSync(cacheFileName('/a/dist'))).toBe(false);
  expect(cacheFolder({ TENANTRY_CACHE: 'off' })).toEqual({});
  expect(cacheFolder({ CI: 'true', TENANTRY_CACHE: '/c' })).toEqual({});
  expect(cacheFolder({ CI: 'false', TENANTRY_CACHE: '/c' })).toEqual({ memory: '/c' });
  expect(cacheFolder({ CI: '', XDG_CACHE_HOME: '/x' })).toEqual({ memory: '/x/tenantry/synth' });
});

/** What a run knows of a file after one that read it. */
function known(file: string, hash = 'h'): Inputs {
  const first = new Inputs(new Map());
  expect(first.hashFile(file)).toBeUndefined();
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
    expect(second.hashFile(file)).toBe('h');
    expect(new Inputs(second.entries).hashFile(file)).toBe('h');
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
    expect(inputs.hashFile(file)).toBeUndefined();
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
    expect(known(file).hashFile(file)).toBeUndefined();
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
    inputs.hashFile(file);
    writeFileSync(file, 'two');
    inputs.note(file, 'of what was read, one or two');
    expect(new Inputs(inputs.entries).hashFile(file)).toBeUndefined();
  }),
);
