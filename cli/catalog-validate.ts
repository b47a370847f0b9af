import { Command } from 'commander';
import type { ValidateOptions } from './catalog-validate-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry catalog validate`: reports what OLM would refuse in a catalog. */
export function catalogValidateCommand(): Command {
  const command = new Command('validate')
    .description('Report what OLM would reject in a file-based catalog.')
    .argument('<dir>', 'the folder of the catalog')
    .option('--strict', 'also fail on warnings');
  return addReportOptions(command, 'print only errors')
    .showHelpAfterError('(see tenantry catalog validate --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Reads all files of the folder and its subfolders as YAML or JSON, except those that an .indexignore excludes.
The rules are those of \`opm validate\`. All findings are reported; docs/reference/catalog-rules.md lists the rules.
Fields that OLM ignores are warnings.

Examples:
  tenantry catalog validate dist/olm/catalog
  tenantry catalog validate catalog --output json

Exit codes: 0 no error; 1 an error, or unreadable input; 2 internal error.`,
    )
    .action(async (folder: string, options: ValidateOptions) => {
      const { runCatalogValidate } = await import('./catalog-validate-run.ts');
      process.exitCode = runCatalogValidate(folder, options);
    });
}
