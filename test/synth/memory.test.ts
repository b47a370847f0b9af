import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Memory, memoryName, type UnitRecord } from '../../synth/memory.ts';
import { memoryFolder } from '../../synth/run.ts';
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
    const first = new Memory(file, 'code');
    expect(first.unit('a')).toBeUndefined();
    first.remember('a', record);
    first.remember('b', record);
    first.save(new Map());
    const second = new Memory(file, 'code');
    expect(second.unit('a')).toEqual(record);
    second.keep('a');
    second.keep('unknown');
    expect(second.knows('b')).toBe(true);
    expect(second.knows('unknown')).toBe(false);
    second.save(new Map());
    expect(new Memory(file, 'code').unit('b')).toBeUndefined();
    expect(new Memory(file, 'code').unit('a')).toEqual(record);
    expect(new Memory(file, 'other code').unit('a')).toBeUndefined();
    expect(readdirSync(join(folder, 'deep'))).toEqual(['memory.json']);
  }),
);

test(
  'a memory that cannot be read or written is an empty one, and no error',
  inFolder((folder) => {
    const file = join(folder, 'memory.json');
    const memory = new Memory(file, 'code');
    memory.remember('a', record);
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
      expect(new Memory(file, 'code').unit('a')).toBeUndefined();
    }
    place(folder, { blocked: 'a file' });
    const blocked = new Memory(join(folder, 'blocked/memory.json'), 'code');
    blocked.remember('a', record);
    expect(() => blocked.save(new Map())).not.toThrow();
    expect(readFileSync(join(folder, 'blocked'), 'utf8')).toBe('a file');
  }),
);

test('every output folder has a memory of its own, in the folder that the environment names', () => {
  expect(memoryName('/a/dist')).not.toBe(memoryName('/b/dist'));
  expect(existsSync(memoryName('/a/dist'))).toBe(false);
  expect(memoryFolder({ TENANTRY_CACHE: 'off' })).toEqual({});
  expect(memoryFolder({ CI: 'true', TENANTRY_CACHE: '/c' })).toEqual({});
  expect(memoryFolder({ CI: 'false', TENANTRY_CACHE: '/c' })).toEqual({ memory: '/c' });
  expect(memoryFolder({ CI: '', XDG_CACHE_HOME: '/x' })).toEqual({ memory: '/x/tenantry/synth' });
});
