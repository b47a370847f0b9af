import type { Path } from '../../kube/problem.ts';
import type { TenantDeclaration } from './declaration.ts';

/** What a tenant takes for itself. */
export interface TenantClaim {
  readonly name: string;
  /** The namespaces, on whichever cluster. */
  readonly namespaces: readonly string[];
}

/** The name and the namespaces that a Tenant takes for itself. */
export function buildClaim({ name, spec }: TenantDeclaration): TenantClaim {
  return {
    name,
    namespaces: spec.namespaces?.map((e) => namespaceName(spec.namespacePrefix, e)) ?? [name],
  };
}

/** The name of the tenant's namespace for an entry. */
export function namespaceName(
  prefix: string | undefined,
  entry: { readonly name: string },
): string {
  return (prefix ?? '') + entry.name;
}

/** Where a Tenant names a namespace of its own. */
export function findNamespacePath({ spec }: TenantDeclaration, namespace: string): Path {
  const index = (spec.namespaces ?? []).findIndex(
    (entry) => namespaceName(spec.namespacePrefix, entry) === namespace,
  );
  return index < 0 ? ['metadata', 'name'] : ['spec', 'namespaces', index, 'name'];
}
