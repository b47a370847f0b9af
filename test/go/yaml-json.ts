import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';
import { unlisted } from './listed.ts';

/** What kubectl reads from a document: its value as JSON, or why it refuses it. */
export type GoAnswer =
  { readonly value: unknown; readonly error?: undefined } | { readonly error: string };

/** Asks the Go parser of kubectl about many documents at once, in one process. */
export type AskGo = (documents: readonly string[]) => GoAnswer[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function goReader(): Promise<AskGo | undefined> {
  const program = await buildGo('yamljson');
  if (program === undefined) return undefined;
  return (documents) => {
    return linesOf(program, documents).map((line): GoAnswer => {
      const answer = JSON.parse(line) as { value: unknown; error?: string };
      return answer.error === undefined
        ? { value: unlisted(answer.value) }
        : { error: answer.error };
    });
  };
}
