import type { Finding } from '../../kube/finding.ts';
import { errorAt } from './findings/tenant-finding.ts';
import { didYouMean, formatList, findNearest, show } from '../../kube/problem.ts';
import { builtinClass } from './layers/builtin.ts';
import { CLASS_PRESET_RULE } from './layers/resources.ts';
import {
  buildClaim,
  buildNameTakenError,
  buildNamespaceTakenError,
  Claims,
  findNamespacePath,
  type TenantClaim,
} from './claims.ts';
import { buildTenantNetwork } from './connections/network.ts';
import { TenantNetworks } from './connections/networks.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { checkClass, hasErrors, NO_FINDINGS, type ClassVerdict } from './class-check.ts';
import { listAllBindableRoles } from './classes/allowances.ts';
import { validateClassSpec, validateTenantSpec } from './declared-objects.ts';
import { desired, type DesiredTenant } from './desired.ts';
import { resolvePlatform } from './platform.ts';
import {
  listExceptionWarnings,
  listHeldExceptions,
  type HeldException,
} from './held-exceptions.ts';
import { ExtendedClasses } from './extended-classes.ts';
import { validateClass } from './rules/class.ts';

/** The result of replacing a Tenant by another one of its name. */
export interface Replaced {
  readonly desired: DesiredTenant;
  /** Tenants that claim names which are free now. What is desired of them has changed and must be computed again. */
  readonly waiting: readonly string[];
}

/**
 * Holds what is known of all tenants at once: the platform, the classes, and the owner of each name. It computes what
 * is desired of each tenant by its class, its names and the rules. It serves files and constructs, each of which is
 * added once, and the Tenants of a cluster, which come, change and go.
 *
 * A namespace belongs to one tenant on all clusters, because policies and people trust its name
 * (https://github.com/kubernetes/community/blob/master/sig-multicluster/namespace-sameness-position-statement.md). Its
 * owner is the first tenant that claimed it and still does. The order is that of the calls, and the caller chooses it:
 * files by their names, Tenants of a cluster by their age.
 */
export class Fleet {
  readonly platform: Platform;
  readonly #classes = new Map<string, TenantClassDeclaration>();
  readonly #faulty = new Set<string>();
  readonly #reportedClasses = new Set<string>();
  readonly #refusedClasses = new Set<string>();
  #unreadClasses = false;
  readonly #extended: ExtendedClasses;
  readonly #claims = new Claims();
  /** @internal */
  readonly networks: TenantNetworks;
  /** The exceptions that classes make for tenants, by tenant. */
  readonly #held = new Map<string, readonly HeldException[]>();

  constructor(platform: Platform = resolvePlatform()) {
    this.platform = platform;
    this.networks = new TenantNetworks(platform);
    this.#extended = new ExtendedClasses({
      platform,
      get: (name) => this.#classes.get(name),
      all: () => this.classes,
      isUnread: (name) => this.#isUnread(name),
      isRefused: (name) => this.#refusedClasses.has(name),
    });
  }

  /** The declared classes by name, and the built-in `default` if the platform needs it. */
  get classes(): readonly TenantClassDeclaration[] {
    const classes = [...this.#classes.values()];
    if (this.platform.defaultClass === builtinClass.name && !this.#classes.has(builtinClass.name)) {
      classes.push(builtinClass);
    }
    return classes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Adds a class.
   * @returns errors and warnings. With an error nobody can choose the class: it does not match its schema, another
   * class has its name, no cluster would accept it, or its resource presets cannot be used
   */
  addClass(klass: TenantClassDeclaration): readonly Finding[] {
    const faults = validateClassSpec(klass);
    if (faults.length > 0) {
      this.#refusedClasses.add(klass.name);
      return faults;
    }
    if (this.#classes.has(klass.name)) {
      const message = `must be the only class of its name, got ${show(klass.name)} again`;
      return [errorAt(['metadata', 'name'], message, 'duplicate-class')];
    }
    this.#classes.set(klass.name, klass);
    this.#extended.invalidate();
    const findings = validateClass(klass, this.platform);
    if (findings.some(({ severity }) => severity === 'error')) this.#faulty.add(klass.name);
    return findings;
  }

  /**
   * Whether every declared class can be used.
   * @internal
   */
  get isSound(): boolean {
    return this.#faulty.size === 0 && this.#refusedClasses.size === 0 && !this.#unreadClasses;
  }

  /** Whether the class that a tenant chooses, or the parent of that class, has an error. */
  isFaulty(tenant: TenantDeclaration): boolean {
    const name = this.#classNameOf(tenant);
    const parent = this.#classes.get(name)?.spec.extends;
    return (
      this.#faulty.has(name) ||
      (parent !== undefined && this.#faulty.has(parent)) ||
      hasErrors(this.extendingVerdict(name))
    );
  }

  /**
   * Validates a class by itself. A class with an error is recorded as unusable, as by `refuseClass`. A class that
   * extends another one, which may not be added yet, is judged by `extendingVerdict`.
   */
  checkClass(klass: TenantClassDeclaration): ClassVerdict {
    this.#extended.check(klass.name);
    if (klass.spec.extends !== undefined) return NO_FINDINGS;
    const verdict = checkClass(klass, this.platform);
    if (hasErrors(verdict)) this.refuseClass(klass.name);
    return verdict;
  }

  /**
   * Records that a declared class cannot be used; without a name, that there are such classes whose names are unknown.
   * The error is reported where they are declared, and not again for tenants that choose them.
   */
  refuseClass(name?: string): void {
    if (name === undefined) this.#unreadClasses = true;
    else this.#refusedClasses.add(name);
    this.#extended.invalidate();
    if (name !== undefined) this.reportClass(name);
  }

  /**
   * Records that the caller reports what `addClass` finds in a class. Until then the tenants that choose the class
   * report its errors, so that no tenant is left out without a message.
   */
  reportClass(name: string): void {
    this.#reportedClasses.add(name);
  }

  /**
   * Whether the class that a tenant chooses may be one of the recorded ones, or cannot be used with its parent
   * (`extendingVerdict`).
   */
  isRefused(tenant: TenantDeclaration): boolean {
    const name = this.#classNameOf(tenant);
    if (this.#isUnread(name)) return true;
    return !this.#extended.isUsable(name) || this.#extended.hasErrors(name);
  }

  /** Whether a finding only repeats that a class has an error, which is reported for the class. */
  isTold(tenant: TenantDeclaration, { rule }: Finding): boolean {
    const isReported = this.#unreadClasses || this.#reportedClasses.has(this.#classNameOf(tenant));
    if (rule === CLASS_PRESET_RULE) return isReported && this.isFaulty(tenant);
    return rule === 'class' && isReported && this.isRefused(tenant);
  }

  #classNameOf({ spec }: TenantDeclaration): string {
    return spec.className ?? this.platform.defaultClass;
  }

  #isUnread(name: string): boolean {
    return this.#unreadClasses || this.#refusedClasses.has(name);
  }

  /**
   * Returns the verdict on a class merged with its parent, without what is reported for the parent; nothing for a class
   * without a parent. Call it when all classes are added: until then a parent may be missing. It covers what the class
   * gives its tenants if the class was passed to `checkClass`.
   */
  extendingVerdict(name: string): ClassVerdict {
    return this.#extended.verdict(name);
  }

  /** Returns the class of a tenant, or the finding about the class that the tenant names. */
  classOf(tenant: TenantDeclaration): TenantClassDeclaration | Finding {
    const name = this.#classNameOf(tenant);
    // The built-in class exists only if the platform needs it. Otherwise tenants could name it to get around the
    // ceilings of the platform's own default class.
    const isDefault = name === this.platform.defaultClass && name === builtinClass.name;
    const builtin = isDefault && !this.isRefused(tenant);
    const klass = this.#classes.get(name) ?? (builtin ? builtinClass : undefined);
    if (klass && (this.#refusedClasses.has(name) || this.#extended.hasErrors(name))) {
      const message = `must be a TenantClass without errors, got ${show(name)}`;
      return errorAt(['spec', 'className'], message, 'class');
    }
    if (klass) return this.#extended.extend(klass) ?? buildParentError(klass);
    const known = this.classes.map((one) => one.name);
    const must = `must be a declared TenantClass (${formatList(known) || 'there is none'})`;
    const message = `${must}, got ${show(name)}${didYouMean(findNearest(name, known))}`;
    return { ...errorAt(['spec', 'className'], message, 'class'), about: { unknownName: name } };
  }

  /**
   * The ClusterRoles that classes allow their tenants to bind, parents and exceptions included.
   * @internal
   */
  get clusterRoles(): readonly string[] {
    return listAllBindableRoles(this.classes.map((klass) => this.#extended.extend(klass) ?? klass));
  }

  /** Returns what is desired of a tenant, without claiming its names, also if another tenant owns them. */
  desired(tenant: TenantDeclaration): DesiredTenant {
    return desired(tenant, this.classOf(tenant), this.platform);
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
    this.#held.delete(name);
    return this.#claims.release(name);
  }

  /**
   * Returns the file or construct of a tenant.
   * @internal
   */
  whereIs(name: string): string | undefined {
    return this.#claims.findTenant(name)?.where;
  }

  /** Whether another tenant has the name, or claims one of the namespaces. */
  isTaken(claim: TenantClaim): boolean {
    return this.#claims.isTaken(claim);
  }

  /**
   * Claims names for a tenant without validating it, because an earlier run did.
   * @param held what `exceptions` returned for it in that run, with the same classes as now
   * @throws {Error} when a name is taken
   */
  claim(claim: TenantClaim, where: string, held: readonly HeldException[] = []): void {
    if (this.isTaken(claim)) throw new Error(`what ${claim.name} claims must be free`);
    this.#claims.replace(claim, where);
    if (held.length > 0) this.#held.set(claim.name, held);
  }

  /** Returns the exceptions that its class makes for a tenant, or those that all classes make for all tenants. */
  exceptions(tenant?: string): readonly HeldException[] {
    if (tenant !== undefined) return this.#held.get(tenant) ?? [];
    return [...this.#held.values()].flat();
  }

  /**
   * Returns warnings about the exceptions of a class, once all tenants are added: exceptions for tenants or namespaces
   * that do not exist, and exceptions without effect.
   */
  exceptionWarnings({ name, spec }: TenantClassDeclaration): readonly Finding[] {
    const held = this.exceptions().filter(({ className }) => className === name);
    return listExceptionWarnings(spec.exceptions ?? [], { held, claims: this.#claims });
  }

  #taken(tenant: TenantDeclaration): DesiredTenant {
    const wanted = this.#answer(tenant);
    const klass = this.classOf(tenant);
    const held =
      'severity' in klass ? [] : listHeldExceptions(tenant, klass, this.platform, wanted);
    if (held.length > 0) this.#held.set(tenant.name, held);
    else this.#held.delete(tenant.name);
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

function buildParentError({ name, spec }: TenantClassDeclaration): Finding {
  const must = 'must be a class that extends a class which can be used';
  const got = `${show(name)}, which extends ${show(spec.extends)}`;
  return errorAt(['spec', 'className'], `${must}, got ${got}`, 'class');
}
