import { Command } from 'commander';
import type { CodeownersOptions } from './codeowners-run.ts';
import { choice, addReportOptions } from './options.ts';

/** `tenantry codeowners`: writes the delegation table as a file for the forge. */
export function codeownersCommand(): Command {
  const command = new Command('codeowners')
    .description('Generate CODEOWNERS from the delegation table of the platform file.')
    .addOption(choice('--for <forge>', 'the syntax of this forge', 'github', 'gitlab'))
    .option('--write', 'write the file to the path that the forge reads first')
    .option('--check', 'fail if that file differs from what would be written')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)');
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry codeowners --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
The platform owns everything (spec.delegation.owners), and the owners of a folder in the table own that
folder. Rendered files of tenants have no owner, because \`tenantry check\` rejects what is not declared.
The file is .github/CODEOWNERS for GitHub and CODEOWNERS for GitLab, relative to the root of the
repository. A file that Tenantry did not write is not changed.

Examples:
  tenantry codeowners
  tenantry codeowners --for gitlab --write
  tenantry codeowners --check

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: CodeownersOptions) => {
      const { runCodeowners } = await import('./codeowners-run.ts');
      process.exitCode = runCodeowners(options);
    });
}
