import { execFileSync } from 'node:child_process';
import { buildGo } from './build.ts';

/** Asks OLM's library about conditions of constraints: of each the mistake that it has, empty for none. */
export type AskConditions = (conditions: readonly string[]) => readonly string[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function olmConditions(): Promise<AskConditions | undefined> {
  const program = await buildGo('constraints');
  if (program === undefined) return undefined;
  return (conditions) => {
    const input = conditions.map((text) => `${JSON.stringify(text)}\n`).join('');
    const output = execFileSync(program, { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
    const lines = output.split('\n').slice(0, conditions.length);
    return lines.map((line) => JSON.parse(line) as string);
  };
}
