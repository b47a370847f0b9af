import { statSync } from 'node:fs';
import { show } from '../../../kube/problem.ts';
import { readCatalogFolder } from '../../../olm/catalogfolder/read-catalog-folder.ts';
import type { ReadCatalog } from '../../../olm/catalog/read-catalog.ts';
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
