import { Command } from 'commander';
import { bundleDiffCommand } from './bundle-diff.ts';
import { bundleImportCommand } from './bundle-import.ts';
import { bundleInitCommand } from './bundle-init.ts';
import { bundleInstallFileCommand } from './bundle-install-file.ts';
import { bundleCleanupCommand, bundleRunCommand } from './bundle-run.ts';
import { bundleSubmitCommand } from './bundle-submit.ts';
import { bundlePreviewCommand } from './bundle-preview.ts';
import { bundleValidateCommand } from './bundle-validate.ts';

/** `tenantry bundle`: bundles of operators, as OLM installs them. */
export function bundleCommand(): Command {
  return new Command('bundle')
    .description('Write, validate, compare, install and publish bundles of operators for OLM.')
    .showHelpAfterError('(see tenantry bundle --help)')
    .exitOverride()
    .addCommand(bundleInitCommand())
    .addCommand(bundleImportCommand())
    .addCommand(bundleValidateCommand())
    .addCommand(bundleRunCommand())
    .addCommand(bundleCleanupCommand())
    .addCommand(bundleDiffCommand())
    .addCommand(bundleInstallFileCommand())
    .addCommand(bundleSubmitCommand())
    .addCommand(bundlePreviewCommand());
}
