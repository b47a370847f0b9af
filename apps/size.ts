import type { Summary } from '../synth/report.ts';

/** The number of objects in an output. */
export interface Size {
  readonly tenants: number;
  /** Namespaces of tenants, counted once per cluster. */
  readonly namespaces: number;
  readonly objects: number;
}

/** Counts what was rendered. Tenants and namespaces are counted by the objects. */
export function measureSize({ holders, objects }: Pick<Summary, 'holders' | 'objects'>): Size {
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
