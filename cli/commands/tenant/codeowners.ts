import type { Command } from 'commander';
import { addReportOptions, choice } from '../../options.ts';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isOwn,
  ownersFile,
  ownersProblems,
  ownersRules,
  ownersText,
  type Forge,
} from '../../../apps/codeowners.ts';
import { readPlatform } from '../../../apps/platform-file.ts';
import type { Problem } from '@tenantry/kube/problem';
import type { ExitCode } from '../../failure-report.ts';
import { git } from '../../git/git.ts';
import { resolveSettings, type CommandOptions, type Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { paintIf, printJson, problemLines } from '../../console-output.ts';
import { describeRepository } from '../../repository-paths.ts';

/** `tenantry tenant codeowners`: writes the delegation table as a file for the forge. */
export function configure(command: Command): void {
  command
    .addOption(choice('--for <forge>', 'the syntax of this forge', 'github', 'gitlab'))
    .option('--write', 'write the file to the path that the forge reads first')
    .option('--check', 'fail if that file differs from what would be written')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)');
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
The platform owns everything (spec.delegation.owners), and the owners of a folder in the table own that
folder. Rendered files of tenants have no owner, because \`tenantry check\` rejects what is not declared.
The file is .github/CODEOWNERS for GitHub and CODEOWNERS for GitLab, relative to the root of the
repository. A file that Tenantry did not write is not changed.

Examples:
  tenantry tenant codeowners
  tenantry tenant codeowners --for gitlab --write
  tenantry tenant codeowners --check

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: CodeownersOptions) => {
      process.exitCode = runCodeowners(options);
    });
}

/** The command line, as commander gives it. */
export interface CodeownersOptions extends CommandOptions {
  readonly for: Forge;
  readonly write?: boolean;
  readonly check?: boolean;
}

/**
 * Prints, writes or compares the file.
 * @throws {UsageError} when the command line contradicts itself
 */
export function runCodeowners(options: CodeownersOptions): ExitCode {
  if (options.write && options.check) {
    throw new UsageError('--write and --check cannot be combined');
  }
  const settings = resolveSettings(options);
  const forge = options.for;
  const root = git(['rev-parse', '--show-toplevel'], '.')?.trimEnd() ?? process.cwd();
  const { platform, problems, crdFiles } = readPlatform(settings.platform, { mustExist: true });
  const repository = describeRepository(root, settings, crdFiles);
  const wrong = problems.length > 0 ? problems : ownersProblems(platform, repository, forge);
  if (wrong.length > 0) return refuse(wrong, settings);
  const rules = ownersRules(platform, repository, forge);
  const text = ownersText(rules, forge, repository.platform);
  const file = join(root, ownersFile[forge]);
  const stale = options.write || options.check ? findProblem(file, text, options) : undefined;
  if (stale) return refuse([{ ...stale, file: ownersFile[forge] }], settings);
  if (options.write) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (settings.json) {
    printJson('tenant codeowners', { outcome: 'done', for: forge, file: ownersFile[forge], rules });
  } else if (!settings.quiet) {
    const state = options.write ? 'written' : 'up to date with the platform file';
    console.log(
      options.write || options.check ? `${ownersFile[forge]} is ${state}` : text.trimEnd(),
    );
  }
  return 0;
}

/** Returns the problem of a file that is outdated or must not be written. */
function findProblem(
  file: string,
  text: string,
  { write = false }: CodeownersOptions,
): Problem | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  const wrong = (message: string): Problem => ({ path: '', message, rule: 'codeowners' });
  if (found && !found.isFile()) return wrong('must be a file, got something else');
  const there = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (!write) {
    if (there === text) return undefined;
    const got = there === undefined ? 'nothing' : 'something else';
    const instead = '`tenantry tenant codeowners --write` writes it';
    return wrong(`must match the platform file, got ${got}: ${instead}`);
  }
  if (there === undefined || isOwn(there)) return undefined;
  return wrong('must be a file that Tenantry wrote, got one that it did not: move it away');
}

function refuse(problems: readonly Problem[], { json, colors }: Settings): ExitCode {
  if (json) printJson('tenant codeowners', { outcome: 'refused', problems });
  else for (const line of problemLines(problems, paintIf(colors.err))) console.error(line);
  return 1;
}
