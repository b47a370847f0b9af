import type { Problem } from '@tenantry/kube/problem';
import type { Summary } from '../../synth/report.ts';

/** An earlier output, from which nothing may disappear. */
export interface Base {
  /** The name for messages: `HEAD`. */
  readonly name: string;
  /** All files that Tenantry wrote, sorted; every file if the base has no record of them. */
  readonly files: readonly string[];
  /** The files that may hold objects which a new output lacks. All other files are unchanged in it. */
  changed(summary: Summary): string[];
  read(paths: readonly string[]): Iterable<readonly [path: string, text: string]>;
}

/** Returns the warning that removals are not checked. */
export function buildUncheckedWarning(why: string): Problem {
  const message = `what disappears was not looked for: ${why}`;
  return { path: '', message, rule: 'base' };
}
