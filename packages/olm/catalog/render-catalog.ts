import { errorAt, type Finding } from '@tenantry/kube/finding';
import { formatList, show } from '@tenantry/kube/problem';
import type { Bundle } from '../bundle/bundle.ts';
import {
  bundleVersion,
  compareBundleVersions,
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type CatalogDeprecations,
  type CatalogPackage,
} from './catalog.ts';
import {
  buildChannels,
  guessDefaultChannel,
  type ChannelMember,
  type UpdateGraph,
} from './render/channels.ts';
import { renderBundle, type RenderOptions } from './render/render-bundle.ts';
import { findHeads } from './rules/channels.ts';

export type { UpdateGraph } from './render/channels.ts';

/** A bundle to add to a catalog. */
export interface BundleToRender extends Pick<RenderOptions, 'contents'> {
  /** The name in problems: its folder. */
  readonly id: string;
  readonly bundle: Bundle;
  /** The image of the bundle. `{package}`, `{name}` and `{version}` are replaced by those of the bundle. */
  readonly image: string;
}

/** Options of `renderCatalog`. */
export interface CatalogOptions {
  /** @default 'replaces' */
  readonly updateGraph?: UpdateGraph;
  /**
   * Default channels by package. @default - the annotation of the bundles, or else a guess by the names of the channels
   */
  readonly defaultChannels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly deprecations?: readonly CatalogDeprecations[];
}

/** A catalog of bundles, and the errors of those that could not be added. */
interface RenderedCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly { readonly id: string; readonly finding: Finding }[];
}

const PREFIX = 'operators.operatorframework.io.bundle.';
const PACKAGE = `${PREFIX}package.v1`;
const CHANNELS = `${PREFIX}channels.v1`;
const DEFAULT = `${PREFIX}channel.default.v1`;

/**
 * Renders the catalog of bundles of any number of packages. Packages, channels and entries are those that the bundles
 * declare. The description and icon of a package are those of the newest bundle in its default channel. The result is
 * not validated: use `checkCatalog`.
 */
export function renderCatalog(
  bundles: readonly BundleToRender[],
  options: CatalogOptions = {},
): RenderedCatalog {
  const problems: { readonly id: string; readonly finding: Finding }[] = [];
  const members = bundles.flatMap((one) => {
    const read = buildMember(one);
    if (read.fault === undefined) return [read.member];
    problems.push({ id: one.id, finding: read.fault });
    return [];
  });
  const names = [...new Set(members.map((one) => one.blob.package))].toSorted();
  const packages: CatalogPackage[] = [];
  const channels: CatalogChannel[] = [];
  for (const name of names) {
    const own = members.filter((one) => one.blob.package === name);
    const made = buildChannels(name, own, options.updateGraph ?? 'replaces');
    channels.push(...made);
    const wanted = options.defaultChannels?.[name] ?? chooseDefault(own, made);
    if (wanted === undefined) {
      problems.push({ id: own.at(-1)!.id, finding: noDefault(name, made) });
    } else packages.push(buildPackage(name, wanted, own, made));
  }
  const catalog = {
    packages,
    channels,
    bundles: members.map(({ blob }) => blob),
    deprecations: options.deprecations ?? [],
    others: [],
  };
  return { catalog, problems };
}

interface CatalogMember extends ChannelMember {
  readonly id: string;
  readonly blob: CatalogBundle;
  /** Empty if the bundle has no such annotation. */
  readonly defaultChannel: string;
  readonly description: string;
  readonly icon: CatalogPackage['icon'];
}

type Read =
  | { readonly member: CatalogMember; readonly fault?: never }
  | { readonly member?: never; readonly fault: Finding };

function buildMember({ id, bundle, image, contents }: BundleToRender): Read {
  const { values } = bundle.annotations;
  const [name = '', listedChannels = ''] = [values[PACKAGE], values[CHANNELS]];
  const channels = listedChannels.split(',').map((one) => one.trim());
  const fault = findFault(bundle, name, listedChannels);
  if (fault) return { fault };
  const { metadata = {}, spec = {} } = bundle.csv?.value ?? {};
  const { version: text = '', replaces = '', skips = [], description = '' } = spec;
  const filled = filledIn(image, { package: name, name: metadata.name ?? '', version: text });
  const blob = renderBundle(bundle, {
    image: filled,
    package: name,
    ...(contents && { contents }),
  });
  const version = bundleVersion(blob);
  if (!version) {
    const message = `must be a version such as '1.2.3', got ${show(text)}`;
    return { fault: errorAt(['spec', 'version'], message, 'catalog-version') };
  }
  const [icon] = spec.icon ?? [];
  const { base64data = '', mediatype = '' } = icon ?? {};
  return {
    member: {
      id,
      blob,
      name: blob.name,
      version,
      channels: channels.filter((one) => one !== ''),
      replaces,
      skips,
      skipRange: metadata.annotations?.['olm.skipRange'] ?? '',
      defaultChannel: values[DEFAULT] ?? '',
      description,
      icon: icon && { base64data, mediatype },
    },
  };
}

function findFault(bundle: Bundle, name: string, channels: string): Finding | undefined {
  if (!bundle.csv) {
    return errorAt([], 'must contain a ClusterServiceVersion, got none', 'catalog-source');
  }
  if (name === '' || channels === '') {
    const missing = name === '' ? PACKAGE : CHANNELS;
    const message = `must declare its package and its channels, got no annotation ${missing}`;
    return errorAt(['annotations'], message, 'catalog-source');
  }
  return undefined;
}

function filledIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(package|name|version)\}/g, (_, key: string) => {
    // A tag cannot contain the `+` of build metadata.
    return values[key]!.replaceAll('+', '-');
  });
}

/**
 * Returns the default channel that the newest bundle with such an annotation declares, or else a guess by the names of
 * the channels.
 */
function chooseDefault(
  members: readonly CatalogMember[],
  channels: readonly CatalogChannel[],
): string | undefined {
  const newest = members
    .filter(({ defaultChannel }) => defaultChannel !== '')
    .toSorted((a, b) => compareBundleVersions(a.version, b.version))
    .at(-1);
  return newest?.defaultChannel ?? guessDefaultChannel(channels.map(({ name }) => name));
}

function noDefault(name: string, channels: readonly CatalogChannel[]): Finding {
  const names = formatList(channels.map((channel) => channel.name));
  const message = `must declare which channel of package ${show(name)} is the default (${names}), got no annotation ${DEFAULT}`;
  return errorAt(['annotations'], message, 'catalog-default-channel');
}

function buildPackage(
  name: string,
  defaultChannel: string,
  members: readonly CatalogMember[],
  channels: readonly CatalogChannel[],
): CatalogPackage {
  const entries = channels.find((channel) => channel.name === defaultChannel)?.entries ?? [];
  const heads = new Set(findHeads(entries).map((entry) => entry.name));
  const head = members
    .filter((member) => heads.has(member.name))
    .toSorted((a, b) => compareBundleVersions(a.version, b.version))
    .at(-1);
  return {
    schema: 'olm.package',
    name,
    defaultChannel,
    ...(head?.icon && { icon: head.icon }),
    ...(head && head.description !== '' && { description: head.description }),
  };
}
