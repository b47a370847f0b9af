import { statSync } from 'node:fs';
import { show } from '@tenantry/kube/problem';
import { readCatalogFolder } from '@tenantry/olm/catalog-folder/read-catalog-folder';
import type { ReadCatalog } from '@tenantry/olm/catalog/read-catalog';
import { UsageError } from '../../usage-error.ts';

/**
 * Reads the catalog of a folder.
 * @throws {UsageError} when there is no such folder
 */
export function readCatalogAt(folder: string): ReadCatalog {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`the catalog must be a folder, got ${show(folder)}`);
  }
  return readCatalogFolder(folder);
}
