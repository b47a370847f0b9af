import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';
import { unlisted } from './listed.ts';

/** The value that kubectl reads from a document, as JSON, or the reason why it rejects the document. */
export type GoAnswer =
  { readonly value: unknown; readonly error?: undefined } | { readonly error: string };

/** Parses many documents with kubectl's Go parser, in one process. */
export type AskGo = (documents: readonly string[]) => GoAnswer[];

/** Returns undefined and prints the reason if the Go program cannot be built. */
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
