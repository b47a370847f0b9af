import { errorAt, warningAt, type Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import type { CatalogBlob } from './catalog.ts';

/** What is said of a catalog: a finding, and the object of the catalog that its path is in. */
export interface CatalogFinding extends Finding {
  readonly blob: CatalogBlob;
}

/** Gathers what is found in a catalog. */
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
