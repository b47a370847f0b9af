import { join } from 'node:path';
import { readPage } from '../../docs/pages.ts';
import type { Verdict } from './check.ts';
import { classes, type ClassName } from './world.ts';

export type ClassVerdicts = Readonly<Record<ClassName, Verdict>>;

/** Reads the verdicts in docs/multi-tenancy.md: a cell that begins with **open** is open. */
export function documentedChecks(): ReadonlyMap<string, ClassVerdicts> {
  const { text } = readPage(join('docs', 'multi-tenancy.md'));
  const head = `| check | ${classes.join(' | ')} |`;
  const rows = text.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  const begin = rows.indexOf(head);
  if (begin < 0) throw new Error(`docs/multi-tenancy.md must have the table '${head}'`);
  const body = rows.slice(begin + 2, rows.indexOf('', begin));
  return new Map(
    body.map((row) => {
      const [, check, ...cells] = row.split('|').map((cell) => cell.trim());
      const entries = classes.map((name, i) => [name, cells[i]!.startsWith('**open**')] as const);
      const verdicts = entries.map(([name, open]) => [name, open ? 'open' : 'passes']);
      return [check!.replaceAll('`', ''), Object.fromEntries(verdicts) as ClassVerdicts];
    }),
  );
}
