import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** Asks the code of operator-registry about catalogs: of each the error that it has, empty for none. */
export type AskRegistry = (catalogs: readonly string[]) => readonly string[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function operatorRegistry(): Promise<AskRegistry | undefined> {
  const program = await buildGo('declcfg');
  if (program === undefined) return undefined;
  return (catalogs) => linesOf(program, catalogs).map((line) => JSON.parse(line) as string);
}
