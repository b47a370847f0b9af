import { errorAt, warningAt, type Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import type { CatalogBlob } from './catalog.ts';

/** A finding about a catalog, and the object of the catalog that contains its path. */
export interface CatalogFinding extends Finding {
  readonly blob: CatalogBlob;
}

/** Collects findings about a catalog. */
export class CatalogFindings {
  readonly #found: CatalogFinding[] = [];

  error(blob: CatalogBlob, path: Path, message: string, rule: string): void {
    this.#found.push({ ...errorAt(path, message, rule), blob });
  }

  warn(blob: CatalogBlob, path: Path, message: string, rule: string): void {
    this.#found.push({ ...warningAt(path, message, rule), blob });
  }

  get all(): readonly CatalogFinding[] {
    return this.#found;
  }
}
