/**
 * What was declared cannot become an output: a failed validation, a cycle, two files or two objects
 * under one name. Thrown once, with every problem that was found; each names the constructs.
 */
export class InvalidOutput extends Error {
  override readonly name = 'InvalidOutput';
  readonly problems: string[];

  /** `heading` is the first line of the message; without it a single problem is the whole message. */
  constructor(problems: readonly string[], heading?: string) {
    const [first, ...more] = problems;
    super(
      heading === undefined && first !== undefined && more.length === 0
        ? first
        : [heading ?? `${problems.length} problems:`, ...problems].join('\n  '),
    );
    this.problems = [...problems];
  }
}
