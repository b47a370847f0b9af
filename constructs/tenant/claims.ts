import type { TenantClaim } from './claim.ts';

/** A tenant that has a name, and where it is declared. */
export interface Claimant {
  readonly name: string;
  /** The file or construct, for messages. */
  readonly where: string;
}

/**
 * Who has which name. A namespace belongs to the first tenant that claimed it and still does; those
 * that claimed it later stand in line. So nobody loses a namespace by changing something else, and
 * nobody gets one by claiming it while another one has it.
 */
export class Claims {
  // Lists, not sets: nearly all hold one name, and a fleet has tens of thousands of them.
  readonly #tenants = new Map<string, { where: string; namespaces: readonly string[] }>();
  /** Who claims a namespace, in the order of claiming: the first has it. Never empty. */
  readonly #lines = new Map<string, readonly string[]>();

  /** The tenant of a name. */
  findTenant(name: string): Claimant | undefined {
    const tenant = this.#tenants.get(name);
    return tenant && { name, where: tenant.where };
  }

  /** The tenant that has a namespace. */
  findOwner(namespace: string): Claimant | undefined {
    const [first] = this.#lines.get(namespace) ?? [];
    return first === undefined ? undefined : this.findTenant(first);
  }

  /** The names of all tenants. */
  names(): Iterable<string> {
    return this.#tenants.keys();
  }

  /** What a tenant claims. */
  namespacesOf(name: string): readonly string[] {
    return this.#tenants.get(name)?.namespaces ?? [];
  }

  /** Whether there is a tenant of the name, or one that claims one of the namespaces. */
  isTaken({ name, namespaces }: TenantClaim): boolean {
    return this.#tenants.has(name) || namespaces.some((one) => this.#lines.has(one));
  }

  /**
   * Puts a claim in place of what the tenant of its name has claimed until now, if anything. What
   * it still claims keeps its place in line; what is new comes after everybody else.
   * @returns the tenants in line for what it had and no longer claims
   */
  replace({ name, namespaces }: TenantClaim, where: string): readonly string[] {
    const before = this.namespacesOf(name);
    const now = new Set(namespaces);
    this.#tenants.set(name, { where, namespaces: [...now] });
    for (const namespace of now) this.#enter(namespace, name);
    const left = before.filter((namespace) => !now.has(namespace));
    return this.#leave(left, name);
  }

  /**
   * Takes a tenant out of every line. Without a tenant of the name nothing happens.
   * @returns the tenants in line for what it had
   */
  release(name: string): readonly string[] {
    const before = this.namespacesOf(name);
    this.#tenants.delete(name);
    return this.#leave(before, name);
  }

  /** Whoever is in line keeps their place. */
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
