import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** Validates conditions of constraints with OLM's library; returns the error of each, empty for none. */
export type AskConditions = (conditions: readonly string[]) => readonly string[];

/** Returns undefined and prints the reason if the Go program cannot be built. */
export async function olmConditions(): Promise<AskConditions | undefined> {
  const program = await buildGo('constraints');
  if (program === undefined) return undefined;
  return (conditions) => linesOf(program, conditions).map((line) => JSON.parse(line) as string);
}
