import { Command } from 'commander';
import type { CodeownersOptions } from './codeowners-run.ts';
import { choice, addReportOptions } from './options.ts';

/** `tenantry codeowners`: the table of who may declare what, for the forge. */
export function codeownersCommand(): Command {
  const command = new Command('codeowners')
    .description(
      'Make CODEOWNERS from the table in the platform file that says who may declare what.',
    )
    .addOption(choice('--for <forge>', 'whose syntax', 'github', 'gitlab'))
    .option('--write', 'write the file where the forge looks first')
    .option('--check', 'fail when that file is not what would be written')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)');
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry codeowners --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Everything is the platform's (spec.delegation.owners); a folder in the table is its owners'; what is
rendered from tenants is nobody's, as \`tenantry check\` refuses what is not declared. The file is
.github/CODEOWNERS for GitHub and CODEOWNERS for GitLab, from the root of the repository. One that
Tenantry did not write is left alone.

Examples:
  tenantry codeowners
  tenantry codeowners --for gitlab --write
  tenantry codeowners --check

Exit codes: 0 done; 1 something of yours must be fixed; 2 internal error.`,
    )
    .action(async (options: CodeownersOptions) => {
      const { runCodeowners } = await import('./codeowners-run.ts');
      process.exitCode = runCodeowners(options);
    });
}
