import { relative } from 'node:path';
import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { escapeJsonForTerminal } from '@tenantry/kube/printable';
import { count } from '../../console-output.ts';
import { readJson } from '../../forge/environment.ts';
import { git } from '../../git/git.ts';
import { readOwnManifest } from '../../own-manifest.ts';
import { buildSarif } from '../../sarif.ts';

/** `tenantry review sarif`: converts the problems of a report for code scanning. */
export function configure(command: Command): void {
  command
    .argument('<report>', 'the file with what --output json of check, synth or plan printed')
    .addHelpText(
      'after',
      `
Prints the errors and warnings in the format SARIF 2.1.0, with paths from the root of the Git repository. An
empty file has none. Run it in the folder in which the report was made. It contacts nothing.

Examples:
  tenantry check --base origin/main --output json > check.json
  tenantry review sarif check.json > tenantry.sarif

Exit codes: 0 done, whatever the report states; 1 user error; 2 internal error.`,
    )
    .action((report: string) => {
      printSarif(report);
    });
}

function printSarif(file: string): void {
  const root = git(['rev-parse', '--show-toplevel'], '.')?.trimEnd();
  const folder = root === undefined ? '' : relative(root, realpathSync('.')).replaceAll('\\', '/');
  const version = readOwnManifest()?.version ?? '0.0.0';
  const { log, left } = buildSarif(readJson(file, 'the report'), folder, version);
  if (left > 0) console.error(`note: ${count(left, 'problem')} without a file of the repository`);
  console.log(escapeJsonForTerminal(JSON.stringify(log, undefined, 2)));
}
