import type { ApiObject } from 'cdk8s';
import { isMapping } from '../../kube/mapping.ts';
import { errorAt, type Finding } from '../../kube/finding.ts';
import { didYouMean, listed, nearest, show, type Path } from '../../kube/problem.ts';
import type { Catalog as CatalogModel, CatalogChannel } from '../../olm/catalog/catalog.ts';
import { supportedModes, targetsFault } from '../../olm/install/install-modes.ts';
import type { Catalog } from './catalog.ts';
import { groupsBeside } from './operator-groups.ts';

type Fields = Readonly<Record<string, unknown>>;

function specOf(object: ApiObject): Fields {
  const { spec } = object.toJson() as { readonly spec?: unknown };
  return isMapping(spec) ? spec : {};
}

/** What a Subscription asks for that a catalog does not have, or that its OperatorGroup does not let run. */
export function subscriptionFindings(subscription: ApiObject, catalog: Catalog): Finding[] {
  if (catalog.isRefused) return [];
  const { contents } = catalog;
  const { name, channel: said, startingCSV } = specOf(subscription);
  const missing = packageFindings(contents, name, ['spec', 'name']);
  if (missing.length > 0) return missing;
  const found = contents.packages.find((one) => one.name === name);
  const wanted = said ?? found?.defaultChannel;
  const channel = channelOf(contents, name, wanted);
  if (!channel) return channelFindings(contents, name, wanted, ['spec', 'channel']);
  const entries = channel.entries.map((entry) => entry.name);
  if (startingCSV !== undefined && !entries.includes(String(startingCSV))) {
    const message = notOf('a bundle', `the channel ${show(channel.name)}`, entries, startingCSV);
    return [errorAt(['spec', 'startingCSV'], message, 'catalog')];
  }
  const installed = new Set([startingCSV, ...headsOf(channel)]);
  const bundles = catalog.bundles.filter(({ bundleName }) => installed.has(bundleName));
  return bundles.flatMap(({ model, bundleName }) => {
    const modes = supportedModes(model);
    return groupsBeside(subscription).flatMap(({ construct, namespace, targets, selects }) => {
      const fault = selects ? undefined : targetsFault(modes, namespace, targets);
      if (fault === undefined) return [];
      const message = `${fault} [${construct.node.path}], for ${show(bundleName)}`;
      return [errorAt(['metadata', 'namespace'], message, 'install-mode')];
    });
  });
}

/** What a ClusterExtension asks for that a catalog does not have. */
export function extensionInCatalog(extension: ApiObject, catalog: Catalog): Finding[] {
  if (catalog.isRefused) return [];
  const { contents } = catalog;
  const { source } = specOf(extension);
  const filter = isMapping(source) && isMapping(source['catalog']) ? source['catalog'] : {};
  const { packageName, channels = [] } = filter;
  const path: Path = ['spec', 'source', 'catalog'];
  const missing = packageFindings(contents, packageName, [...path, 'packageName']);
  if (missing.length > 0 || !Array.isArray(channels)) return missing;
  return channels.flatMap((one: unknown, i) =>
    channelOf(contents, packageName, one)
      ? []
      : channelFindings(contents, packageName, one, [...path, 'channels', i]),
  );
}

function packageFindings({ packages }: CatalogModel, name: unknown, path: Path): Finding[] {
  const names = packages.map((one) => one.name);
  if (names.includes(String(name))) return [];
  return [errorAt(path, notOf('a package', 'the catalog', names, name), 'catalog')];
}

function channelFindings(
  { channels }: CatalogModel,
  name: unknown,
  channel: unknown,
  path: Path,
): Finding[] {
  const names = channels.filter((one) => one.package === name).map((one) => one.name);
  const message = notOf('a channel', `the package ${show(name)}`, names, channel);
  return [errorAt(path, message, 'catalog')];
}

function notOf(what: string, of: string, known: readonly string[], got: unknown): string {
  const meant = typeof got === 'string' ? nearest(got, known) : undefined;
  return `must be ${what} of ${of} (${listed(known)}), got ${show(got)}${didYouMean(meant)}`;
}

function channelOf(
  { channels }: CatalogModel,
  name: unknown,
  channel: unknown,
): CatalogChannel | undefined {
  return channels.find((one) => one.package === name && one.name === channel);
}

/** Whose place no other takes. */
function headsOf({ entries }: CatalogChannel): string[] {
  const left = new Set(entries.flatMap(({ replaces, skips = [] }) => [replaces, ...skips]));
  return entries.map(({ name }) => name).filter((name) => !left.has(name));
}
