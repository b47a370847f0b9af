import type { Command } from 'commander';
import { omitUndefined } from '@tenantry/kube/mapping';
import { didYouMean, findNearest, show } from '@tenantry/kube/problem';
import type { Catalog } from '@tenantry/olm/catalog/catalog';
import { renderCatalogGraph } from '@tenantry/olm/catalog/mermaid';
import { readCatalogAt } from './source.ts';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';
import { paintNothing, printProblems } from '../../console-output.ts';

/** `tenantry catalog graph`: draws the channels of a catalog. */
export function configure(command: Command): void {
  command
    .argument('<dir>', 'the folder of the catalog')
    .argument('[package]', 'only the channels of this package (default: all)')
    .option('--channel <name>', 'only this channel (default: all)')
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
      process.exitCode = runCatalogGraph(folder, name, options);
    });
}

/** The command line, as commander gives it. */
export interface GraphCommandOptions {
  readonly channel?: string;
}

/**
 * Prints the channels of a catalog as a Mermaid flowchart.
 * @throws {UsageError} when there is no such folder, package or channel
 */
export function runCatalogGraph(
  folder: string,
  name: string | undefined,
  { channel }: GraphCommandOptions,
): ExitCode {
  const { catalog, problems } = readCatalogAt(folder);
  if (problems.length > 0) {
    printProblems(problems, 'nothing is drawn', paintNothing);
    return 1;
  }
  const inPackage = catalog.channels.filter((one) => name === undefined || one.package === name);
  if (name !== undefined) check('package', name, listPackages(catalog));
  if (channel !== undefined)
    check(
      'channel',
      channel,
      inPackage.map((one) => one.name),
    );
  process.stdout.write(renderCatalogGraph(catalog, omitUndefined({ package: name, channel })));
  return 0;
}

function listPackages({ packages, channels }: Catalog): string[] {
  return [...packages.map((one) => one.name), ...channels.map((one) => one.package)];
}

function check(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const hint = didYouMean(findNearest(name, known));
  throw new UsageError(`the ${what} must be one of the catalog, got ${show(name)}${hint}`);
}
