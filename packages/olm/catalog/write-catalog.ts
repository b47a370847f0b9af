import { emitYaml } from '@tenantry/kube/yaml/write';
import { show } from '@tenantry/kube/problem';
import type { Catalog, CatalogBlob } from './catalog.ts';

/** The format of a written catalog. */
export type CatalogFormat = 'yaml' | 'json';

/**
 * Renders the text of a catalog: by package, each with its channels and bundles by name, and its deprecations. The same
 * catalog gives the same bytes, whatever its order.
 */
export function renderCatalogText(catalog: Catalog, format: CatalogFormat = 'yaml'): string {
  return formatBlobs(sortBlobs(catalog), format);
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
    const name = readPackage(blob);
    const path = name === '' ? `catalog.${format}` : `${name}/catalog.${format}`;
    files.set(path, [...(files.get(path) ?? []), blob]);
  }
  return [...files].map(([path, blobs]) => [path, formatBlobs(blobs, format)]);
}

function formatBlobs(blobs: readonly CatalogBlob[], format: CatalogFormat): string {
  if (format === 'yaml') return emitYaml(blobs);
  return blobs.map((blob) => `${JSON.stringify(blob, undefined, 2)}\n`).join('');
}

/** Sorts the objects of a catalog as they are written: by package, with those without a package last. */
function sortBlobs(catalog: Catalog): readonly CatalogBlob[] {
  const names = new Set<string>();
  for (const blob of everyBlob(catalog)) names.add(readPackage(blob));
  const sorted = [...names].toSorted(byPackage);
  const byName = new Map<string, CatalogBlob[]>(sorted.map((name) => [name, []]));
  for (const blob of everyBlob(catalog)) byName.get(readPackage(blob))!.push(blob);
  return [...byName.values()].flat();
}

/** Compares packages in the order of code units; objects without a package come last. */
function byPackage(a: string, b: string): number {
  if (a === '' || b === '') return a === '' ? 1 : -1;
  return a < b ? -1 : 1;
}

function* everyBlob(catalog: Catalog): Generator<CatalogBlob> {
  yield* catalog.packages;
  yield* catalog.channels.toSorted(byName);
  yield* catalog.bundles.toSorted(byName);
  yield* catalog.others.toSorted((a, b) => order(a.schema, b.schema));
  yield* catalog.deprecations;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return order(a.name, b.name);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the package of an object; empty for none. */
function readPackage(blob: CatalogBlob): string {
  return readField(blob, blob.schema === 'olm.package' ? 'name' : 'package');
}

/** Formats the label of an object for a message: `olm.channel 'stable' of 'redis'`. */
export function formatBlobLabel(blob: CatalogBlob): string {
  const { schema } = blob;
  if (schema === 'olm.package' || schema === 'olm.deprecations') {
    return `${schema} ${show(readPackage(blob))}`;
  }
  const of = readPackage(blob) === '' ? '' : ` of ${show(readPackage(blob))}`;
  return `${schema} ${show(readField(blob, 'name'))}${of}`;
}

/** Returns a text field of an object; empty if it is missing. */
function readField(blob: CatalogBlob, field: string): string {
  const value = Object.entries(blob).find(([key]) => key === field)?.[1];
  return typeof value === 'string' ? value : '';
}
