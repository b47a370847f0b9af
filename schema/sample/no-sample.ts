import { errorAt, formatFinding, type Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';

/** No valid value was found: an `example` at the named fields helps. */
export class NoSample extends Error {
  /** Every field without a value: `must have an example, got ...`, with the rule `example`. */
  readonly fields: readonly Finding[];

  constructor(fields: readonly Finding[]) {
    super(fields.map(formatFinding).join('\n'));
    this.name = 'NoSample';
    this.fields = fields;
  }
}

export function buildNoSample(path: Path, got: string): NoSample {
  return new NoSample([errorAt(path, `must have an example, got ${got}`, 'example')]);
}

/** Returns the result of `make`, or the reason why there is no sample. */
export function attempt<T>(make: () => T): T | NoSample {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoSample) return error;
    throw error;
  }
}
