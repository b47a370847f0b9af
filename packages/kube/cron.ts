/** The bounds of a field of a schedule, and the names of its numbers. */
export interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** The names, from the smallest number on. */
  readonly words: readonly string[];
}

export const cronFields: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59, words: [] },
  { name: 'hour', min: 0, max: 23, words: [] },
  { name: 'day of the month', min: 1, max: 31, words: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  {
    name: 'day of the week',
    min: 0,
    max: 6,
    words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
];

/** The maximum number of days of each month. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Explains why a text is not a schedule of five fields, or describes a time that never comes; undefined if it is valid.
 * It applies the rules of CronJobs and of Argo CD's sync windows, and refuses empty items.
 *
 * Source: https://pkg.go.dev/github.com/robfig/cron/v3#hdr-CRON_Expression_Format
 */
export function validateSchedule(schedule: string): string | undefined {
  const texts = schedule.split(' ');
  if (texts.length !== cronFields.length) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  }
  const sets = cronFields.map((field, i) => parseValues(texts[i]!, field));
  for (const set of sets) if (typeof set === 'string') return set;
  const [, , days, months] = sets as ReadonlySet<number>[];
  // If both days are restricted, a match of one is enough, and every month has each day of the week.
  const isAnyWeekday = /^[*](?:[/]0*1)?$/.test(texts[4]!);
  const comes = [...months!].some((month) => Math.min(...days!) <= DAYS[month - 1]!);
  if (isAnyWeekday && !comes) return 'must come at some time: no such month has such a day';
  return undefined;
}

/** Returns the numbers that a field selects, or the problem with it. */
function parseValues(text: string, field: CronField): ReadonlySet<number> | string {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const range = parseRange(item, field);
    if (!range) {
      const { name, min, max } = field;
      return `must have for the ${name} a number from ${min} to ${max}, '*', a range such as '${min}-${max}' or steps such as '*/2'`;
    }
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return values;
}

const ITEM =
  /^(?:[*]|(?<from>[0-9]+|[a-z]{3})(?:-(?<to>[0-9]+|[a-z]{3}))?)(?:[/](?<step>[0-9]+))?$/i;

function parseRange(item: string, field: CronField) {
  const groups = ITEM.exec(item)?.groups;
  if (!groups) return undefined;
  const from = groups['from'] === undefined ? field.min : parseNumber(groups['from'], field);
  const step = groups['step'] === undefined ? 1 : Number(groups['step']);
  // `5/10` means from 5 on.
  const isOpen = groups['from'] === undefined || groups['step'] !== undefined;
  const last = groups['to'] ?? (isOpen ? undefined : groups['from']);
  const to = last === undefined ? field.max : parseNumber(last, field);
  if (from === undefined || to === undefined) return undefined;
  if (from < field.min || to > field.max || from > to || step < 1) return undefined;
  return { from, to, step };
}

function parseNumber(text: string, { min, words }: CronField): number | undefined {
  if (/^[0-9]+$/.test(text)) return Number(text);
  const index = words.indexOf(text.toLowerCase());
  return index < 0 ? undefined : min + index;
}
