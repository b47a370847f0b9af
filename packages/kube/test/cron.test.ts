import { expect, test } from '@jest/globals';
import { validateSchedule } from '../cron.ts';

test.each([
  '* * * * *',
  '0 22 * * 1-5',
  '*/15 0,12 1-7/2 jan,DEC sun',
  '59 23 31 12 6',
  '5/10 0 1 1 *',
  '0 0 29 feb *',
  '0 0 31 1-4 *',
  '0 0 30 2 mon',
  '0 0 30 2 */2',
])('%s is a schedule', (schedule) => {
  expect(validateSchedule(schedule)).toBeUndefined();
});

test.each([
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 0 *',
  '* * * 13 *',
  '* * * * 7',
  '*/0 * * * *',
  '5-1 * * * *',
  '1,,2 * * * *',
  '*-5 * * * *',
  'jan * * * *',
  '1-2-3 * * * *',
  '-1 * * * *',
  '* * * mon *',
  '@daily',
  '* * * *',
  '* * * * * *',
  '*  * * * *',
])('%s is not a schedule', (schedule) => {
  expect(validateSchedule(schedule)).toMatch(/^must have /);
});

test.each(['0 0 30 2 *', '0 0 31 4,6,9,nov *', '0 0 31 2 */1'])('%s never comes', (schedule) => {
  expect(validateSchedule(schedule)).toMatch(/^must come at some time/);
});
