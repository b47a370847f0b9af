import type { Finding } from '@tenantry/kube/finding';
import { errorAt } from './findings/tenant-finding.ts';
import { didYouMean, formatList, findNearest, show } from '@tenantry/kube/problem';
import { checkClass, hasErrors, NO_FINDINGS, type ClassVerdict } from './class-check.ts';
import { listAllBindableRoles } from './classes/allowances.ts';
import { dropEndedExceptions } from './classes/current-class.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { validateClassSpec } from './declared-objects.ts';
import { listClassEndings } from './endings.ts';
import { ExtendedClasses } from './extended-classes.ts';
import { builtinClass } from './layers/builtin.ts';
import { CLASS_PRESET_RULE } from './layers/resources.ts';
import { validateClass } from './rules/class.ts';
import { checkEndDates } from './rules/end-dates.ts';

/** How a class is added. */
export interface AddOptions {
  /**
   * Whether the caller reports what `add` finds. If not, the tenants that choose the class report its errors, so that
   * no tenant is left out without a message. Default: false
   */
  readonly isReported?: boolean;
}

/**
 * The classes of a fleet. It resolves the class of a tenant with its parent, and reports what is wrong with classes.
 *
 * @example
 * ```ts
 * import { ClassRegistry, resolvePlatform } from 'tenantry';
 *
 * const classes = new ClassRegistry(resolvePlatform());
 * console.log(classes.add({ name: 'batch', spec: {} })); // []
 * console.log(classes.all.map(({ name }) => name)); // [ 'batch', 'default' ]
 * ```
 */
export class ClassRegistry {
  readonly platform: Platform;
  readonly #declared = new Map<string, TenantClassDeclaration>();
  /** The classes without exceptions that are over. */
  readonly #classes = new Map<string, TenantClassDeclaration>();
  readonly #faulty = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #refused = new Set<string>();
  #hasUnnamed = false;
  readonly #extended: ExtendedClasses;

  constructor(platform: Platform) {
    this.platform = platform;
    this.#extended = new ExtendedClasses({
      platform,
      get: (name) => this.#classes.get(name),
      all: () => this.all,
      isUnread: (name) => this.#isUnread(name),
      isRefused: (name) => this.#refused.has(name),
    });
  }

  /** The declared classes by name, and the built-in `default` if the platform needs it. */
  get all(): readonly TenantClassDeclaration[] {
    const classes = [...this.#declared.values()];
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
  add(klass: TenantClassDeclaration, { isReported = false }: AddOptions = {}): readonly Finding[] {
    if (isReported) this.#reported.add(klass.name);
    const faults = validateClassSpec(klass);
    if (faults.length > 0) {
      this.#refused.add(klass.name);
      return faults;
    }
    if (this.#classes.has(klass.name)) {
      const message = `must be the only class of its name, got ${show(klass.name)} again`;
      return [errorAt(['metadata', 'name'], message, 'duplicate-class')];
    }
    const current = dropEndedExceptions(klass, this.platform.date);
    this.#declared.set(klass.name, klass);
    this.#classes.set(klass.name, current);
    this.#extended.invalidate();
    const findings = [
      ...checkEndDates(listClassEndings(klass), this.platform.date),
      ...validateClass(current, this.platform),
    ];
    if (findings.some(({ severity }) => severity === 'error')) this.#faulty.add(klass.name);
    return findings;
  }

  /**
   * Whether every declared class can be used.
   * @internal
   */
  get isSound(): boolean {
    return this.#faulty.size === 0 && this.#refused.size === 0 && !this.#hasUnnamed;
  }

  /** Whether the class that a tenant chooses, or the parent of that class, has an error. */
  #isFaulty(tenant: TenantDeclaration): boolean {
    const name = this.#resolveClassName(tenant);
    const parent = this.#classes.get(name)?.spec.extends;
    return (
      this.#faulty.has(name) ||
      (parent !== undefined && this.#faulty.has(parent)) ||
      hasErrors(this.checkExtension(name))
    );
  }

  /**
   * Validates an added class by itself; without effect if no class of the name was added. A class with an error is
   * recorded as unusable, as by `refuse`. A class that extends another one, which may not be added yet, is judged by
   * `checkExtension`.
   */
  check(name: string): ClassVerdict {
    const klass = this.#classes.get(name);
    if (!klass) return NO_FINDINGS;
    this.#extended.check(name);
    if (klass.spec.extends !== undefined) return NO_FINDINGS;
    const verdict = checkClass(klass, this.platform);
    if (hasErrors(verdict)) this.refuse(name);
    return verdict;
  }

  /**
   * Records that a declared class cannot be used. The error is reported where the class is declared, and not again for
   * tenants that choose it.
   */
  refuse(name: string): void {
    this.#refused.add(name);
    this.#reported.add(name);
    this.#extended.invalidate();
  }

  /** Records that there are declared classes whose names are unknown, because their files cannot be read. */
  refuseUnnamed(): void {
    this.#hasUnnamed = true;
    this.#extended.invalidate();
  }

  /**
   * Whether the class that a tenant chooses may be one of the recorded ones, or cannot be used with its parent
   * (`checkExtension`).
   */
  isUnusable(tenant: TenantDeclaration): boolean {
    const name = this.#resolveClassName(tenant);
    if (this.#isUnread(name)) return true;
    return !this.#extended.isUsable(name) || this.#extended.hasErrors(name);
  }

  /** Whether a finding only repeats that a class has an error, which is reported for the class. */
  isReported(tenant: TenantDeclaration, { rule }: Finding): boolean {
    const isReported = this.#hasUnnamed || this.#reported.has(this.#resolveClassName(tenant));
    if (rule === CLASS_PRESET_RULE) return isReported && this.#isFaulty(tenant);
    return rule === 'class' && isReported && this.isUnusable(tenant);
  }

  #resolveClassName({ spec }: TenantDeclaration): string {
    return spec.className ?? this.platform.defaultClass;
  }

  #isUnread(name: string): boolean {
    return this.#hasUnnamed || this.#refused.has(name);
  }

  /**
   * Returns the verdict on a class merged with its parent, without what is reported for the parent; nothing for a class
   * without a parent. Call it when all classes are added: until then a parent may be missing. It covers what the class
   * gives its tenants if the class was passed to `check`.
   */
  checkExtension(name: string): ClassVerdict {
    return this.#extended.verdict(name);
  }

  /** Returns the class of a tenant, or the finding about the class that the tenant names. */
  resolve(tenant: TenantDeclaration): TenantClassDeclaration | Finding {
    const name = this.#resolveClassName(tenant);
    // The built-in class exists only if the platform needs it. Otherwise tenants could name it to get around the
    // ceilings of the platform's own default class.
    const isDefault = name === this.platform.defaultClass && name === builtinClass.name;
    const builtin = isDefault && !this.isUnusable(tenant);
    const klass = this.#classes.get(name) ?? (builtin ? builtinClass : undefined);
    if (klass && (this.#refused.has(name) || this.#extended.hasErrors(name))) {
      const message = `must be a TenantClass without errors, got ${show(name)}`;
      return errorAt(['spec', 'className'], message, 'class');
    }
    if (klass) return this.#extended.extend(klass) ?? buildParentError(klass);
    const known = this.all.map((one) => one.name);
    const must = `must be a declared TenantClass (${formatList(known) || 'there is none'})`;
    const message = `${must}, got ${show(name)}${didYouMean(findNearest(name, known))}`;
    return { ...errorAt(['spec', 'className'], message, 'class'), about: { unknownName: name } };
  }

  /**
   * Returns a class as declared, and without exceptions that are over.
   * @internal
   */
  find(
    name: string,
  ):
    | { readonly declared: TenantClassDeclaration; readonly current: TenantClassDeclaration }
    | undefined {
    const declared = this.#declared.get(name);
    return declared && { declared, current: this.#classes.get(name) ?? declared };
  }

  /**
   * The ClusterRoles that classes allow their tenants to bind, parents and exceptions included.
   * @internal
   */
  get clusterRoles(): readonly string[] {
    const current = this.all.map((klass) => this.#classes.get(klass.name) ?? klass);
    return listAllBindableRoles(current.map((klass) => this.#extended.extend(klass) ?? klass));
  }
}

function buildParentError({ name, spec }: TenantClassDeclaration): Finding {
  const must = 'must be a class that extends a class which can be used';
  const got = `${show(name)}, which extends ${show(spec.extends)}`;
  return errorAt(['spec', 'className'], `${must}, got ${got}`, 'class');
}
