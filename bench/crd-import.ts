/**
 * `npm run bench:crd-import` measures the import of 300 CustomResourceDefinitions as TypeScript,
 * compared with `cdk8s import`. It also measures the compilation of 50 of them. The definitions are
 * those of well-known projects, and copies of them under other groups. With `-- --write`, it writes its
 * section of docs/reference/benchmarks.md.
 */
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { installCdk8sCli } from '../test/cdk8s-cli/install.ts';
import { corpus } from '@tenantry/crd/test/corpus';
import { measure, median, type Command, type Measurement } from './measure.ts';
import { machine, writeSection } from './page.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    compiled: { type: 'string', default: '50' },
    runs: { type: 'string', default: '3' },
    peer: { type: 'boolean', default: true },
    write: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const [count, compiled, runs] = [values.count, values.compiled, values.runs].map(Number) as [
  number,
  number,
  number,
];

/** Returns `count` definitions with different names: the real ones first, then copies. */
function definitions(real: readonly CustomResourceDefinitionManifest[]): object[] {
  return Array.from({ length: count }, (_, i) => {
    const manifest = real[i % real.length]!;
    const round = Math.floor(i / real.length);
    if (round === 0) return manifest;
    const group = `copy${round}.${manifest.spec.group}`;
    const name = `${manifest.spec.names.plural}.${group}`;
    return { ...manifest, metadata: { name }, spec: { ...manifest.spec, group } };
  });
}

/** Formats cells of a table: time, CPU time and peak memory. */
function cells(times: readonly Measurement[]): string[] {
  const memory = times.flatMap((one) => one.memory ?? []);
  const cpu = times.flatMap((one) => one.cpu ?? []);
  return [
    median(times.map(({ wall }) => wall)).toFixed(2),
    cpu.length === 0 ? '' : median(cpu).toFixed(2),
    memory.length === 0 ? '' : String(Math.round(Math.max(...memory))),
  ];
}

/** The measurements of each program, one for each run. */
interface Times {
  readonly ours: Measurement[];
  readonly again: Measurement[];
  readonly cdk8s: Measurement[];
}

async function run(): Promise<void> {
  const found = await corpus();
  if ('reason' in found) throw new Error(`no definitions to measure with: ${found.reason}`);
  const real = found.crds.map(({ manifest }) => manifest);
  const folder = mkdtempSync(join(tmpdir(), 'crd-import-'));
  try {
    const all = definitions(real);
    writeDefinitions(folder, all);
    const times = importing(folder, values.peer ? await installCdk8sCli() : undefined);
    const text = report(all, real, times, compile(folder, real.slice(0, compiled)));
    console.log(text);
    if (values.write) await writeSection('Importing definitions', text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a file for each definition for Tenantry, and one file with all of them for `cdk8s import`. */
function writeDefinitions(folder: string, all: readonly object[]): void {
  mkdirSync(join(folder, 'crds'));
  const texts = all.map((one) => JSON.stringify(one));
  for (const [i, text] of texts.entries()) writeFileSync(join(folder, 'crds', `${i}.json`), text);
  writeFileSync(join(folder, 'all.yaml'), texts.map((text) => `---\n${text}\n`).join(''));
}

/** Runs the programs in turns. @param cdk8s the path of cdk8s-cli, unless it is left out */
function importing(folder: string, cdk8s: string | undefined): Times {
  const main = join(root, 'cli', 'main.ts');
  const out = join(folder, 'out');
  const times: Times = { ours: [], again: [], cdk8s: [] };
  for (let i = 0; i < runs; i += 1) {
    const args = [main, 'crd', 'import', 'crds', '--out', join(folder, `ours${i}`)];
    const ours: Command = { file: process.execPath, args, cwd: folder };
    times.ours.push(measure(ours, out));
    times.again.push(measure({ ...ours, args: [...args, '--check'] }, out));
    if (cdk8s === undefined) continue;
    const into = ['--language', 'typescript', '--output', `peer${i}`, '--no-save'];
    const peer: Command = { file: cdk8s, args: ['import', 'all.yaml', ...into], cwd: folder };
    times.cdk8s.push(measure(peer, out));
  }
  return times;
}

function report(
  all: readonly object[],
  real: readonly object[],
  times: Times,
  compiling: readonly Measurement[],
): string {
  const megabytes = (JSON.stringify(all).length / 1e6).toFixed(1);
  const ratioOf = (taken: readonly Measurement[]): string =>
    median(taken.map(({ wall }, i) => wall / times.ours[i]!.wall)).toFixed(2);
  const row = (title: string, taken: readonly Measurement[], ratio: string): string =>
    `| ${[title, ...cells(taken), ratio].join(' | ')} |`;
  const rows = [
    row('`tenantry crd import`', times.ours, ratioOf(times.ours)),
    row('the same with `--check`, nothing changed', times.again, ratioOf(times.again)),
  ];
  if (times.cdk8s.length > 0) {
    rows.push(row('`cdk8s import` (cdk8s-cli)', times.cdk8s, ratioOf(times.cdk8s)));
  }
  rows.push(row(`\`tsc\`, strict, of ${compiled} of them`, compiling, ''));
  return `${count} definitions, ${megabytes} MB as JSON, ${Math.min(count, real.length)} of them of well-known projects and the others
copies under other groups, imported as TypeScript. Whole processes in turns, medians of ${runs} runs, on
${machine()}. Tenantry runs from its sources.

| | s | s of processor time | MB | times as long |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** Compiles the imported modules of the first definitions, with all modules of Tenantry that they import. */
function compile(folder: string, real: readonly CustomResourceDefinitionManifest[]): Measurement[] {
  const project = join(folder, 'project');
  mkdirSync(project);
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction');
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(
    join(project, 'crds.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: real }),
  );
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      paths: {
        tenantry: [join(root, 'index.ts')],
        '@tenantry/crd': [join(root, 'packages', 'crd', 'index.ts')],
        '@tenantry/crd/schema': [join(root, 'packages', 'crd', 'schema.ts')],
      },
    },
    include: ['imports'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  const node = (...args: string[]): Command => ({ file: process.execPath, args, cwd: project });
  const out = join(folder, 'out');
  measure(node(join(root, 'cli', 'main.ts'), 'crd', 'import', 'crds.json'), out);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return Array.from({ length: runs }, () => measure(node(tsc, '-p', '.'), out));
}

await run();
