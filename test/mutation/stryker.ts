import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Part } from './areas.ts';
import type { Report } from './mutants.ts';

/**
 * Runs Stryker on one part, with the packages in `installed`; its progress is printed on stderr.
 * @param folder an empty folder for the copy of the project and the report
 * @throws when it cannot run, or when a test fails without a mutation
 */
export async function mutate(part: Part, installed: string, folder: string): Promise<Report> {
  const modules = join(installed, 'node_modules', '@stryker-mutator');
  const report = join(folder, 'report.json');
  const settings = join(folder, 'stryker.json');
  writeFileSync(settings, JSON.stringify(settingsOf(part, modules, folder, report)));
  const stryker = join(modules, 'core', 'bin', 'stryker.js');
  const child = spawn(process.execPath, [stryker, 'run', settings], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, TENANTRY_JUDGES: JSON.stringify(part.tests) },
  });
  await new Promise((resolve) => child.on('close', resolve));
  if (!existsSync(report)) throw new Error('Stryker wrote no report; see its output above');
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

function settingsOf(
  { mutate, patience = 30_000 }: Part,
  modules: string,
  folder: string,
  report: string,
) {
  return {
    mutate,
    // Messages are for people: tests need not check each of their words.
    mutator: { excludedMutations: ['StringLiteral'] },
    plugins: [join(modules, 'jest-runner', 'dist', 'src', 'index.js')],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    jest: {
      config: {
        testMatch: ['<rootDir>/test/mutation/judges.ts'],
        setupFiles: ['<rootDir>/test/mutation/first-failure.ts'],
      },
      configFile: 'jest.config.js',
      enableFindRelatedTests: false,
    },
    coverageAnalysis: 'perTest',
    concurrency: Math.max(2, availableParallelism() - 1),
    timeoutMS: patience,
    // The modules that jest loads stay in memory, again for each mutant.
    maxTestRunnerReuse: 60,
    tempDirName: join(folder, 'copies'),
    // Otherwise Stryker would rewrite a tsconfig.json with a TypeScript version of its own; nothing is compiled here.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    logLevel: 'warn',
    warnings: { slow: false },
  };
}
