import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';
import { unlisted } from './listed.ts';

/** The type as which a text is parsed. */
export type PartKind =
  | 'deployment'
  | 'role'
  | 'mail'
  | 'url'
  | 'image'
  | 'version'
  | 'tolerant'
  | 'documents'
  | 'definition';

/** The result of the libraries that OLM's tools use. */
export interface PartAnswer {
  /** The reason why the text is not of its type. */
  readonly error?: string;
  /** The untyped values that are decoded from a file, and then from its start again with the same decoder. */
  readonly first?: unknown;
  readonly typed?: unknown;
  readonly findings?: readonly { readonly field: string; readonly detail: string }[];
}

/** Parses many texts of a type in one process. */
export type AskParts = (kind: PartKind, texts: readonly string[]) => PartAnswer[];

/** Returns undefined and prints the reason if the Go program cannot be built. */
export async function bundleParts(): Promise<AskParts | undefined> {
  const program = await buildGo('bundleparts');
  if (program === undefined) return undefined;
  return (kind, texts) => {
    const questions = texts.map((text) => ({ kind, text: Buffer.from(text).toString('base64') }));
    return linesOf(program, questions).map((line) => {
      const answer = JSON.parse(line) as PartAnswer;
      if (kind !== 'documents' || answer.error !== undefined) return answer;
      return { first: unlisted(answer.first), typed: unlisted(answer.typed) };
    });
  };
}
