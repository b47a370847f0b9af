import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { cpuSeconds, memory } from '../../../bench/runtime/proc.ts';

test('the time of a process is read after its name, whatever the name is', () => {
  const fields = 'S 1 2 3 4 5 6 7 8 9 10 250 50 7 7 20 0 1';
  expect(cpuSeconds(`42 (a) b (c)) ${fields}`)).toBe(3);
});

test('memory is in MB, and the peak is at least the current value', () => {
  expect(memory('VmPeak:\t 9 kB\nVmHWM:\t  2000 kB\nVmRSS:\t  1000 kB\n')).toEqual({
    now: 1.024,
    most: 2.048,
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('of this very process there is something to tell', () => {
  const { now, most } = memory(readFileSync('/proc/self/status', 'utf8'));
  expect(now).toBeGreaterThan(10);
  expect(most).toBeGreaterThanOrEqual(now);
  expect(cpuSeconds(readFileSync('/proc/self/stat', 'utf8'))).toBeGreaterThan(0);
});
