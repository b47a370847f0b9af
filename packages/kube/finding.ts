import { formatPath, formatProblem, show, type Path, type Problem } from './problem.ts';

/** A statement about the input, and its place there. */
export interface Finding {
  readonly path: Path;
  /** Whether it is about the last key of the path, instead of the value there. @default false */
  readonly atKey?: boolean;
  /** `must be ..., got ...`; for `not-checked`, the reason. */
  readonly message: string;
  /** The stable name of the rule, in kebab-case; for values, the keyword of their schema as spelled there. */
  readonly rule: string;
  /**
   * `error`: the input is refused. `warning`: the input is accepted, but most likely a mistake. `not-checked`: only the
   * API server can decide.
   */
  readonly severity: 'error' | 'warning' | 'not-checked';
  /**
   * The content of the finding as data, as far as other code needs it to attribute a mistake. Code decides by these
   * fields and not by the message.
   */
  readonly about?: {
    /** A name that is used but not declared. */
    readonly unknownName?: string;
    /** The known field that an unknown field beside it was most likely meant to be. */
    readonly meantField?: string;
    /**
     * For a duplicate item of a list: the index of the first such item. The path ends with the index of the duplicate.
     */
    readonly firstItem?: number;
    /** A setting that can be made in several places: the same setting, wherever it was made. */
    readonly setting?: Path;
    /** Whether the object does not set the setting itself: another layer sets it, or none does. Default: false */
    readonly isImplicit?: boolean;
  };
}

/** Whether the API server accepts something, as far as that is known without one. */
export interface Verdict {
  /** Errors. Without any, the input is accepted, apart from `notChecked`. */
  readonly errors: readonly Finding[];
  /** Accepted input that is most likely a mistake. */
  readonly warnings: readonly Finding[];
  /** Input that only the API server can decide on. */
  readonly notChecked: readonly Finding[];
}

export function errorAt(path: Path, message: string, rule: string): Finding {
  return { path, message, rule, severity: 'error' };
}

export function warningAt(path: Path, message: string, rule: string): Finding {
  return { path, message, rule, severity: 'warning' };
}

export function notCheckedAt(path: Path, message: string, rule: string): Finding {
  return { path, message, rule, severity: 'not-checked' };
}

/** Prefixes the path of a finding about a part, so that it is about the whole. */
export function prefixFinding<F extends Finding>(path: Path, finding: F): F {
  return { ...finding, path: [...path, ...finding.path] };
}

/** Collects findings in the order in which they are added. */
export class Findings implements Verdict {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];
  readonly notChecked: Finding[] = [];

  add(finding: Finding): void {
    this.#of(finding.severity).push(finding);
  }

  addError(path: Path, message: string, rule: string): void {
    this.errors.push(errorAt(path, message, rule));
  }

  /** Adds the error `must <must>, got <value>`. */
  addWrong(path: Path, must: string, got: unknown, rule: string): void {
    this.addError(path, `must ${must}, got ${show(got)}`, rule);
  }

  addWarning(path: Path, message: string, rule: string): void {
    this.warnings.push(warningAt(path, message, rule));
  }

  addNotChecked(path: Path, message: string, rule: string): void {
    this.notChecked.push(notCheckedAt(path, message, rule));
  }

  #of(severity: Finding['severity']): Finding[] {
    if (severity === 'error') return this.errors;
    return severity === 'warning' ? this.warnings : this.notChecked;
  }
}

/** The place of a finding in a file. */
export type ProblemLocation = Pick<Problem, 'file' | 'line' | 'column' | 'includedBy' | 'lacks'>;

/** Converts a finding to a problem for people. */
export function toProblem({ path, message, rule }: Finding, place: ProblemLocation = {}): Problem {
  return { ...place, path: formatPath(path), message, rule };
}

/** Formats a finding: `spec.quota.hard.cpu must be a quantity such as '500m', got 'half'`. */
export function formatFinding(finding: Finding): string {
  return formatProblem(toProblem(finding));
}
