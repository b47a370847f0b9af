import type { ApiObject } from 'cdk8s';
import { isMapping } from '@tenantry/kube/mapping';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { didYouMean, formatList, findNearest, show, type Path } from '@tenantry/kube/problem';
import type { Catalog as CatalogModel, CatalogChannel } from '../catalog/catalog.ts';
import { supportedModes, checkTargetNamespaces } from '../install-objects/install-target.ts';
import type { Catalog } from './catalog.ts';
import { operatorGroup } from '../api/operator-group.ts';
import { findSameClusterObjects } from '@tenantry/crd/constructs/same-cluster';

type Fields = Readonly<Record<string, unknown>>;

function readSpec(object: ApiObject): Fields {
  const { spec } = object.toJson() as { readonly spec?: unknown };
  return isMapping(spec) ? spec : {};
}

/** Reports what a Subscription requires but the catalog does not have, or the OperatorGroup does not allow. */
export function validateSubscription(subscription: ApiObject, catalog: Catalog): Finding[] {
  if (catalog.isRefused) return [];
  const { contents } = catalog;
  const { name, channel: channelName, startingCSV } = readSpec(subscription);
  const missing = validatePackage(contents, name, ['spec', 'name']);
  if (missing.length > 0) return missing;
  const found = contents.packages.find((one) => one.name === name);
  const wanted = channelName ?? found?.defaultChannel;
  const channel = findCatalogChannel(contents, name, wanted);
  if (!channel) return validateChannel(contents, name, wanted, ['spec', 'channel']);
  const entries = channel.entries.map((entry) => entry.name);
  if (startingCSV !== undefined && !entries.includes(String(startingCSV))) {
    const message = formatUnknownName(
      'a bundle',
      `the channel ${show(channel.name)}`,
      entries,
      startingCSV,
    );
    return [errorAt(['spec', 'startingCSV'], message, 'catalog')];
  }
  const installed = new Set([startingCSV, ...listHeads(channel)]);
  const bundles = catalog.bundles.filter(({ bundleName }) => installed.has(bundleName));
  return bundles.flatMap(({ model, bundleName }) => {
    const modes = supportedModes(model);
    return findOperatorGroups(subscription).flatMap(
      ({ construct, namespace, targets, selects }) => {
        const fault = selects ? undefined : checkTargetNamespaces(modes, namespace, targets);
        if (fault === undefined) return [];
        const message = `${fault} [${construct.node.path}], for ${show(bundleName)}`;
        return [errorAt(['metadata', 'namespace'], message, 'install-mode')];
      },
    );
  });
}

/** Reports what a ClusterExtension requires but the catalog does not have. */
export function validateExtension(extension: ApiObject, catalog: Catalog): Finding[] {
  if (catalog.isRefused) return [];
  const { contents } = catalog;
  const { source } = readSpec(extension);
  const filter = isMapping(source) && isMapping(source['catalog']) ? source['catalog'] : {};
  const { packageName, channels = [] } = filter;
  const path: Path = ['spec', 'source', 'catalog'];
  const missing = validatePackage(contents, packageName, [...path, 'packageName']);
  if (missing.length > 0 || !Array.isArray(channels)) return missing;
  return channels.flatMap((one: unknown, i) =>
    findCatalogChannel(contents, packageName, one)
      ? []
      : validateChannel(contents, packageName, one, [...path, 'channels', i]),
  );
}

function validatePackage({ packages }: CatalogModel, name: unknown, path: Path): Finding[] {
  const names = packages.map((one) => one.name);
  if (names.includes(String(name))) return [];
  return [errorAt(path, formatUnknownName('a package', 'the catalog', names, name), 'catalog')];
}

function validateChannel(
  { channels }: CatalogModel,
  name: unknown,
  channel: unknown,
  path: Path,
): Finding[] {
  const names = channels.filter((one) => one.package === name).map((one) => one.name);
  const message = formatUnknownName('a channel', `the package ${show(name)}`, names, channel);
  return [errorAt(path, message, 'catalog')];
}

function formatUnknownName(
  what: string,
  of: string,
  known: readonly string[],
  got: unknown,
): string {
  const meant = typeof got === 'string' ? findNearest(got, known) : undefined;
  return `must be ${what} of ${of} (${formatList(known)}), got ${show(got)}${didYouMean(meant)}`;
}

function findCatalogChannel(
  { channels }: CatalogModel,
  name: unknown,
  channel: unknown,
): CatalogChannel | undefined {
  return channels.find((one) => one.package === name && one.name === channel);
}

/** Lists the entries that no other entry replaces. */
function listHeads({ entries }: CatalogChannel): string[] {
  const left = new Set(entries.flatMap(({ replaces, skips = [] }) => [replaces, ...skips]));
  return entries.map(({ name }) => name).filter((name) => !left.has(name));
}

/** An OperatorGroup of an app, as it is rendered. */
interface AppOperatorGroup {
  readonly construct: ApiObject;
  readonly namespace: string;
  /** The namespaces that it names. */
  readonly targets: readonly string[];
  /** Whether it selects namespaces by labels, so that the namespaces are not known. */
  readonly selects: boolean;
}

/** Returns the namespace of an object in a namespaced kind; `default` if the object names none. */
function readNamespace(object: ApiObject): string {
  const { metadata } = object.toJson() as { readonly metadata?: { readonly namespace?: string } };
  return metadata?.namespace ?? 'default';
}

/** Finds the OperatorGroups in the cluster and the namespace of an object. */
function findOperatorGroups(object: ApiObject): AppOperatorGroup[] {
  const namespace = readNamespace(object);
  return findSameClusterObjects(object, operatorGroup)
    .filter((one) => readNamespace(one) === namespace)
    .map((construct) => {
      const { spec } = construct.toJson() as { readonly spec?: unknown };
      const { targetNamespaces, selector } = isMapping(spec) ? spec : {};
      const targets = Array.isArray(targetNamespaces) ? targetNamespaces.map(String) : [];
      return {
        construct,
        namespace,
        targets,
        selects: isMapping(selector) && targets.length === 0,
      };
    });
}

/**
 * Refuses a second OperatorGroup in a namespace: OLM then installs nothing there. The first one is
 * not reported.
 */
export function validateOnlyGroup(group: ApiObject): Finding[] {
  const [first] = findOperatorGroups(group);
  if (!first || first.construct === group) return [];
  const message = `must be the only OperatorGroup of the namespace ${show(first.namespace)}, got one beside [${first.construct.node.path}]: OLM then installs nothing there`;
  return [errorAt(['metadata', 'namespace'], message, 'operator-group')];
}
