import { compareBundleVersions, type BundleVersion } from '../bundle-version.ts';
import type { CatalogChannel, ChannelEntry } from '../catalog.ts';

/**
 * Where the entries of channels lead. `replaces`: as each bundle says, and a channel holds what its
 * bundles replace, too. `semver`: each bundle replaces the one of the next lower version in its
 * channel, whatever it says itself.
 */
export type UpdateGraph = 'replaces' | 'semver';

/** A bundle, and what it says of its channels and of those before it. */
export interface ChannelMember {
  readonly name: string;
  readonly version: BundleVersion;
  readonly channels: readonly string[];
  /** Empty for none. */
  readonly replaces: string;
  readonly skips: readonly string[];
  /** Empty for none. */
  readonly skipRange: string;
}

/** The channels that bundles of one package say they are in, sorted by name. */
export function buildChannels(
  name: string,
  members: readonly ChannelMember[],
  graph: UpdateGraph,
): CatalogChannel[] {
  const names = [...new Set(members.flatMap(({ channels }) => channels))].toSorted();
  return names.map((channel) => {
    const own = members.filter(({ channels }) => channels.includes(channel));
    const entries = graph === 'semver' ? bySemver(own) : byReplaces(own, members);
    return { schema: 'olm.channel', name: channel, package: name, entries };
  });
}

function byReplaces(own: readonly ChannelMember[], all: readonly ChannelMember[]): ChannelEntry[] {
  const byName = new Map(all.map((member) => [member.name, member]));
  const reached = new Set(own);
  // A set goes on to what is added while it is gone through.
  for (const { replaces } of reached) {
    const before = byName.get(replaces);
    if (before) reached.add(before);
  }
  return sorted([...reached]).map(({ name, replaces, skips, skipRange }) =>
    entryOf(name, replaces, skips, skipRange),
  );
}

function bySemver(own: readonly ChannelMember[]): ChannelEntry[] {
  const members = sorted(own);
  return members.map(({ name, skips, skipRange }, i) => {
    const before = members[i - 1]?.name ?? '';
    return entryOf(
      name,
      before,
      skips.filter((one) => one !== before),
      skipRange,
    );
  });
}

function sorted(members: readonly ChannelMember[]): ChannelMember[] {
  return members.toSorted((a, b) => {
    return compareBundleVersions(a.version, b.version) || (a.name < b.name ? -1 : 1);
  });
}

function entryOf(
  name: string,
  replaces: string,
  skips: readonly string[],
  skipRange: string,
): ChannelEntry {
  return {
    name,
    ...(replaces !== '' && { replaces }),
    ...(skips.length > 0 && { skips }),
    ...(skipRange !== '' && { skipRange }),
  };
}

/** From the least stable on, as OLM advises to name channels. */
const stability = ['candidate', 'fast', 'stable'];

/**
 * The channel of a Subscription that names none: the only one, or else the most stable by name, as
 * `stable` or `stable-v1`, of these the last. Undefined when no name says so.
 *
 * Source: https://olm.operatorframework.io/docs/best-practices/channel-naming/
 */
export function guessDefaultChannel(channels: readonly string[]): string | undefined {
  if (channels.length === 1) return channels[0];
  const ranked = channels
    .map((name) => ({ name, rank: stability.indexOf(name.split('-')[0]!) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank || compareChannels(a.name, b.name));
  return ranked.at(-1)?.name;
}

/** `stable-v2` comes before `stable-v10`. */
function compareChannels(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
