/** The five fields, least and most. */
const FIELDS = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  {
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const;

/**
 * Whether a text is five fields of cron, as Argo CD reads them: minute, hour, day, month, day of the week from 0.
 * Source: https://pkg.go.dev/github.com/robfig/cron/v3
 */
export function isSchedule(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === FIELDS.length &&
    fields.every((field, i) => {
      const ranges = field.split(',').filter((range) => range !== '');
      return ranges.every((range) => isRange(range, FIELDS[i]!));
    })
  );
}

function isRange(range: string, field: (typeof FIELDS)[number]): boolean {
  const { least, most } = field;
  const [between = '', step, ...more] = range.split('/');
  const [from = '', to, ...rest] = between.split('-');
  if (more.length > 0) return false;
  if (step !== undefined && !(isNumber(step) && Number(step) > 0)) return false;
  if (from === '*' || from === '?') return true;
  if (rest.length > 0) return false;
  const first = valueOf(from, field);
  const last = to === undefined ? first : valueOf(to, field);
  if (first === undefined || last === undefined) return false;
  return first >= least && last <= most && first <= last;
}

function valueOf(text: string, { names, least }: (typeof FIELDS)[number]): number | undefined {
  const at = (names as readonly string[]).indexOf(text.toLowerCase());
  if (at >= 0) return at + least;
  return isNumber(text) ? Number(text) : undefined;
}

function isNumber(text: string): boolean {
  return /^\+?[0-9]+$/.test(text);
}
