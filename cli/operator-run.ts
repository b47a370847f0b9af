import { readFileSync } from 'node:fs';
import { readPlatform } from '../apps/platform-file.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { CannotRun, runOperator, type OperatorProps } from '../operator/main.ts';
import { readSettings, clusterOf } from '../operator/settings/read-settings.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors } from './settings.ts';
import { paintIf, problemLines } from './words.ts';

/** Runs the operator until the process receives a signal to stop. */
export async function operatorRun(flags: Readonly<Record<string, string>>): Promise<ExitCode> {
  try {
    await runOperator(propsOf(flags));
    return 0;
  } catch (error) {
    if (error instanceof InvalidInput) return printErrors(problemLines(error.problems, paint()));
    if (error instanceof CannotRun)
      return printErrors([`${paint()('red', 'error')} ${error.message}`]);
    throw error;
  }
}

/** @throws {InvalidInput} with all problems of the settings and the platform */
function propsOf(flags: Readonly<Record<string, string>>): OperatorProps {
  const read = readSettings({
    flags,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const { settings } = read;
  const { platform, text, problems: ofPlatform } = readPlatform(settings.platform, true);
  const problems: Problem[] = [...read.problems, ...ofPlatform];
  if (text === undefined) throw new InvalidInput(problems);
  const { cluster, problems: ofBoth } = clusterOf(read, { platform, text });
  problems.push(...ofBoth);
  if (cluster === undefined || problems.length > 0) throw new InvalidInput(problems);
  return { settings, platform, cluster };
}

const paint = () => paintIf(resolveColors('auto').err);

function printErrors(lines: readonly string[]): ExitCode {
  for (const line of lines) console.error(line);
  return 1;
}
