import type { IConstruct } from 'constructs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFinding, toProblem, type ProblemLocation } from '../../kube/finding.ts';
import { ERRORS, type ConstructErrors } from '../../kube/output.ts';
import type { Problem } from '../../kube/problem.ts';

/**
 * Converts the validation errors of a construct into problems. They have path, rule and line of
 * code if the construct records them; otherwise they use the wording of cdk8s.
 */
export function buildProblems(
  construct: IConstruct,
  errors: readonly string[],
): (string | Problem)[] {
  const { path, metadata } = construct.node;
  const noted = metadata
    .filter(({ type }) => type === ERRORS)
    .flatMap(({ data }) => {
      const { errors: findings, stack }: ConstructErrors = data;
      const place = placeIn(stack);
      return findings().map((finding) => ({
        ...toProblem(finding, place),
        construct: path,
        text: formatFinding(finding),
      }));
    });
  return errors.map((error) => {
    const found = noted.find(({ text }) => text === error);
    if (!found) return `[${path}] ${error}`;
    const { text: _text, ...problem } = found;
    return problem;
  });
}

/** Matches a stack frame: `    at make (file:///app/main.ts:4:1)`, or the same without a function. */
const FRAME = /^ *at (?:.*\()?((?:file:\/\/)?\/[^\n]*?|[A-Za-z]:[\\/][^\n]*?):(\d+):(\d+)\)?$/;

/** Returns the place of the first frame outside of packages. */
function placeIn(stack: string): ProblemLocation {
  for (const line of stack.split('\n')) {
    const [, at, row, column] = FRAME.exec(line) ?? [];
    if (at === undefined || /[\\/]node_modules[\\/]/.test(at)) continue;
    const file = relative(process.cwd(), at.startsWith('file:') ? fileURLToPath(at) : at);
    return { file: file.replaceAll('\\', '/'), line: Number(row), column: Number(column) };
  }
  return {};
}
