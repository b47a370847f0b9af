import { formatPath, formatProblem, type Path, type Problem } from './problem.ts';

/** One thing that is said of input, and where in it. */
export interface Finding {
  readonly path: Path;
  /** It is about the last key of the path, not about the value there. @default false */
  readonly atKey?: boolean;
  /** `must be ..., got ...`; of what is not checked, why. */
  readonly message: string;
  /**
   * Stable name of the rule, in kebab-case; for values, the keyword of their schema as it is
   * spelled.
   */
  readonly rule: string;
  /**
   * `error`: it is refused. `warning`: it is accepted, and most likely not what was meant.
   * `not-checked`: only the API server can decide.
   */
  readonly severity: 'error' | 'warning' | 'not-checked';
  /**
   * What it says, as data, as far as somebody asks whose mistake it is: what is decided by a finding
   * is not decided by its words.
   */
  readonly about?: {
    /** A name that is used, and that nobody gives. */
    readonly unknownName?: string;
    /** The field that a field beside it, which is not known, seems to mean. */
    readonly meantField?: string;
    /** Of an item that a list must not hold again, as the last number of its path names it: the first that it has. */
    readonly firstItem?: number;
    /** A setting that may be said in several places: the same one, wherever it stands. */
    readonly setting?: Path;
    /** The object says nothing of the setting: it has it from elsewhere, or not at all. Default: false */
    readonly isUnsaid?: boolean;
  };
}

/** Whether the API server takes something, as far as that can be known without one. */
export interface Verdict {
  /** Each of these is refused. Without any, it is accepted, apart from `notChecked`. */
  readonly errors: readonly Finding[];
  /** Accepted, and most likely not what was meant. */
  readonly warnings: readonly Finding[];
  /** What only the API server can decide: neither refused nor passed here. */
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

/** What was said of a part, said of the whole that the part stands in. */
export function prefixFinding(path: Path, finding: Finding): Finding {
  return { ...finding, path: [...path, ...finding.path] };
}

/** Gathers what is found; the order is that of finding. */
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

/** Where the place of a finding is in a file. */
export type ProblemLocation = Pick<Problem, 'file' | 'line' | 'column' | 'includedBy' | 'lacks'>;

/** A finding as it is told to people. */
export function toProblem({ path, message, rule }: Finding, place: ProblemLocation = {}): Problem {
  return { ...place, path: formatPath(path), message, rule };
}

/** `spec.quota.hard.cpu must be a quantity such as '500m', got 'half'`. */
export function formatFinding(finding: Finding): string {
  return formatProblem(toProblem(finding));
}
