import type { Summary } from '../synth/report.ts';

/** How much an output holds. */
export interface Size {
  readonly tenants: number;
  /** Of tenants. Counted once a cluster. */
  readonly namespaces: number;
  readonly objects: number;
}

/** The size of what was rendered; tenants and namespaces are counted by what the objects say. */
export function sizeOf({ holders, objects }: Pick<Summary, 'holders' | 'objects'>): Size {
  const tenants = new Set<string>();
  const namespaces = new Set<string>();
  for (const { cluster, kind, name, tenant } of holders) {
    if (kind === 'Tenant') tenants.add(name);
    else if (tenant !== '') {
      tenants.add(tenant);
      namespaces.add(`${cluster}/${name}`);
    }
  }
  return { tenants: tenants.size, namespaces: namespaces.size, objects };
}
