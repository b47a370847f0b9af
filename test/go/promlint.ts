import { execFileSync } from 'node:child_process';
import { buildGo } from './build.ts';

/** The metrics that Prometheus reads from a page, or the reason why it cannot. */
export type PromlintAnswer =
  | {
      /** Values by series, in the form `name{label="value"}`. */
      readonly samples: Readonly<Record<string, string>>;
      /** The output of `promtool check metrics`. */
      readonly problems: readonly string[];
      readonly error?: undefined;
    }
  | { readonly error: string };

/** Returns undefined and prints the reason if the Go program cannot be built. */
export async function promlint(): Promise<((page: string) => PromlintAnswer) | undefined> {
  const program = await buildGo('promlint');
  if (program === undefined) return undefined;
  return (page) => {
    const output = execFileSync(program, { input: page, encoding: 'utf8' });
    const answer: PromlintAnswer = JSON.parse(output);
    return answer;
  };
}
