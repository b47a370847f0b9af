/**
 * `npm test` runs every check beside jest, and prints the counts as the last line. All of it runs,
 * whatever fails. `npm test -- test/synth` passes its arguments to jest, and only jest runs. `--long`
 * (`npm run test:long`) adds the tests that take minutes. `--quick` (`npm run test:quick`) runs only tests that need no
 * server and no build. `--watch` connects the terminal to jest,
 * without report and counts.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readReport } from './jest-report.ts';
import { root, runStep, runSteps, staticSteps, summarize, type Step } from './steps.ts';

/** Folders whose tests start no server and build nothing. */
const QUICK =
  '(packages/(kube|crd|runtime|operator-kit|olm)/test|test/(apps|constructs|crds|operator|structure|surface|synth))/';
/** Parts of the names of tests there that take more than some seconds each. */
const SLOW = [
  String.raw`\.property\.test`,
  'simulation',
  'structure/(pack|run-signals)',
  'surface/',
  'cel/(spending|nesting)',
  'operator/(faults|hooks)/',
  'apps/(one-mistake|two-paths|workers|threads|network-dist|peers)',
  'crd/test/(round-trip|corpus|import/(determinism|types|hostile))',
  'constructs/(import|olm|argocd|flux|name-claims|operator-alerts|partition|write-policy|desired)',
  'olm/test/(folder/image-layout|project|rules/(verdicts|rules)|submission|upgrade)',
  'synth/(output/killed|charts/dependencies)',
  'runtime/test/(certificates|leader|storage-migration|connection/exec-credentials|cache/shared-texts)',
];

const flags = new Set(['--long', '--quick']);
const args = process.argv.slice(2).filter((arg) => !flags.has(arg));
if (process.argv.includes('--quick')) {
  args.push(`--testPathPatterns=${QUICK}`, `--testPathIgnorePatterns=${SLOW.join('|')}`);
}
if (process.argv.includes('--long')) process.env.TENANTRY_LONG = '1';

const jestArgs = [
  // jest passes these flags on to its workers; a test's own child processes do not get them.
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  `--import=${pathToFileURL(join(root, 'test', 'compiled-once.ts'))}`,
  `--import=${pathToFileURL(join(root, 'test', 'left-behind.ts'))}`,
  join('node_modules', 'jest', 'bin', 'jest.js'),
  // Test files wait for servers and programs: with three workers, two cores were idle for an eighth of
  // a run.
  `--maxWorkers=${Math.max(4, availableParallelism() - 1)}`,
];

if (args.some((arg) => arg === '--watch' || arg === '--watchAll')) watch();
else await report();

function watch(): void {
  if (!process.stdin.isTTY) {
    console.error('tenantry: --watch must have a terminal, got none');
    process.exitCode = 1;
    return;
  }
  const options = { cwd: root, stdio: 'inherit' } as const;
  process.exitCode = spawnSync(process.execPath, [...jestArgs, ...args], options).status ?? 1;
}

async function report(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-test-'));
  const reportFile = join(folder, 'jest.json');
  // Tests often run the command line: this strips the types of each source file only once.
  process.env.NODE_COMPILE_CACHE = join(folder, 'code');
  const jest: Step = {
    name: 'tests',
    args: [...jestArgs, '--json', `--outputFile=${reportFile}`, ...args],
  };
  try {
    // Tests often wait, so the other checks run in between.
    const checking = args.length > 0 ? [] : runSteps(staticSteps());
    const tested = await runStep(jest);
    const results = [...(await checking), tested];
    const report = readReport(reportFile);
    if (!summarize(results)) process.exitCode = 1;
    if (report.skipped.length > 0) console.log(`\nskipped tests:\n${report.skipped.join('\n')}`);
    console.log(`\n${report.counts}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
