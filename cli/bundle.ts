import { Command } from 'commander';
import { bundleValidateCommand } from './bundle-validate.ts';

/** `tenantry bundle`: bundles of operators, as OLM installs them. */
export function bundleCommand(): Command {
  return new Command('bundle')
    .description('Bundles of operators, as OLM installs them: what is wrong with one.')
    .showHelpAfterError('(see tenantry bundle --help)')
    .exitOverride()
    .addCommand(bundleValidateCommand());
}
