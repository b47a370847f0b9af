/** A goal and its result. */
export interface Goal {
  readonly promise: string;
  /** In the unit of `bound`; undefined when it was not measured. */
  readonly reached: number | undefined;
  readonly bound: number;
  readonly unit: string;
}

/** Returns a goal for a value that must not exceed a bound. */
export function most(
  promise: string,
  reached: number | undefined,
  bound: number,
  unit: string,
): Goal {
  return { promise, reached, bound, unit };
}

/** Undefined where it was not measured. */
export function isMet({ reached, bound }: Goal): boolean | undefined {
  return reached === undefined ? undefined : reached <= bound;
}

/** Formats goals and results as a table of Markdown. */
export function goalTable(goals: readonly Goal[]): string {
  return ['| goal | bound | reached | |', '|---|---|---|---|', ...goals.map(goalRow)].join('\n');
}

function goalRow(goal: Goal): string {
  const { promise, bound, unit, reached } = goal;
  const met = isMet(goal);
  const verdict = met === undefined ? 'not measured' : met ? 'met' : '**missed**';
  const limit = `at most ${number(bound)} ${unit}`;
  return `| ${promise} | ${limit} | ${reached === undefined ? '' : `${number(reached)} ${unit}`} | ${verdict} |`;
}

/** Formats a number with two significant digits, or with all digits before the point. */
export function number(value: number | undefined): string {
  if (value === undefined) return '';
  return value.toFixed(value >= 20 ? 0 : value >= 3 ? 1 : 2);
}
