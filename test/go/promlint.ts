import { execFileSync } from 'node:child_process';
import { buildGo } from './build.ts';

/** What Prometheus reads from a page of metrics, or why it does not. */
export type PromlintAnswer =
  | {
      /** Values by series, which is written `name{label="value"}`. */
      readonly samples: Readonly<Record<string, string>>;
      /** Of `promtool check metrics`. */
      readonly problems: readonly string[];
      readonly error?: undefined;
    }
  | { readonly error: string };

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function promlint(): Promise<((page: string) => PromlintAnswer) | undefined> {
  const program = await buildGo('promlint');
  if (program === undefined) return undefined;
  return (page) => {
    const output = execFileSync(program, { input: page, encoding: 'utf8' });
    const answer: PromlintAnswer = JSON.parse(output);
    return answer;
  };
}
