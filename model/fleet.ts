import type { Finding } from '@tenantry/kube/finding';
import {
  buildClaim,
  buildNameTakenError,
  buildNamespaceTakenError,
  findNamespacePath,
  NameClaims,
  type TenantClaim,
} from './name-claims.ts';
import { ClassRegistry } from './class-registry.ts';
import { buildTenantNetwork } from './connections/network.ts';
import { TenantNetworks } from './connections/networks.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { validateTenantSpec } from './declared-objects.ts';
import { desired, type DesiredTenant } from './desired.ts';
import { listClassEndings, listTenantEndings, type Ending } from './endings.ts';
import { explainEndedExceptions } from './ended-exceptions.ts';
import { resolvePlatform } from './platform.ts';
import {
  listExceptionWarnings,
  listGrantedExceptions,
  type GrantedException,
} from './granted-exceptions.ts';

/** The result of replacing a Tenant by another one of its name. */
export interface Replaced {
  readonly desired: DesiredTenant;
  /** Tenants that claim names which are free now. What is desired of them has changed and must be computed again. */
  readonly waiting: readonly string[];
}

/**
 * Joins the classes (`ClassRegistry`) and the owners of names (`NameClaims`) of all tenants. It computes what is desired
 * of each tenant by its class, its names and the rules. It serves files and constructs, each of which is
 * added once, and the Tenants of a cluster, which come, change and go.
 *
 * A namespace belongs to one tenant on all clusters, because policies and people trust its name
 * (https://github.com/kubernetes/community/blob/master/sig-multicluster/namespace-sameness-position-statement.md). Its
 * owner is the first tenant that claimed it and still does. The order is that of the calls, and the caller chooses it:
 * files by their names, Tenants of a cluster by their age.
 */
export class Fleet {
  readonly platform: Platform;
  /** The classes that tenants can choose. */
  readonly classes: ClassRegistry;
  readonly #claims = new NameClaims();
  /** @internal */
  readonly networks: TenantNetworks;
  /** The exceptions that classes make for tenants, by tenant. */
  readonly #granted = new Map<string, readonly GrantedException[]>();

  constructor(platform: Platform = resolvePlatform()) {
    this.platform = platform;
    this.networks = new TenantNetworks(platform);
    this.classes = new ClassRegistry(platform);
  }

  /** Returns what is desired of a tenant, without claiming its names, also if another tenant owns them. */
  desired(tenant: TenantDeclaration): DesiredTenant {
    const klass = this.classes.resolve(tenant);
    const wanted = desired(tenant, klass, this.platform);
    if ('severity' in klass) return wanted;
    const declared = this.classes.find(klass.name)?.declared.spec.exceptions ?? [];
    return explainEndedExceptions(tenant, { klass, declared }, this.platform, wanted);
  }

  /**
   * Lists what ends in a tenant, in its class and in the parent of the class.
   * @internal
   */
  endings(tenant: TenantDeclaration): readonly Ending[] {
    if (validateTenantSpec(tenant).length > 0) return [];
    const klass = this.classes.resolve(tenant);
    const names = 'severity' in klass ? [] : [klass.name, klass.base?.name];
    const declared = names.flatMap((name) => (name && this.classes.find(name)?.declared) || []);
    return [...listTenantEndings(tenant), ...declared.flatMap(listClassEndings)];
  }

  /**
   * Adds a tenant and its claims. If another tenant has its name, it claims nothing. Of its namespaces it claims those
   * that are free, and waits in line for the others. In both cases it is desired on no cluster, and the findings
   * explain why, besides all findings of the rules.
   * @param where the file or construct, for messages
   */
  add(tenant: TenantDeclaration, where: string): DesiredTenant {
    if (validateTenantSpec(tenant).length > 0) return this.desired(tenant);
    const other = this.#claims.findTenant(tenant.name);
    if (other) return this.#nowhere(tenant, [buildNameTakenError(other)]);
    this.#claims.replace(buildClaim(tenant), where);
    return this.#taken(tenant);
  }

  /**
   * Adds a tenant in place of the one of its name, if there is one. It keeps what it still claims, or its place in
   * line, and frees what it no longer claims. A tenant that does not match its schema claims nothing, and the one of
   * its name keeps what it had.
   */
  replace(tenant: TenantDeclaration, where: string): Replaced {
    if (validateTenantSpec(tenant).length > 0)
      return { desired: this.desired(tenant), waiting: [] };
    const waiting = this.#claims.replace(buildClaim(tenant), where);
    return { desired: this.#taken(tenant), waiting };
  }

  /**
   * Removes a tenant and frees its names; without effect if there is no tenant of the name.
   * @returns the tenants that claim what it had. What is desired of them has changed and must be computed again
   */
  release(name: string): readonly string[] {
    this.networks.remove(name);
    this.#granted.delete(name);
    return this.#claims.release(name);
  }

  /**
   * Returns the file or construct of a tenant.
   * @internal
   */
  findPlace(name: string): string | undefined {
    return this.#claims.findTenant(name)?.where;
  }

  /** Whether another tenant has the name, or claims one of the namespaces. */
  isTaken(claim: TenantClaim): boolean {
    return this.#claims.isTaken(claim);
  }

  /**
   * Claims names for a tenant without validating it, because an earlier run did.
   * @param granted what `exceptions` returned for it in that run, with the same classes as now
   * @throws {Error} when a name is taken
   */
  claim(claim: TenantClaim, where: string, granted: readonly GrantedException[] = []): void {
    if (this.isTaken(claim)) throw new Error(`what ${claim.name} claims must be free`);
    this.#claims.replace(claim, where);
    if (granted.length > 0) this.#granted.set(claim.name, granted);
  }

  /** Returns the exceptions that its class makes for a tenant, or those that all classes make for all tenants. */
  exceptions(tenant?: string): readonly GrantedException[] {
    if (tenant !== undefined) return this.#granted.get(tenant) ?? [];
    return [...this.#granted.values()].flat();
  }

  /**
   * Returns warnings about the exceptions of a class, once all tenants are added: exceptions for tenants or namespaces
   * that do not exist, and exceptions without effect.
   */
  exceptionWarnings({ name, spec }: TenantClassDeclaration): readonly Finding[] {
    const granted = this.exceptions().filter(({ className }) => className === name);
    const { exceptions = [] } = this.classes.find(name)?.current.spec ?? spec;
    return listExceptionWarnings(exceptions, { granted, claims: this.#claims });
  }

  #taken(tenant: TenantDeclaration): DesiredTenant {
    const wanted = this.#answer(tenant);
    const klass = this.classes.resolve(tenant);
    const granted =
      'severity' in klass ? [] : listGrantedExceptions(tenant, klass, this.platform, wanted);
    if (granted.length > 0) this.#granted.set(tenant.name, granted);
    else this.#granted.delete(tenant.name);
    return wanted;
  }

  #answer(tenant: TenantDeclaration): DesiredTenant {
    const taken = [...new Set(buildClaim(tenant).namespaces)].flatMap((namespace) => {
      const holder = this.#claims.findOwner(namespace);
      if (!holder || holder.name === tenant.name) return [];
      return [buildNamespaceTakenError(findNamespacePath(tenant, namespace), namespace, holder)];
    });
    const wanted = taken.length > 0 ? this.#nowhere(tenant, taken) : this.desired(tenant);
    this.networks.set(buildTenantNetwork(tenant, wanted, this.platform));
    return wanted;
  }

  #nowhere(tenant: TenantDeclaration, taken: readonly Finding[]): DesiredTenant {
    const wanted = this.desired(tenant);
    const findings = [...taken, ...wanted.findings];
    return { ...wanted, clusters: [], namespaces: [], argocd: [], findings };
  }
}
