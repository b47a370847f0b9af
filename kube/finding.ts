import type { Path } from './problem.ts';

/** One thing about a definition, and where in the manifest. */
export interface Finding {
  readonly path: Path;
  /** `must be ..., got ...`. */
  readonly message: string;
  /** Stable name of the rule, in kebab-case. */
  readonly rule: string;
}

/** What the API server says of a definition, as far as that can be known without one. */
export interface DefinitionVerdict {
  /** Each of these is refused. Without any, the definition is accepted but for `notChecked`. */
  readonly errors: readonly Finding[];
  /** What only the API server can decide: neither refused nor passed here. */
  readonly notChecked: readonly Finding[];
  /** Accepted, and most likely not what was meant. */
  readonly warnings: readonly Finding[];
}

/** Gathers what is found; the order is that of finding. */
export class Findings implements DefinitionVerdict {
  readonly errors: Finding[] = [];
  readonly notChecked: Finding[] = [];
  readonly warnings: Finding[] = [];

  error(path: Path, rule: string, message: string): void {
    this.errors.push({ path, message, rule });
  }

  unsure(path: Path, rule: string, message: string): void {
    this.notChecked.push({ path, message, rule });
  }

  warn(path: Path, rule: string, message: string): void {
    this.warnings.push({ path, message, rule });
  }
}
