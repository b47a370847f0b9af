import { execFileSync } from 'node:child_process';
import { buildGo } from './build.ts';
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
    const input = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
    const output = execFileSync(program, { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
    const lines = output.split('\n').slice(0, documents.length);
    return lines.map((line): GoAnswer => {
      const answer = JSON.parse(line) as { value: unknown; error?: string };
      return answer.error === undefined
        ? { value: unlisted(answer.value) }
        : { error: answer.error };
    });
  };
}
