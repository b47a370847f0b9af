import { didYouMean, findNearest, show } from '@tenantry/kube/problem';
import type {
  Catalog,
  CatalogDeprecation,
  CatalogDeprecations,
  CatalogFindings,
} from '../catalog.ts';
import type { IndexedPackage } from './packages.ts';

/** Validates deprecations: each refers to something that exists, occurs once, and has a reason. */
export function checkDeprecations(
  catalog: Catalog,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  for (const blob of catalog.deprecations) {
    const known = packages.get(blob.package)!;
    if (known.deprecations !== blob) {
      const message = `must be unique in the package, got a second one of ${show(blob.package)}`;
      findings.error(blob, ['package'], message, 'catalog-deprecation-unique');
      continue;
    }
    const seen = new Set<string>();
    for (const [i, entry] of blob.entries.entries()) {
      const key = `${entry.reference.schema} ${entry.reference.name ?? ''}`;
      if (seen.has(key)) {
        const message = `must be unique among the entries, got ${key.trim()} again`;
        findings.error(blob, ['entries', i, 'reference'], message, 'catalog-deprecation-unique');
      } else checkEntry(blob, entry, i, known, findings);
      seen.add(key);
    }
  }
}

function checkEntry(
  blob: CatalogDeprecations,
  { reference, message }: CatalogDeprecation,
  index: number,
  known: IndexedPackage,
  findings: CatalogFindings,
): void {
  const path = ['entries', index];
  if (message === '') {
    const reason = 'must explain why, and what to use instead, got nothing';
    findings.error(blob, [...path, 'message'], reason, 'catalog-deprecation-message');
  }
  const wrong = wrongReference(reference, known);
  if (wrong)
    findings.error(
      blob,
      [...path, 'reference', wrong[0]],
      wrong[1],
      'catalog-deprecation-reference',
    );
}

function wrongReference(
  { schema, name = '' }: CatalogDeprecation['reference'],
  { name: of, blob, channels, bundles }: IndexedPackage,
): readonly [field: string, message: string] | undefined {
  const known = new Map<string, ReadonlyMap<string, unknown>>([
    ['olm.bundle', bundles],
    ['olm.channel', channels],
  ]);
  if (schema === 'olm.package') {
    return name === ''
      ? undefined
      : ['name', `must be left out for the package, got ${show(name)}`];
  }
  const names = known.get(schema);
  if (!names) {
    return ['schema', `must be olm.package, olm.channel or olm.bundle, got ${show(schema)}`];
  }
  if (names.has(name) || !blob) return undefined;
  const hint = didYouMean(findNearest(name, names.keys()));
  return ['name', `must be an ${schema} of package ${show(of)}, got ${show(name)}${hint}`];
}
