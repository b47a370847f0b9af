import {
  bundleQuestions,
  parseItems,
  type BundleAnswers,
  type BundleQuestion,
} from '@tenantry/olm/constructs/start/program';
import { show, type Problem } from '@tenantry/kube/problem';
import type { Prompt } from '../../interactive.ts';

/** The answers that options give, by key. Lists keep their items as given. */
export type GivenAnswers = Readonly<
  Partial<Record<keyof BundleAnswers, string | readonly string[]>>
>;

/**
 * Collects the answers to all questions from options and, if there is one, from a person. Without a
 * person, all missing or invalid answers are reported at once.
 */
export async function answersTo(
  given: GivenAnswers,
  person: { readonly ask: Prompt; readonly print: (line: string) => void } | undefined,
): Promise<BundleAnswers | { readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const answers: Partial<Record<keyof BundleAnswers, string | readonly string[]>> = {};
  for (const question of bundleQuestions) {
    const answer = given[question.key];
    if (answer !== undefined) {
      const items = typeof answer === 'string' ? [answer] : answer;
      problems.push(...faultsOf(question, items).map((message) => problem(question, message)));
      answers[question.key] = question.isList ? items : items[0]!;
    } else if (!person) {
      problems.push(problem(question, `must be given, such as ${show(question.example)}`));
    }
  }
  if (problems.length > 0) return { problems };
  for (const question of bundleQuestions) {
    if (answers[question.key] === undefined)
      answers[question.key] = await askFor(question, person!);
  }
  return answers as BundleAnswers;
}

function problem({ flag }: BundleQuestion, message: string): Problem {
  return { path: flag, message, rule: 'answer' };
}

function faultsOf({ wrong, example }: BundleQuestion, items: readonly string[]): string[] {
  if (items.length === 0) return [`must have a value, such as ${show(example)}`];
  return items.flatMap((item) => {
    const must = wrong(item);
    return must === undefined ? [] : [`must be ${must}, got ${show(item)}`];
  });
}

/** Repeats the question until the answer is valid. */
async function askFor(
  question: BundleQuestion,
  { ask, print }: { readonly ask: Prompt; readonly print: (line: string) => void },
): Promise<string | readonly string[]> {
  const { prompt, example, otherwise, isList } = question;
  const hint = otherwise === undefined ? `such as ${example}` : otherwise;
  const several = isList ? ', with commas between' : '';
  for (;;) {
    const text = (await ask(`${prompt}${several} (${hint}): `)).trim();
    const items = parseItems(question, text === '' ? (otherwise ?? '') : text);
    const faults = faultsOf(question, items);
    if (faults.length === 0) return isList ? items : items[0]!;
    for (const fault of faults) print(fault);
  }
}
