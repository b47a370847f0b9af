import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** Validates catalogs with the code of operator-registry; returns the error of each, empty for none. */
export type AskRegistry = (catalogs: readonly string[]) => readonly string[];

/** Returns undefined and prints the reason if the Go program cannot be built. */
export async function operatorRegistry(): Promise<AskRegistry | undefined> {
  const program = await buildGo('declcfg');
  if (program === undefined) return undefined;
  return (catalogs) => linesOf(program, catalogs).map((line) => JSON.parse(line) as string);
}
