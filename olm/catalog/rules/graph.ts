import { formatList, show } from '../../../kube/problem.ts';
import type { CatalogChannel, ChannelEntry } from '../catalog.ts';
import type { CatalogFindings } from '../catalog-finding.ts';

/**
 * Validates the graph of a channel. It has one head, the bundle that no other replaces or skips. From there, `replaces`
 * leads to every other bundle that is not skipped. The last one may replace a bundle that does not exist.
 */
export function checkGraph(channel: CatalogChannel, findings: CatalogFindings): void {
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
  const { chain, cycle } = chainOf(heads[0]!, entries);
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
function chainOf(
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
