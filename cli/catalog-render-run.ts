import { readFileSync, statSync } from 'node:fs';
import { toProblem } from '../kube/finding.ts';
import { InvalidInput, show, type Problem } from '../kube/problem.ts';
import { placing } from '../olm/bundle/bundle.ts';
import {
  formatBlobLabel,
  renderCatalogText,
  type CatalogFormat,
} from '../olm/catalog/write-catalog.ts';
import type { Catalog, CatalogFinding } from '../olm/catalog/catalog.ts';
import { checkCatalog } from '../olm/catalog/check-catalog.ts';
import { readCatalog, type ReadCatalog } from '../olm/catalog/read-catalog.ts';
import {
  renderCatalog,
  type BundleToRender,
  type UpdateGraph,
} from '../olm/catalog/render-catalog.ts';
import { readBundle } from '../olm/folder/read-bundle.ts';
import { bundleFolders } from './catalog-bundles.ts';
import type { ExitCode } from './ending.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printProblems, warningLines } from './words.ts';

/** The command line, as commander gives it. */
export interface RenderCommandOptions {
  readonly image: string;
  readonly updateGraph: UpdateGraph;
  readonly defaultChannel?: readonly string[];
  readonly with?: readonly string[];
  readonly contents: 'metadata' | 'objects';
  readonly output: CatalogFormat;
}

/**
 * Prints the catalog of the bundles.
 * @throws {UsageError} when the command line names no bundle, or contradicts itself
 */
export function runCatalogRender(
  named: readonly string[],
  options: RenderCommandOptions,
): ExitCode {
  const { image, contents, updateGraph, output } = options;
  const bundles = bundleFolders(named).map((id) => ({
    id,
    bundle: readBundle(id),
    image,
    contents,
  }));
  const besides = readBesides(options.with ?? []);
  const unread = [...bundles.flatMap(faultsOf), ...besides.problems];
  if (unread.length > 0) return refuse(unread);
  const defaultChannels = Object.fromEntries((options.defaultChannel ?? []).map(defaultOf));
  const { catalog, problems } = renderCatalog(bundles, { updateGraph, defaultChannels });
  if (problems.length > 0) {
    return refuse(problems.map(({ id, finding }) => toProblem(finding, { file: id })));
  }
  const whole = mergeCatalogs(catalog, besides.catalog);
  const place = placeOf(bundles, catalog, besides);
  const wrong = checkCatalog(whole).map(place);
  if (wrong.length > 0) return refuse(wrong);
  for (const line of warningLines(besides.warnings, paintIf(false))) console.error(line);
  process.stdout.write(renderCatalogText(whole, output));
  return 0;
}

function refuse(problems: readonly Problem[]): ExitCode {
  printProblems(new InvalidInput(problems).problems, 'nothing is printed', paintIf(false));
  return 1;
}

/** Returns the problems of a bundle that cannot be read. */
function faultsOf({ id, bundle }: BundleToRender): Problem[] {
  const errors = bundle.faults.filter(({ severity }) => severity === 'error');
  return errors.map(placing(bundle, id));
}

function readBesides(files: readonly string[]): ReadCatalog {
  return readCatalog(
    files.map((file) => {
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
        throw new UsageError(`--with must be a file, got ${show(file)}`);
      }
      return { file, text: readFileSync(file, 'utf8') };
    }),
  );
}

function defaultOf(value: string): readonly [name: string, channel: string] {
  const [name = '', channel = '', ...more] = value.split('=');
  if (name !== '' && channel !== '' && more.length === 0) return [name, channel];
  throw new UsageError(`--default-channel must be package=channel, got ${show(value)}`);
}

/** Merges two catalogs. A package of `besides` replaces the rendered package of the same name. */
function mergeCatalogs(rendered: Catalog, besides: Catalog): Catalog {
  const packageNames = new Set(besides.packages.map(({ name }) => name));
  return {
    packages: [
      ...rendered.packages.filter(({ name }) => !packageNames.has(name)),
      ...besides.packages,
    ],
    channels: [...rendered.channels, ...besides.channels],
    bundles: [...rendered.bundles, ...besides.bundles],
    deprecations: [...rendered.deprecations, ...besides.deprecations],
    others: [...rendered.others, ...besides.others],
  };
}

/** Places a finding about a generated object at the bundle that it was generated from. */
function placeOf(
  bundles: readonly BundleToRender[],
  rendered: Catalog,
  besides: ReadCatalog,
): (finding: CatalogFinding) => Problem {
  const folders = new Map<object, string>(
    rendered.bundles.map((blob, i) => [blob, bundles[i]!.id] as const),
  );
  const made = new Set<object>([...rendered.packages, ...rendered.channels, ...rendered.bundles]);
  return (finding) => {
    const { blob } = finding;
    if (!made.has(blob)) return besides.problem(finding);
    const file = folders.get(blob);
    const of = file === undefined ? [formatBlobLabel(blob), ...finding.path] : finding.path;
    return toProblem({ ...finding, path: of }, file === undefined ? {} : { file });
  };
}
