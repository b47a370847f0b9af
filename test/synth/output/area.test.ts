import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isUpToDate, Output } from '../../../synth/output/output.ts';
import { OutputLocked } from '../../../synth/output/area.ts';
import { UnusableOutput } from '../../../synth/output/location.ts';
import { filesOf, generated, inFolder, place, treeOf, write } from './folders.ts';

const AREA = '.dist.tenantry';
const now = Date.now();
const gone = spawnSync('true').pid;

/** The id of a writer on this or another host; of a process that has ended, or of the test process. */
const writer = ({ host = hostname(), pid = gone, start = '1', made = now } = {}) =>
  `${host}.${pid}.${start}.${made}`;

/** Writes a lock file, with the time in its name or with another. */
function placeLock(folder: string, id: string, time = Number(id.split('.').at(-1))): void {
  place(folder, { [`${AREA}/lock.${id}`]: '' });
  utimesSync(join(folder, AREA, `lock.${id}`), time / 1000, time / 1000);
}

const compare = (folder: string) =>
  write(join(folder, 'dist'), { a: '1' }, { mode: 'compare', sealed: [] });

test(
  'the files of killed writers are removed with their locks, also if the pid is reused',
  inFolder((folder) => {
    if (process.platform !== 'linux') return;
    write(join(folder, 'dist'), { a: '1' });
    place(folder, { 'outside/x': 'alive' });
    const ids = [
      writer(),
      writer({ pid: process.ppid }),
      writer({ host: 'elsewhere', made: now - 3_700_000 }),
    ];
    for (const id of ids) {
      placeLock(folder, id);
      place(folder, { [`${AREA}/staged.${id}/a`]: 'evil' });
      place(folder, { [`${AREA}/swap.${id}/a`]: 'evil' });
      symlinkSync('../../outside', join(folder, AREA, `staged.${id}/link`));
    }
    expect(compare(folder)).toMatchObject({ unexpected: [], interrupted: true });
    expect(isUpToDate(compare(folder))).toBe(true);
    write(join(folder, 'dist'), { a: '1' });
    expect(readdirSync(folder).toSorted()).toEqual(['dist', 'outside']);
    expect(filesOf(folder)).toMatchObject({ 'outside/x': 'alive' });
    expect(filesOf(join(folder, 'dist'))).toEqual({ a: '1' });
  }),
);

test(
  'a writer on another host may be alive, so its lock is respected',
  inFolder((folder) => {
    placeLock(folder, writer({ host: 'elsewhere', made: now - 3_500_000 }));
    expect(() => write(join(folder, 'dist'), { a: '1' })).toThrow(OutputLocked);
    expect(existsSync(join(folder, 'dist'))).toBe(false);
  }),
);

// Git keeps no times: a committed file has the time of the checkout.
test.each([
  ['of another host, made at any time', writer({ host: 'elsewhere', made: now + 60_000 })],
  ['of a process that always lives', writer({ pid: 1, start: '0', made: now - 60_000 })],
  ['of a process that is dead', writer({ made: now - 60_000 })],
])('a lock %s that a commit brought neither stops a writer nor is it swept', (_, id) =>
  inFolder((folder) => {
    placeLock(folder, id, now);
    place(folder, { [`${AREA}/swap.${id}/a`]: 'evil' });
    const before = treeOf(join(folder, AREA));
    const unexpected = [`../${AREA}/lock.${id}`, `../${AREA}/swap.${id}`];
    expect(write(join(folder, 'dist'), { a: '1' }, { sealed: [] })).toMatchObject({
      unexpected,
    });
    expect(compare(folder)).toMatchObject({ unexpected, interrupted: false });
    expect(treeOf(join(folder, AREA))).toEqual(before);
    expect(filesOf(join(folder, 'dist'))).toEqual({ a: '1' });
  })(),
);

test(
  'a live process with another start time is not the writer',
  inFolder((folder) => {
    if (process.platform !== 'linux') return;
    placeLock(folder, writer({ pid: process.pid, start: '0' }));
    write(join(folder, 'dist'), { a: '1' });
    expect(readdirSync(folder)).toEqual(['dist']);
  }),
);

test(
  'no entry of the staging area is taken over, whatever its name, and all are reported',
  inFolder((folder) => {
    write(join(folder, 'dist'), { a: '1' });
    place(folder, {
      [`${AREA}/journal`]: 'tenantry swap 1\nmove zz\nremove ../../x\nend\n',
      [`${AREA}/tree/zz`]: 'evil',
      [`${AREA}/lock`]: '',
      [`${AREA}/staged`]: '',
    });
    mkdirSync(join(folder, AREA, `lock.${writer()}`));
    symlinkSync('../dist', join(folder, AREA, `swap.${writer()}`));
    symlinkSync('none', join(folder, AREA, 'link'));
    const before = treeOf(join(folder, AREA));
    const names = [
      'journal',
      'link',
      'lock',
      `lock.${writer()}`,
      'staged',
      `swap.${writer()}`,
      'tree',
    ];
    const unexpected = names.map((name) => `../${AREA}/${name}`);
    expect(compare(folder)).toMatchObject({ unexpected, interrupted: false });
    expect(isUpToDate(compare(folder))).toBe(false);
    expect(write(join(folder, 'dist'), { a: '2' }, { sealed: [] })).toMatchObject({
      unexpected,
    });
    expect(filesOf(join(folder, 'dist'))).toEqual({ a: '2' });
    expect(treeOf(join(folder, AREA))).toEqual(before);
  }),
);

test(
  'the files of an active writer are not unexpected',
  inFolder((folder) => {
    const first = Output.open(join(folder, 'dist'), { mode: 'write' });
    first.put('a', generated({ a: '1' })['a']!);
    expect(readdirSync(join(folder, AREA))).toHaveLength(2);
    expect(compare(folder)).toMatchObject({ unexpected: [], interrupted: false });
    first.abort();
    expect(readdirSync(folder)).toEqual([]);
  }),
);

test.each([
  ['a link', (area: string) => symlinkSync('outside', area), 'a symbolic link: remove it'],
  ['a link to nothing', (area: string) => symlinkSync('none', area), 'a symbolic link: remove it'],
  ['a file', (area: string) => writeFileSync(area, ''), 'a file'],
])('%s in the place of the staging area is refused, and left alone', (_, put, got) =>
  inFolder((folder) => {
    place(folder, { 'outside/tree/x': 'alive', 'outside/journal': 'alive' });
    put(join(folder, AREA));
    const before = treeOf(folder);
    for (const mode of ['write', 'compare'] as const) {
      const action = () => write(join(folder, 'dist'), { a: '1' }, { mode });
      expect(action).toThrow(UnusableOutput);
      expect(action).toThrow(`the staging area ${join(folder, AREA)} must be a folder, got ${got}`);
    }
    expect(treeOf(folder)).toEqual(before);
  })(),
);
