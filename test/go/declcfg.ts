import { execFileSync } from 'node:child_process';
import { buildGo } from './build.ts';

/** Asks the code of operator-registry about catalogs: of each the error that it has, empty for none. */
export type AskRegistry = (catalogs: readonly string[]) => readonly string[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function operatorRegistry(): Promise<AskRegistry | undefined> {
  const program = await buildGo('declcfg');
  if (program === undefined) return undefined;
  return (catalogs) => {
    const input = catalogs.map((text) => `${JSON.stringify(text)}\n`).join('');
    const output = execFileSync(program, { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
    const lines = output.split('\n').slice(0, catalogs.length);
    return lines.map((line) => JSON.parse(line) as string);
  };
}
