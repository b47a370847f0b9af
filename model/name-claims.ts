import type { Finding } from '@tenantry/kube/finding';
import { errorAt } from './findings/tenant-finding.ts';
import { show, type Path } from '@tenantry/kube/problem';
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

/** A tenant that has a name, and the place of its declaration. */
interface Claimant {
  readonly name: string;
  /** The file or construct, for messages. */
  readonly where: string;
}

/**
 * The owners of names. A namespace belongs to the first tenant that claimed it and still does; later claimants wait in
 * line. So nobody loses a namespace by changing something else, and nobody gets one by claiming it while another tenant
 * has it.
 */
export class NameClaims {
  // Lists instead of sets: nearly all contain one name, and a fleet has tens of thousands of them.
  readonly #tenants = new Map<string, { where: string; namespaces: readonly string[] }>();
  /** The claimants of a namespace, in the order of claiming: the first has it. Never empty. */
  readonly #lines = new Map<string, readonly string[]>();

  /** Returns the tenant of a name. */
  findTenant(name: string): Claimant | undefined {
    const tenant = this.#tenants.get(name);
    return tenant && { name, where: tenant.where };
  }

  /** Returns the tenant that has a namespace. */
  findOwner(namespace: string): Claimant | undefined {
    const [first] = this.#lines.get(namespace) ?? [];
    return first === undefined ? undefined : this.findTenant(first);
  }

  /** The names of all tenants. */
  names(): Iterable<string> {
    return this.#tenants.keys();
  }

  /** Returns the namespaces that a tenant claims. */
  listNamespaces(name: string): readonly string[] {
    return this.#tenants.get(name)?.namespaces ?? [];
  }

  /** Whether there is a tenant of the name, or one that claims one of the namespaces. */
  isTaken({ name, namespaces }: TenantClaim): boolean {
    return this.#tenants.has(name) || namespaces.some((one) => this.#lines.has(one));
  }

  /**
   * Replaces the claim of the tenant of that name, if there is one. Names that it still claims keep their place in
   * line; new ones come last.
   * @returns the tenants in line for names that it had and no longer claims
   */
  replace({ name, namespaces }: TenantClaim, where: string): readonly string[] {
    const before = this.listNamespaces(name);
    const now = new Set(namespaces);
    this.#tenants.set(name, { where, namespaces: [...now] });
    for (const namespace of now) this.#enter(namespace, name);
    const left = before.filter((namespace) => !now.has(namespace));
    return this.#leave(left, name);
  }

  /**
   * Removes a tenant from every line; without effect if there is no tenant of the name.
   * @returns the tenants in line for what it had
   */
  release(name: string): readonly string[] {
    const before = this.listNamespaces(name);
    this.#tenants.delete(name);
    return this.#leave(before, name);
  }

  /** Adds a tenant to a line; a tenant that is in it already keeps its place. */
  #enter(namespace: string, name: string): void {
    const line = this.#lines.get(namespace) ?? [];
    if (!line.includes(name)) this.#lines.set(namespace, [...line, name]);
  }

  #leave(namespaces: readonly string[], name: string): readonly string[] {
    const waiting = new Set<string>();
    for (const namespace of namespaces) {
      const line = this.#lines.get(namespace) ?? [];
      const others = line.filter((one) => one !== name);
      if (others.length === 0) this.#lines.delete(namespace);
      else this.#lines.set(namespace, others);
      if (line[0] === name) for (const one of others) waiting.add(one);
    }
    return [...waiting];
  }
}

/** Builds the finding about a tenant whose name another one has. */
export function buildNameTakenError({ name, where }: Claimant): Finding {
  const must = 'must be the only tenant of its name';
  const message = `${must}, got ${show(name)}, which ${where} declares`;
  return errorAt(['metadata', 'name'], message, 'duplicate-tenant');
}

/** Builds the finding about a namespace that another tenant has. */
export function buildNamespaceTakenError(
  path: Path,
  namespace: string,
  { name, where }: Claimant,
): Finding {
  const must = 'must be a namespace of one tenant only';
  const message = `${must}, got ${show(namespace)}, which tenant ${name} has (${where})`;
  return errorAt(path, message, 'duplicate-namespace');
}
