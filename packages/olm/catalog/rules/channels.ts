import { show, formatList } from '@tenantry/kube/problem';
import { A_RANGE, parseRange } from '../../semver/version.ts';
import type { Catalog, CatalogChannel, ChannelEntry, CatalogFindings } from '../catalog.ts';
import type { IndexedPackage } from './packages.ts';

/** Validates channels: names are unique, and each entry has a bundle. */
export function checkChannels(
  catalog: Catalog,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  for (const channel of catalog.channels) {
    const { name, entries } = channel;
    const { channels, bundles, blob } = packages.get(channel.package)!;
    if (name === '') {
      findings.error(channel, ['name'], 'must be set, got nothing', 'catalog-channel-name');
    } else if (channels.get(name) !== channel) {
      const message = `must be a name that no other channel of its package has, got ${show(name)} again`;
      findings.error(channel, ['name'], message, 'catalog-channel-unique');
      continue;
    }
    if (entries.length === 0) {
      findings.error(
        channel,
        ['entries'],
        'must contain a bundle, got none',
        'catalog-channel-entries',
      );
      continue;
    }
    for (const [i, entry] of entries.entries()) checkEntry(channel, entry, i, findings);
    if (blob) checkBundles(channel, bundles, findings);
    if (checkNames(channel, findings)) checkGraph(channel, findings);
  }
}

/** Whether names are unique; reports an error if not. */
function checkNames(channel: CatalogChannel, findings: CatalogFindings): boolean {
  const seen = new Set<string>();
  const twice = channel.entries.filter(({ name }, i) => {
    if (!seen.has(name)) return !seen.add(name);
    const message = `must be a bundle that no other entry of channel ${show(channel.name)} is, got ${show(name)} again`;
    findings.error(channel, ['entries', i, 'name'], message, 'catalog-entry-unique');
    return true;
  });
  return twice.length === 0;
}

function checkBundles(
  channel: CatalogChannel,
  bundles: IndexedPackage['bundles'],
  findings: CatalogFindings,
): void {
  for (const [i, { name }] of channel.entries.entries()) {
    if (bundles.has(name)) continue;
    const message = `must be a bundle of package ${show(channel.package)}, got ${show(name)}, of which there is no olm.bundle`;
    findings.error(channel, ['entries', i, 'name'], message, 'catalog-entry-bundle');
  }
}

function checkEntry(
  channel: CatalogChannel,
  { skips = [], skipRange = '' }: ChannelEntry,
  index: number,
  findings: CatalogFindings,
): void {
  const path = ['entries', index];
  for (const [i, skipped] of skips.entries()) {
    if (skipped !== '') continue;
    const message = 'must be the name of a bundle, got nothing';
    findings.error(channel, [...path, 'skips', i], message, 'catalog-entry-skips');
  }
  if (skipRange === '' || parseRange(skipRange)) return;
  const message = `must be ${A_RANGE}, got ${show(skipRange)}`;
  findings.error(channel, [...path, 'skipRange'], message, 'catalog-skip-range');
}

/**
 * Validates the graph of a channel. It has one head, the bundle that no other replaces or skips. From there, `replaces`
 * leads to every other bundle that is not skipped. The last one may replace a bundle that does not exist.
 */
function checkGraph(channel: CatalogChannel, findings: CatalogFindings): void {
  const { entries, name } = channel;
  const heads = findHeads(entries);
  const of = `channel ${show(name)} of package ${show(channel.package)}`;
  if (heads.length !== 1) {
    const names = heads.map((head) => head.name).toSorted();
    const got =
      heads.length === 0
        ? 'none: each is replaced or skipped by another, in a cycle'
        : `${heads.length} (${formatList(names)}): let one of them replace or skip the others`;
    const message = `${of} must have one head, a bundle that no other replaces or skips, got ${got}`;
    findings.error(channel, ['entries'], message, 'catalog-channel-head');
    return;
  }
  const { chain, cycle } = followChain(heads[0]!, entries);
  if (cycle) {
    const message = `${of} must come to an end by 'replaces', got the cycle ${formatList(cycle, ' -> ')}`;
    findings.error(channel, ['entries'], message, 'catalog-channel-cycle');
    return;
  }
  const skipped = skippedIn(entries);
  const stranded = entries.flatMap((entry) =>
    chain.has(entry.name) || skipped.has(entry.name) ? [] : [entry.name],
  );
  if (stranded.length === 0) return;
  const message = `${of} must lead from its head ${show(heads[0]!.name)} to each of its bundles by 'replaces', or skip it, got no path to ${formatList(stranded.toSorted())}`;
  findings.error(channel, ['entries'], message, 'catalog-channel-stranded');
}

/** Returns the entries that no other entry replaces or skips: a valid channel has one. */
export function findHeads(entries: readonly ChannelEntry[]): readonly ChannelEntry[] {
  const behind = skippedIn(entries);
  for (const { replaces = '' } of entries) if (replaces !== '') behind.add(replaces);
  return entries.filter(({ name }) => !behind.has(name));
}

function skippedIn(entries: readonly ChannelEntry[]): Set<string> {
  return new Set(entries.flatMap(({ skips = [] }) => skips));
}

/** Returns the entries that are reachable by `replaces`; skipped entries are not followed. */
function followChain(
  head: ChannelEntry,
  entries: readonly ChannelEntry[],
): { readonly chain: ReadonlySet<string>; readonly cycle?: readonly string[] } {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const skipped = skippedIn(entries);
  const chain = new Set([head.name]);
  for (let at: ChannelEntry | undefined = head; at;) {
    const { replaces = '' }: ChannelEntry = at;
    if (replaces === '' || skipped.has(replaces)) break;
    if (chain.has(replaces)) {
      const names = [...chain];
      return { chain, cycle: [...names.slice(names.indexOf(replaces)), replaces] };
    }
    chain.add(replaces);
    at = byName.get(replaces);
  }
  return { chain };
}
