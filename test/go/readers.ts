import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';
import { unlisted } from './listed.ts';

/** Files of a folder, by their path. */
export type Files = Readonly<Record<string, string>>;

/** The objects that a reader finds, in any order, or the reason why it rejects the folder. */
export type Reading =
  { readonly objects: readonly unknown[]; readonly error?: undefined } | { readonly error: string };

export const readerNames = ['argocd', 'flux', 'kubectl'] as const;
export type Readings = Readonly<Record<(typeof readerNames)[number], Reading>>;

/** Reads many folders with kubectl, Argo CD and Flux (with its kustomize), in one process. */
export type AskReaders = (folders: readonly Files[]) => Readings[];

interface Answer {
  readonly objects: readonly unknown[] | null;
  readonly error?: string;
}

/** Returns undefined and prints the reason if the Go program cannot be built. */
export async function clusterReaders(): Promise<AskReaders | undefined> {
  const program = await buildGo('readers');
  if (program === undefined) return undefined;
  return (folders) => {
    return linesOf(program, folders).map((line) => {
      const answers = JSON.parse(line) as Record<string, Answer>;
      const readings = Object.entries(answers).map(([name, { objects, error }]) => [
        name,
        error === undefined ? { objects: (objects ?? []).map(unlisted) } : { error },
      ]);
      return Object.fromEntries(readings) as Readings;
    });
  };
}
