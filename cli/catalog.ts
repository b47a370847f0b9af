import { Command } from 'commander';
import { catalogGraphCommand } from './catalog-graph.ts';
import { catalogRenderCommand } from './catalog-render.ts';
import { catalogValidateCommand } from './catalog-validate.ts';
import { withHelp } from './help.ts';

/** `tenantry catalog`: commands for OLM catalogs. */
export function catalogCommand(): Command {
  const catalog = new Command('catalog')
    .description('Validate, render and draw catalogs of OLM.')
    .showHelpAfterError('(see tenantry catalog --help)')
    .exitOverride()
    .addCommand(catalogValidateCommand())
    .addCommand(catalogRenderCommand())
    .addCommand(catalogGraphCommand());
  return withHelp(catalog);
}
