import { show } from '../../../kube/problem.ts';
import { A_RANGE, parseRange } from '../../semver/range.ts';
import type { Catalog, CatalogChannel, ChannelEntry } from '../catalog.ts';
import type { CatalogFindings } from '../catalog-finding.ts';
import { checkGraph } from './graph.ts';
import type { IndexedPackage } from './indexed.ts';

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
