import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Part } from './areas.ts';
import type { Report } from './mutants.ts';

/**
 * Runs Stryker on one part, with the packages of `installed`; its progress goes to stderr.
 * @param folder an empty one, for the copy of the project and the report
 * @throws when it cannot run, or when a test fails that nothing was done to.
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
  if (!existsSync(report)) throw new Error('Stryker gave no report; its words are above');
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
    // Messages are for people: no test can be asked to hold each of their words.
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
    // Modules that jest has loaded stay in memory, anew for each mutant.
    maxTestRunnerReuse: 60,
    tempDirName: join(folder, 'copies'),
    // It would rewrite a tsconfig.json with a TypeScript of its own; nothing here is compiled.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    logLevel: 'warn',
    warnings: { slow: false },
  };
}
