/**
 * `npm run bench:import` measures `tenantry import` of the real fleet, repeated under other names, and compares it with
 * only parsing the same files. TENANTRY_FLEET names the folder of the fleet. With `-- --write`, it writes its section of
 * docs/reference/benchmarks.md.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repeatFleet } from './fleet-copies.ts';
import { goalTable, most, number } from './goal.ts';
import { measure, median, type Command, type Measurement } from './measure.ts';
import { machine, writeSection } from './page.ts';
import { VARIABLE } from './real.ts';
import { Workspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    namespaces: { type: 'string', default: '1458' },
    runs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const [namespaces, runs] = [Number(values.namespaces), Number(values.runs)];

/** The goal for all namespaces together. */
const SECONDS = 5;

const fleet = process.env[VARIABLE];
if (!fleet) throw new Error(`${VARIABLE} must name the folder of a fleet`);
const workspace = new Workspace();
const { folder } = workspace;
try {
  workspace.build();
  const files = repeatFleet(fleet, join(folder, 'fleet'), namespaces);
  const reader = join(import.meta.dirname, 'programs', 'read-yaml.ts');
  const taken: { ours: Measurement[]; parsing: Measurement[] } = { ours: [], parsing: [] };
  for (let i = 0; i < runs; i += 1) {
    const cwd = join(folder, `run${i}`);
    mkdirSync(cwd);
    const main = workspace.built('cli/main.js');
    const args = [main, 'import', '../fleet', '--report', 'json'];
    const ours: Command = { file: process.execPath, args, cwd };
    taken.ours.push(measure(ours, join(folder, `report${i}.json`)));
    const parsing: Command = { file: process.execPath, args: [reader, '../fleet'], cwd };
    taken.parsing.push(measure(parsing, join(folder, 'parsed.txt')));
  }
  const report = JSON.parse(readFileSync(join(folder, 'report0.json'), 'utf8')) as {
    readonly objects: { readonly total: number; readonly equal: number };
  };
  const seconds = (all: readonly Measurement[]): number => median(all.map(({ wall }) => wall));
  const memory = Math.round(Math.max(...taken.ours.flatMap((one) => one.memory ?? [])));
  const ratio = median(taken.ours.map(({ wall }, i) => wall / taken.parsing[i]!.wall));
  const { total, equal } = report.objects;
  const text = `${namespaces} namespaces of the real fleet and of copies of it under other names: ${files} files with ${total} objects, of
which ${equal} are equal. Whole processes, in turns; on ${machine()}.

| program | time | memory |
|---|---|---|
| \`tenantry import\` | ${number(seconds(taken.ours))} s | ${memory} MB |
| parsing the same files with js-yaml, and nothing else | ${number(seconds(taken.parsing))} s | |

The import takes ${number(ratio)} times as long as parsing.

${goalTable([most(`${namespaces} namespaces`, seconds(taken.ours), SECONDS, 's')])}
`;
  console.log(text);
  if (values.write) await writeSection('Importing namespaces', text);
} finally {
  workspace.remove();
}
