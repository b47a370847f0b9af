import { emitYaml } from '../../kube/yaml/write.ts';
import { sortBlobs, packageOf } from './blobs.ts';
import type { Catalog, CatalogBlob } from './catalog.ts';

/** How a catalog is written. */
export type CatalogFormat = 'yaml' | 'json';

/**
 * The text of a catalog: package by package, of each the package, its channels and bundles by their
 * names, and what it deprecates. The same catalog gives the same bytes, in whatever order it came.
 */
export function renderCatalogText(catalog: Catalog, format: CatalogFormat = 'yaml'): string {
  return textOf(sortBlobs(catalog), format);
}

/**
 * The files of a catalog: `<package>/catalog.yaml`, and `catalog.yaml` for what is in no package.
 * @returns path and text, sorted by path
 */
export function catalogFiles(
  catalog: Catalog,
  format: CatalogFormat = 'yaml',
): readonly (readonly [path: string, text: string])[] {
  const files = new Map<string, CatalogBlob[]>();
  for (const blob of sortBlobs(catalog)) {
    const name = packageOf(blob);
    const path = name === '' ? `catalog.${format}` : `${name}/catalog.${format}`;
    files.set(path, [...(files.get(path) ?? []), blob]);
  }
  return [...files].map(([path, blobs]) => [path, textOf(blobs, format)]);
}

function textOf(blobs: readonly CatalogBlob[], format: CatalogFormat): string {
  if (format === 'yaml') return emitYaml(blobs);
  return blobs.map((blob) => `${JSON.stringify(blob, undefined, 2)}\n`).join('');
}
