import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';
import { unlisted } from './listed.ts';

/** What a text is held to be. */
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

/** What the libraries that OLM's tools use say of a text. */
export interface PartAnswer {
  /** Why it is none of its kind. */
  readonly error?: string;
  /** What is decoded of a file untyped, and then, by the same decoder, from its start again. */
  readonly first?: unknown;
  readonly typed?: unknown;
  readonly findings?: readonly { readonly field: string; readonly detail: string }[];
}

/** Asks them of many texts of a kind, in one process. */
export type AskParts = (kind: PartKind, texts: readonly string[]) => PartAnswer[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
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
