import { tenantFile } from '../constructs/layout.ts';
import type { Summary } from '../synth/report.ts';

/** How much an output holds. */
export interface Size {
  readonly tenants: number;
  /** Counted once a cluster. */
  readonly namespaces: number;
  readonly objects: number;
}

/** The size of what was rendered; tenants and namespaces are counted by where the files lie. */
export function sizeOf({ files, objects }: Pick<Summary, 'files' | 'objects'>): Size {
  const tenants = new Set<string>();
  let namespaces = 0;
  for (const path of files) {
    const file = tenantFile(path);
    if (!file) continue;
    tenants.add(file.tenant);
    if (file.namespace !== undefined) namespaces += 1;
  }
  return { tenants: tenants.size, namespaces, objects };
}
