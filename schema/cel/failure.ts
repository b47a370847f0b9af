/**
 * CEL that cannot be computed for a value: the API server refuses the object then. It has no stack:
 * `||`, `&&`, `all` and `exists` absorb many of them.
 */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An expression that is no CEL, or whose types do not fit; `at` counts UTF-16 units from its start. */
export class BrokenExpression extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = 'BrokenExpression';
    this.at = at;
  }
}

/** What only the API server can tell: neither a pass nor a refusal. */
export class Undecided extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Undecided';
  }
}

export const noSuchOverload = (): Failure => new Failure('no such overload');
