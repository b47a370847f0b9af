import { errorAt, type Finding } from '../../kube/finding.ts';
import { didYouMean, formatList, findNearest, show, type Path } from '../../kube/problem.ts';
import { builtinClass } from './layers/builtin.ts';
import { CLASS_PRESET_RULE } from './layers/resources.ts';
import { buildClaim, findNamespacePath, type TenantClaim } from './claim.ts';
import { Claims, type Claimant } from './claims.ts';
import { buildTenantNetwork } from './connections/network.ts';
import { TenantNetworks } from './connections/networks.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { checkClass, hasErrors, NO_FINDINGS, type ClassVerdict } from './class-check.ts';
import { listAllBindableRoles } from './classes/cluster-roles.ts';
import { validateClassSpec, validateTenantSpec } from './declared.ts';
import { desired, type DesiredTenant } from './desired.ts';
import { resolvePlatform } from './platform.ts';
import { listHeldExceptions, type HeldException } from './held-exceptions.ts';
import { listExceptionWarnings } from './exception-warnings.ts';
import { ExtendedClasses } from './extended-classes.ts';
import { validateClass } from './rules/class.ts';

/** What came of a Tenant that took the place of another one of its name. */
export interface Replaced {
  readonly desired: DesiredTenant;
  /** Who claims what is free now: what is desired of them has changed, and must be asked again. */
  readonly waiting: readonly string[];
}

/**
 * Everything that is known of all tenants at once: the platform, the classes, and who has which
 * name. It answers what is desired of each, by class, names and rules: of files and constructs,
 * each of which is added once, and of the Tenants of a cluster, which come, change and go.
 *
 * A namespace belongs to one tenant on all clusters, for a name is what policies and people
 * trust (https://github.com/kubernetes/community/blob/master/sig-multicluster/namespace-sameness-position-statement.md):
 * the first that claimed it and still does. The order is that of the calls, and theirs to choose:
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
  /** What the classes let tenants have besides, by tenant. */
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

  /** The declared classes, and the built-in `default` where the platform needs it; by name. */
  get classes(): readonly TenantClassDeclaration[] {
    const classes = [...this.#classes.values()];
    if (this.platform.defaultClass === builtinClass.name && !this.#classes.has(builtinClass.name)) {
      classes.push(builtinClass);
    }
    return classes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * @returns what is wrong or odd with it: it does not fit its schema, and nobody can choose it;
   * another class has its name, no cluster would take it, or its presets for resources could not be
   * used
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
   * Whether every class that is declared can be used.
   * @internal
   */
  get isSound(): boolean {
    return this.#faulty.size === 0 && this.#refusedClasses.size === 0 && !this.#unreadClasses;
  }

  /** Whether there is an error in the class that a tenant chooses, or in the one that it extends. */
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
   * What a class is on its own. One with a mistake is noted as one that cannot be used, as by
   * `refuseClass`. Of one that extends another, which may be yet to come, `extendingVerdict` says it.
   */
  checkClass(klass: TenantClassDeclaration): ClassVerdict {
    this.#extended.check(klass.name);
    if (klass.spec.extends !== undefined) return NO_FINDINGS;
    const verdict = checkClass(klass, this.platform);
    if (hasErrors(verdict)) this.refuseClass(klass.name);
    return verdict;
  }

  /**
   * Notes a class that is declared and cannot be used; without a name, that there are some whose
   * names nobody can tell. That is reported where they are declared, and not again for whoever
   * chooses them.
   */
  refuseClass(name?: string): void {
    if (name === undefined) this.#unreadClasses = true;
    else this.#refusedClasses.add(name);
    this.#extended.invalidate();
    if (name !== undefined) this.reportClass(name);
  }

  /**
   * Notes that somebody reports what `addClass` finds of a class. Until then the tenants that choose
   * it say what is wrong with it, so that none is missing without a word.
   */
  reportClass(name: string): void {
    this.#reportedClasses.add(name);
  }

  /**
   * Whether the class that a tenant chooses may be one of those, or cannot be used with what it
   * extends (`extendingVerdict`).
   */
  isRefused(tenant: TenantDeclaration): boolean {
    const name = this.#classNameOf(tenant);
    if (this.#isUnread(name)) return true;
    return !this.#extended.isUsable(name) || this.#extended.hasErrors(name);
  }

  /** Whether a finding is about a class that has a mistake of its own, which is told there. */
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
   * What a class is with what it extends, as far as that is not said of the other class; of one that
   * extends none nothing. Asked when all classes are there; until then a parent may be yet to come.
   * What it gives its tenants is asked of a class that was put to `checkClass`.
   */
  extendingVerdict(name: string): ClassVerdict {
    return this.#extended.verdict(name);
  }

  /** The class of a tenant, or what is wrong with the one that it names. */
  classOf(tenant: TenantDeclaration): TenantClassDeclaration | Finding {
    const name = this.#classNameOf(tenant);
    // The built-in class is there only where the platform needs it: who may choose another default
    // must not get round its ceilings by naming this one.
    const isDefault = name === this.platform.defaultClass && name === builtinClass.name;
    const builtin = isDefault && !this.isRefused(tenant);
    const klass = this.#classes.get(name) ?? (builtin ? builtinClass : undefined);
    if (klass && (this.#refusedClasses.has(name) || this.#extended.hasErrors(name))) {
      const message = `must be a TenantClass without a mistake, got ${show(name)}`;
      return errorAt(['spec', 'className'], message, 'class');
    }
    if (klass) return this.#extended.extend(klass) ?? buildParentError(klass);
    const known = this.classes.map((one) => one.name);
    const must = `must be a declared TenantClass (${formatList(known) || 'there is none'})`;
    const message = `${must}, got ${show(name)}${didYouMean(findNearest(name, known))}`;
    return { ...errorAt(['spec', 'className'], message, 'class'), about: { unknownName: name } };
  }

  /**
   * The ClusterRoles that tenants of the classes may have bound, with what classes extend and except.
   * @internal
   */
  get clusterRoles(): readonly string[] {
    return listAllBindableRoles(this.classes.map((klass) => this.#extended.extend(klass) ?? klass));
  }

  /** What is desired of a tenant, whoever has its names. It takes none. */
  desired(tenant: TenantDeclaration): DesiredTenant {
    return desired(tenant, this.classOf(tenant), this.platform);
  }

  /**
   * Takes a tenant in, and what it claims. Where another has its name it takes nothing; of its
   * namespaces it takes those that are free, and stands in line for the others. In both cases it is
   * desired nowhere, and the findings say why, besides all that the rules say.
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
   * The same for a tenant that replaces the one of its name, if there is one. What it still claims,
   * it keeps, or its place in line for it; what it no longer claims is free. One that does not fit
   * its schema says nothing: the one of its name keeps what it had.
   */
  replace(tenant: TenantDeclaration, where: string): Replaced {
    if (validateTenantSpec(tenant).length > 0)
      return { desired: this.desired(tenant), waiting: [] };
    const waiting = this.#claims.replace(buildClaim(tenant), where);
    return { desired: this.#taken(tenant), waiting };
  }

  /**
   * Lets a tenant go, and its names become free; nothing happens without one of the name.
   * @returns who claims what it had: what is desired of them has changed, and must be asked again
   */
  release(name: string): readonly string[] {
    this.networks.remove(name);
    this.#held.delete(name);
    return this.#claims.release(name);
  }

  /**
   * The file or construct of a tenant.
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
   * Takes what a tenant claims, and asks nothing of the tenant, since an earlier run did.
   * @param held what `exceptions` said of it in that run, with the classes that there are now
   * @throws {Error} when it is taken
   */
  claim(claim: TenantClaim, where: string, held: readonly HeldException[] = []): void {
    if (this.isTaken(claim)) throw new Error(`what ${claim.name} claims must be free`);
    this.#claims.replace(claim, where);
    if (held.length > 0) this.#held.set(claim.name, held);
  }

  /** What its class lets a tenant have besides, or all that any class lets any tenant have. */
  exceptions(tenant?: string): readonly HeldException[] {
    if (tenant !== undefined) return this.#held.get(tenant) ?? [];
    return [...this.#held.values()].flat();
  }

  /**
   * What is odd about the exceptions of a class, now that all tenants are there: some are for
   * tenants or namespaces that there are not, or change nothing.
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

function buildNameTakenError({ name, where }: Claimant): Finding {
  const must = 'must be the only tenant of its name';
  const message = `${must}, got ${show(name)}, which ${where} declares`;
  return errorAt(['metadata', 'name'], message, 'duplicate-tenant');
}

function buildNamespaceTakenError(
  path: Path,
  namespace: string,
  { name, where }: Claimant,
): Finding {
  const must = 'must be a namespace of one tenant only';
  const message = `${must}, got ${show(namespace)}, which tenant ${name} has (${where})`;
  return errorAt(path, message, 'duplicate-namespace');
}
