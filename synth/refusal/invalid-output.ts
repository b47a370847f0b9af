import { formatProblem, type Problem } from '../../kube/problem.ts';

/**
 * What was declared cannot become an output: a failed validation, a cycle, two files or two objects
 * under one name. Thrown once, with every problem that was found; each names the constructs.
 */
export class InvalidOutput extends Error {
  override readonly name = 'InvalidOutput';
  readonly problems: string[];
  /** The same as they are told to people: with rules and places where these are known. */
  readonly locatedProblems: readonly Problem[];

  /** `heading` is the first line of the message; without it a single problem is the whole message. */
  constructor(declared: readonly (string | Problem)[], heading?: string) {
    const problems = declared.map((one) => (typeof one === 'string' ? one : formatLikeCdk8s(one)));
    const [first, ...more] = problems;
    super(
      heading === undefined && first !== undefined && more.length === 0
        ? first
        : [heading ?? `${problems.length} problems:`, ...problems].join('\n  '),
    );
    this.problems = problems;
    this.locatedProblems = declared.map((one) =>
      typeof one === 'string' ? { path: '', message: one, rule: 'construct' } : one,
    );
  }
}

/** Constructs are named, files are not. */
function formatLikeCdk8s({ construct, path, message, rule }: Problem): string {
  return formatProblem({ ...(construct !== undefined && { construct }), path, message, rule });
}
