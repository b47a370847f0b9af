import type { Problem } from '../kube/problem.ts';
import type { Summary } from '../synth/report.ts';

/** An earlier output, from which nothing may disappear. */
export interface Base {
  /** For messages: `HEAD`. */
  readonly name: string;
  /** All files of it that Tenantry wrote, sorted; every file where it does not say which. */
  readonly files: readonly string[];
  /** Those that may hold what a new output does not; all others are in that as they were. */
  changed(summary: Summary): string[];
  read(paths: readonly string[]): Iterable<readonly [path: string, text: string]>;
}

/** The warning that a guard is off. */
export function buildUncheckedWarning(why: string): Problem {
  const message = `what disappears was not looked for: ${why}`;
  return { path: '', message, rule: 'base' };
}
