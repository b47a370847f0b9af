import {
  compareBundleVersions,
  type BundleVersion,
  type CatalogChannel,
  type ChannelEntry,
} from '../catalog.ts';

/**
 * The rule by which the entries of channels are linked.
 *
 * - `replaces`: as each bundle declares; a channel also contains the bundles that its bundles replace.
 * - `semver`: each bundle replaces the one with the next lower version in its channel, regardless of its own
 *   declaration.
 */
export type UpdateGraph = 'replaces' | 'semver';

/** A bundle with its channels and the bundles that it replaces. */
export interface ChannelMember {
  readonly name: string;
  readonly version: BundleVersion;
  readonly channels: readonly string[];
  /** Empty if there is none. */
  readonly replaces: string;
  readonly skips: readonly string[];
  /** Empty if there is none. */
  readonly skipRange: string;
}

/** Builds the channels that the bundles of one package declare, sorted by name. */
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
  // Iteration over a set includes elements that are added during it.
  for (const { replaces } of reached) {
    const before = byName.get(replaces);
    if (before) reached.add(before);
  }
  return sorted([...reached]).map(({ name, replaces, skips, skipRange }) =>
    buildEntry(name, replaces, skips, skipRange),
  );
}

function bySemver(own: readonly ChannelMember[]): ChannelEntry[] {
  const members = sorted(own);
  return members.map(({ name, skips, skipRange }, i) => {
    const before = members[i - 1]?.name ?? '';
    return buildEntry(
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

function buildEntry(
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

/** The channel names that OLM recommends, from the least stable. */
const stability = ['candidate', 'fast', 'stable'];

/**
 * Guesses the channel of a Subscription that names none. It is the only channel, or else the most stable one by name,
 * such as `stable` or `stable-v1`; of several, the last. Returns undefined if no name matches.
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

/** Compares channel names so that `stable-v2` comes before `stable-v10`. */
function compareChannels(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
