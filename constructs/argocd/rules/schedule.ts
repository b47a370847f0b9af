import { cronFields, type CronField } from '../../../kube/cron.ts';

/**
 * Whether a text has five cron fields, as Argo CD reads them: minute, hour, day, month, day of the week from 0.
 * Source: https://pkg.go.dev/github.com/robfig/cron/v3
 */
export function isSchedule(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === cronFields.length &&
    fields.every((field, i) => {
      const ranges = field.split(',').filter((range) => range !== '');
      return ranges.every((range) => isRange(range, cronFields[i]!));
    })
  );
}

function isRange(range: string, field: CronField): boolean {
  const [between = '', step, ...more] = range.split('/');
  const [from = '', to, ...rest] = between.split('-');
  if (more.length > 0) return false;
  if (step !== undefined && !(isNumber(step) && Number(step) > 0)) return false;
  if (from === '*' || from === '?') return true;
  if (rest.length > 0) return false;
  const first = parseFieldValue(from, field);
  const last = to === undefined ? first : parseFieldValue(to, field);
  if (first === undefined || last === undefined) return false;
  return first >= field.min && last <= field.max && first <= last;
}

function parseFieldValue(text: string, { words, min }: CronField): number | undefined {
  const at = words.indexOf(text.toLowerCase());
  if (at >= 0) return at + min;
  return isNumber(text) ? Number(text) : undefined;
}

function isNumber(text: string): boolean {
  return /^\+?[0-9]+$/.test(text);
}
