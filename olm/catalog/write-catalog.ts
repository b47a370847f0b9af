import { emitYaml } from '../../kube/yaml/write.ts';
import { sortBlobs, packageOf } from './blobs.ts';
import type { Catalog, CatalogBlob } from './catalog.ts';

/** The format of a written catalog. */
export type CatalogFormat = 'yaml' | 'json';

/**
 * Renders the text of a catalog: by package, each with its channels and bundles by name, and its deprecations. The same
 * catalog gives the same bytes, whatever its order.
 */
export function renderCatalogText(catalog: Catalog, format: CatalogFormat = 'yaml'): string {
  return textOf(sortBlobs(catalog), format);
}

/**
 * Renders the files of a catalog: `<package>/catalog.yaml`, and `catalog.yaml` for objects without a package.
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
