import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { RenderCache, cacheFileName, type UnitRecord } from '../../synth/memory.ts';
import { cacheFolder } from '../../synth/run.ts';
import { inFolder, place } from './output/folders.ts';

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
