import type { Path } from '../../kube/problem.ts';
import type { TenantDeclaration } from './declaration.ts';

/** The names that a tenant claims. */
export interface TenantClaim {
  readonly name: string;
  /** The namespaces, on any cluster. */
  readonly namespaces: readonly string[];
}

/** Builds the claim of a Tenant: its name and its namespaces. */
export function buildClaim({ name, spec }: TenantDeclaration): TenantClaim {
  return {
    name,
    namespaces: spec.namespaces?.map((e) => namespaceName(spec.namespacePrefix, e)) ?? [name],
  };
}

/** Returns the name of the tenant's namespace for an entry. */
export function namespaceName(
  prefix: string | undefined,
  entry: { readonly name: string },
): string {
  return (prefix ?? '') + entry.name;
}

/** Finds the place where a Tenant names a namespace of its own. */
export function findNamespacePath({ spec }: TenantDeclaration, namespace: string): Path {
  const index = (spec.namespaces ?? []).findIndex(
    (entry) => namespaceName(spec.namespacePrefix, entry) === namespace,
  );
  return index < 0 ? ['metadata', 'name'] : ['spec', 'namespaces', index, 'name'];
}
