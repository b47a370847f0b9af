import { Command } from 'commander';
import type { ValidateOptions } from './catalog-validate-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry catalog validate`: what OLM would refuse in a catalog. */
export function catalogValidateCommand(): Command {
  const command = new Command('validate')
    .description('Say what OLM would refuse in a file-based catalog.')
    .argument('<dir>', 'the folder of the catalog')
    .option('--strict', 'fail on warnings, too');
  return addReportOptions(command, 'print only what is refused')
    .showHelpAfterError('(see tenantry catalog validate --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
All files of the folder and of those below it are read as YAML or JSON, those apart that an
.indexignore leaves out. The rules are those of \`opm validate\`, and all that is found is told at once;
docs/reference/catalog-rules.md lists them. Fields that OLM passes over are warnings.

Examples:
  tenantry catalog validate dist/olm/catalog
  tenantry catalog validate catalog --output json

Exit codes: 0 nothing is refused; 1 something is, or cannot be read; 2 internal error.`,
    )
    .action(async (folder: string, options: ValidateOptions) => {
      const { runCatalogValidate } = await import('./catalog-validate-run.ts');
      process.exitCode = runCatalogValidate(folder, options);
    });
}
