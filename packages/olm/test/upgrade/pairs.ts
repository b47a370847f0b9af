import { parseBundle } from '../../bundle/parse.ts';
import type { Bundle } from '../../bundle/bundle.ts';
import { compareBundles, type UpgradeChange, type UpgradeOptions } from '../../upgrade/compare.ts';
import { filesOf, sample, type Sample } from '../rules/sample.ts';

/** A bundle, and the one that replaces it. */
export interface Pair {
  readonly old: Sample;
  readonly now: Sample;
}

/** Builds two bundles that differ only in name and version. */
export function pair(): Pair {
  const [old, now] = [sample(), sample()];
  now.csv.metadata.name = 'redis-operator.v1.3.0';
  now.csv.spec.version = '1.3.0';
  now.csv.spec.replaces = 'redis-operator.v1.2.3';
  return { old, now };
}

export function bundleOf(given: Sample): Bundle {
  return parseBundle({ files: filesOf(given) });
}

/** Returns the changes of a pair: verdict, rule and subject of each, without the upgrade path. */
export function comparePair({ old, now }: Pair, questions: UpgradeOptions = {}): string[] {
  return linesOf(compareBundles(bundleOf(old), bundleOf(now), questions));
}

/** Formats changes in the same way. */
export function linesOf(changes: readonly UpgradeChange[]): string[] {
  return changes
    .filter(({ rule }) => rule !== 'upgrade-way')
    .map(({ verdict, rule, subject }) => `${verdict} ${rule} ${subject}`);
}
