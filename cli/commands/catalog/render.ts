import type { Command } from 'commander';
import { choice, collect } from '../../options.ts';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { toProblem } from '@tenantry/kube/finding';
import { InvalidInput, formatList, show, type Problem } from '@tenantry/kube/problem';
import { locateErrors } from '@tenantry/olm/bundle/bundle';
import {
  formatBlobLabel,
  renderCatalogText,
  type CatalogFormat,
} from '@tenantry/olm/catalog/write-catalog';
import type { Catalog, CatalogFinding } from '@tenantry/olm/catalog/catalog';
import { checkCatalog } from '@tenantry/olm/catalog/check-catalog';
import { readCatalog, type ReadCatalog } from '@tenantry/olm/catalog/read-catalog';
import {
  renderCatalog,
  type BundleToRender,
  type UpdateGraph,
} from '@tenantry/olm/catalog/render-catalog';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';
import { paintNothing, printProblems, warningLines } from '../../console-output.ts';
import { join } from 'node:path';

/** `tenantry catalog render`: a catalog of bundles. */
export function configure(command: Command): void {
  command
    .argument('<bundles...>', 'folders of bundles, or folders that contain such folders')
    .requiredOption(
      '--image <template>',
      'where each bundle will be: {package}, {name} and {version} are filled in',
    )
    .addOption(
      choice(
        '--update-graph <mode>',
        'how entries of channels are connected',
        'replaces',
        'semver',
      ),
    )
    .option(
      '--default-channel <package=channel>',
      'the default channel of a package (repeatable; default: from its bundles)',
      collect,
    )
    .option('--with <file>', 'further objects, such as olm.deprecations (repeatable)', collect)
    .addOption(choice('--contents <what>', 'the data of a bundle', 'metadata', 'objects'))
    .addOption(choice('--output <format>', 'the output format', 'yaml', 'json'))
    .addHelpText(
      'after',
      `
Packages and channels come from the annotations of the bundles. With \`--update-graph replaces\`, each entry
follows its bundle (replaces, skips, olm.skipRange), and a channel contains what its bundles replace, too;
with \`semver\`, it replaces the next lower version. The data shown to people is in one property
(\`--contents metadata\`); OpenShift before 4.15 needs all manifests (\`objects\`). The same bundles give the same
bytes, in any order. A catalog that OLM would reject is not printed.

Examples:
  tenantry catalog render operators --image 'quay.io/example/{package}-bundle:v{version}' > catalog.yaml
  tenantry catalog render operators/redis/1.0.0 operators/redis/1.1.0 \\
    --image 'quay.io/example/{name}' --update-graph semver --with deprecations.yaml

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (bundles: readonly string[], options: RenderCommandOptions) => {
      process.exitCode = runCatalogRender(bundles, options);
    });
}

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
  const unread = [
    ...bundles.flatMap(({ id, bundle }) => locateErrors(bundle, id)),
    ...besides.problems,
  ];
  if (unread.length > 0) return refuse(unread);
  const defaultChannels = Object.fromEntries((options.defaultChannel ?? []).map(parseDefault));
  const { catalog, problems } = renderCatalog(bundles, { updateGraph, defaultChannels });
  if (problems.length > 0) {
    return refuse(problems.map(({ id, finding }) => toProblem(finding, { file: id })));
  }
  const whole = mergeCatalogs(catalog, besides.catalog);
  const place = createLocator(bundles, catalog, besides);
  const wrong = checkCatalog(whole).map(place);
  if (wrong.length > 0) return refuse(wrong);
  for (const line of warningLines(besides.warnings, paintNothing)) console.error(line);
  process.stdout.write(renderCatalogText(whole, output));
  return 0;
}

function refuse(problems: readonly Problem[]): ExitCode {
  printProblems(new InvalidInput(problems).problems, 'nothing is printed', paintNothing);
  return 1;
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

function parseDefault(value: string): readonly [name: string, channel: string] {
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
function createLocator(
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

/** The number of folders between a given one and a bundle in it: `operators/<package>/<version>`. */
const MAX_DEPTH = 4;

/** The file that marks an OCI image layout. */
const LAYOUT = 'oci-layout';

/**
 * Finds the folders of bundles: the given ones and, if one is no bundle, those in it. A bundle has
 * a folder manifests/ and a folder metadata/. The result is sorted and without duplicates.
 * @throws {UsageError} when there is no such folder, or no bundle in it
 */
export function bundleFolders(named: readonly string[]): string[] {
  const found = named.flatMap((folder) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`a bundle must be a folder, got ${show(folder)}`);
    }
    const bundles = bundlesIn(folder, MAX_DEPTH);
    if (bundles.length > 0) return bundles;
    const expected = 'must be a bundle, or a folder with bundles in it (manifests/ and metadata/)';
    throw new UsageError(`${show(folder)} ${expected}, got none in ${names(folder)}`);
  });
  return [...new Set(found)].toSorted();
}

function names(folder: string): string {
  const entries = readdirSync(folder).toSorted();
  return entries.length === 0 ? 'an empty one' : formatList(entries);
}

function bundlesIn(folder: string, depth: number): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === LAYOUT)) return [folder];
  const inner = entries.flatMap((entry) => {
    const isEntered = entry.isDirectory() && !entry.name.startsWith('.');
    return isEntered && entry.name !== 'node_modules' ? [entry.name] : [];
  });
  if (inner.includes('manifests') && inner.includes('metadata')) return [folder];
  return depth === 0 ? [] : inner.flatMap((name) => bundlesIn(join(folder, name), depth - 1));
}
