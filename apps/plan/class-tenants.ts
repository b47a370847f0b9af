import { valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { tenant as tenantKind } from '../../crds/tenant.ts';

const TENANT_GROUP = groupOf(tenantKind.apiVersion);

/** The objects of a cluster. */
type Objects = readonly KubeObject[];

/**
 * Returns a function that counts the tenants of a class, and of the classes that extend it, over all clusters. A tenant on
 * several clusters counts once.
 */
export function createTenantCounter(clusters: readonly Objects[]): (className: string) => number {
  let tenants: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return (className) => {
    tenants ??= collectTenants(clusters);
    return tenants.get(className)?.size ?? 0;
  };
}

function collectTenants(clusters: readonly Objects[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tenants = new Map<string, Set<string>>();
  for (const objects of clusters) {
    const own = objects.filter(({ apiVersion }) => groupOf(apiVersion) === TENANT_GROUP);
    const parents = new Map(
      own.flatMap(({ kind, metadata, spec }) => {
        const parent = valueAt(spec, ['extends']);
        return kind === 'TenantClass' && typeof parent === 'string'
          ? [[metadata.name, parent] as const]
          : [];
      }),
    );
    const usual = findDefaultClass(objects);
    for (const { kind, metadata, spec } of own) {
      if (kind !== tenantKind.kind) continue;
      const chosen = valueAt(spec, ['className']);
      const name = typeof chosen === 'string' ? chosen : usual;
      for (const one of [name, parents.get(name)]) {
        if (one !== undefined) tenants.set(one, (tenants.get(one) ?? new Set()).add(metadata.name));
      }
    }
  }
  return tenants;
}

/** Returns the class of tenants that name none: the operator's platform has it. */
function findDefaultClass(objects: Objects): string {
  const config = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'tenantry-platform',
  );
  const text = valueAt(config, ['data', 'platform.yaml']);
  const platform = typeof text === 'string' ? readDocuments(text).documents[0]?.value : undefined;
  const name = valueAt(platform, ['spec', 'defaultClass']);
  return typeof name === 'string' ? name : 'default';
}
