import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** Asks OLM's library about conditions of constraints: of each the mistake that it has, empty for none. */
export type AskConditions = (conditions: readonly string[]) => readonly string[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function olmConditions(): Promise<AskConditions | undefined> {
  const program = await buildGo('constraints');
  if (program === undefined) return undefined;
  return (conditions) => linesOf(program, conditions).map((line) => JSON.parse(line) as string);
}
