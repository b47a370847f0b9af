import { didYouMean, findNearest, show } from '../kube/problem.ts';
import type { Catalog } from '../olm/catalog/catalog.ts';
import { renderCatalogGraph } from '../olm/catalog/mermaid.ts';
import { readCatalogAt } from './catalog-source.ts';
import type { ExitCode } from './ending.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printProblems } from './words.ts';

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
    printProblems(problems, 'nothing is drawn', paintIf(false));
    return 1;
  }
  const inPackage = catalog.channels.filter((one) => name === undefined || one.package === name);
  if (name !== undefined) check('package', name, packagesOf(catalog));
  if (channel !== undefined)
    check(
      'channel',
      channel,
      inPackage.map((one) => one.name),
    );
  const chosen = {
    ...(name !== undefined && { package: name }),
    ...(channel !== undefined && { channel }),
  };
  process.stdout.write(renderCatalogGraph(catalog, chosen));
  return 0;
}

function packagesOf({ packages, channels }: Catalog): string[] {
  return [...packages.map((one) => one.name), ...channels.map((one) => one.package)];
}

function check(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const hint = didYouMean(findNearest(name, known));
  throw new UsageError(`the ${what} must be one of the catalog, got ${show(name)}${hint}`);
}
