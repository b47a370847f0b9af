import { Command } from 'commander';
import type { GraphCommandOptions } from './catalog-graph-run.ts';

/** `tenantry catalog graph`: draws the channels of a catalog. */
export function catalogGraphCommand(): Command {
  return new Command('graph')
    .description('Draw the channels of a catalog as a Mermaid flowchart.')
    .argument('<dir>', 'the folder of the catalog')
    .argument('[package]', 'only the channels of this package (default: all)')
    .option('--channel <name>', 'only this channel (default: all)')
    .showHelpAfterError('(see tenantry catalog graph --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
An arrow leads from a bundle to its replacement, a dotted arrow from a skipped bundle. The head of a channel
has a thick border, deprecated bundles are grey, and bundles that are named but not in the channel are dashed.
GitHub and GitLab draw the chart in Markdown between \`\`\`mermaid and \`\`\`. A catalog that OLM would reject is drawn, too.

Examples:
  tenantry catalog graph dist/olm/catalog
  tenantry catalog graph catalog redis-operator --channel stable

Exit codes: 0 done; 1 something cannot be read, or is not in the catalog; 2 internal error.`,
    )
    .action(async (folder: string, name: string | undefined, options: GraphCommandOptions) => {
      const { runCatalogGraph } = await import('./catalog-graph-run.ts');
      process.exitCode = runCatalogGraph(folder, name, options);
    });
}
