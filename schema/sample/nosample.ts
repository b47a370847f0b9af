import { formatPath, type Path } from '../../kube/problem.ts';

/** A field for which no valid value was found. */
export interface Unsampled {
  readonly path: Path;
  /** `must have an example, got ...`. */
  readonly message: string;
}

/** No valid value was found: an `example` at the named fields helps. Holds every such field. */
export class NoSample extends Error {
  readonly fields: readonly Unsampled[];

  constructor(fields: readonly Unsampled[]) {
    super(fields.map(({ path, message }) => `${formatPath(path)} ${message}`.trim()).join('\n'));
    this.name = 'NoSample';
    this.fields = fields;
  }
}

export function missing(path: Path, got: string): NoSample {
  return new NoSample([{ path, message: `must have an example, got ${got}` }]);
}

/** What is made, or why there is none. */
export function attempt<T>(make: () => T): T | NoSample {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoSample) return error;
    throw error;
  }
}
