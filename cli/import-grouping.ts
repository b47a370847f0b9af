import { didYouMean, findNearest, formatList, show } from '@tenantry/kube/problem';
import type { ImportResult } from '../import/import-manifests.ts';
import type { Grouping } from '../import/tenant-names.ts';
import { UsageError } from './usage-error.ts';

/**
 * Parses the value of --group-by.
 * @throws {UsageError} for an unknown rule
 */
export function parseGrouping(text: string): Grouping {
  if (text === 'name' || text === 'none') return { by: text };
  const [, by, key] = /^(label|annotation):(.+)$/.exec(text) ?? [];
  if (key !== undefined) return { by: by as 'label' | 'annotation', key };
  throw new UsageError(
    `--group-by must be name, none, label:KEY or annotation:KEY, got ${show(text)}`,
  );
}

/** @throws {UsageError} if no imported namespace has the label or annotation of --group-by */
export function checkGroupingKey({ fleet }: ImportResult, grouping: Grouping | undefined): void {
  if (grouping?.by !== 'label' && grouping?.by !== 'annotation') return;
  const part = grouping.by === 'label' ? 'labels' : 'annotations';
  const found = fleet.tenants.flatMap(({ namespaces }) => namespaces.map((one) => one.found));
  const keys = new Set(
    found.flatMap(({ namespace }) => Object.keys(namespace.object.metadata[part] ?? {})),
  );
  if (found.length === 0 || keys.has(grouping.key)) return;
  const known = keys.size === 0 ? 'none has any' : `they have ${formatList([...keys].toSorted())}`;
  const hint = didYouMean(findNearest(grouping.key, keys));
  throw new UsageError(
    `--group-by must name ${grouping.by === 'label' ? 'a label' : 'an annotation'} of a namespace, got ${show(grouping.key)}${hint}; ${known}`,
  );
}
