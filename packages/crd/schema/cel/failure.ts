/**
 * An evaluation error: the API server then refuses the object. It has no stack, because `||`, `&&`, `all` and `exists`
 * absorb many of them.
 */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An expression that is not valid CEL, or whose types do not fit. `at` counts UTF-16 units from its start. */
export class BrokenExpression extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.name = 'BrokenExpression';
    this.at = at;
  }
}

/** The result depends on the API server: neither a pass nor a refusal. */
export class Undecided extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Undecided';
  }
}

export const noSuchOverload = (): Failure => new Failure('no such overload');
