import { omitUndefined } from '@tenantry/kube/mapping';
import { formatProblem, type Problem } from '@tenantry/kube/problem';

/**
 * Reports that declarations cannot become an output: a failed validation, a cycle, two files or two
 * objects under one name. It is thrown once with every problem; each names the constructs.
 */
export class InvalidOutput extends Error {
  override readonly name = 'InvalidOutput';
  readonly problems: string[];
  /** The problems as reported to people, with rules and places if they are known. */
  readonly locatedProblems: readonly Problem[];

  /** @param heading the first line of the message; without it a single problem is the whole message */
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

/** Names the construct and leaves out the file. */
function formatLikeCdk8s({ construct, path, message, rule }: Problem): string {
  return formatProblem(omitUndefined({ construct, path, message, rule }));
}
