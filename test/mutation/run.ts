/**
 * `npm run test:mutation -- quantity swap`: changes the code of some areas, or of all of them, one place at a time, and
 * reports the changes that no test detects. Exits with 1 if an area is below the goal, or if a mutant is wrongly noted
 * as equivalent.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../packages/install.ts';
import { areas } from './areas.ts';
import { equivalents } from './equivalents.ts';
import { judge, mutantsOf, scoreOf, type Mutant, type Outcome } from './mutants.ts';
import { mutate } from './stryker.ts';

/** In percent of the mutants that are not equivalent. */
const GOAL = 90;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in areas));
if (unknown.length > 0) {
  fail(`an area must be one of ${Object.keys(areas).join(', ')}, got ${unknown.join(', ')}`);
}

const installed = await installPackages({
  name: 'mutation',
  version: '10.0.0',
  manifests: import.meta.dirname,
  entry: join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js'),
});
if (installed === undefined) {
  fail('Stryker must be installed once, and that needs a network: connect, and run this again');
}

const rows: string[] = [];
for (const name of names.length > 0 ? names : Object.keys(areas)) {
  const started = performance.now();
  const outcome = judge(await mutantsIn(name, installed), equivalents);
  for (const survivor of outcome.survivors) console.log(`survived: ${words(survivor)}`);
  for (const { file, line, from, to } of outcome.stale) {
    console.log(
      `noted as equivalent, and is killed or gone: ${file}: ${line}\n    ${from}  →  ${to}`,
    );
  }
  const minutes = Math.ceil((performance.now() - started) / 60_000);
  rows.push(`${row(name, outcome)}   ${minutes} min`);
  if (scoreOf(outcome) < GOAL || outcome.stale.length > 0) process.exitCode = 1;
}
console.log(`\narea         mutants  killed  equivalent  score\n${rows.join('\n')}`);

async function mutantsIn(name: string, installed: string): Promise<Mutant[]> {
  const all: Mutant[] = [];
  for (const [i, part] of areas[name]!.entries()) {
    console.error(`\n${name}, part ${i + 1} of ${areas[name]!.length}: ${part.mutate.join(' ')}`);
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-mutation-'));
    try {
      all.push(...mutantsOf(await mutate(part, installed, folder)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return all;
}

function words({ file, lineNumber, line, from, to }: Mutant): string {
  return `${file}:${lineNumber} ${line}\n    ${from}  →  ${to}`;
}

function row(name: string, outcome: Outcome): string {
  const { mutants, killed, equivalent } = outcome;
  const numbers = [`${mutants}`.padStart(7), `${killed}`.padStart(6), `${equivalent}`.padStart(10)];
  return [name.padEnd(11), ...numbers, `${Math.floor(scoreOf(outcome))}%`.padStart(5)].join('  ');
}

function fail(message: string): never {
  console.error(`tenantry: ${message}`);
  process.exit(1);
}
