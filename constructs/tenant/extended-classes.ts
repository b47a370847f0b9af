import { tenantClass as classKind } from '../../crds/tenantry/tenant-class.ts';
import { markValid } from '../../crds/tenantry/valid.ts';
import { checkClass, hasErrors, NO_FINDINGS, type ClassVerdict } from './class-check.ts';
import { extendClass } from './classes/extend.ts';
import { resolveParent, type ParentResolution } from './classes/parent.ts';
import type { Platform, TenantClassDeclaration } from './declaration.ts';
import { validateResourcePresets } from './rules/presets.ts';

/** All classes that there are, and what is known of them. */
export interface KnownClasses {
  readonly platform: Platform;
  get(name: string): TenantClassDeclaration | undefined;
  all(): readonly TenantClassDeclaration[];
  /** Whether one of the name has a mistake that is told, or may have one. */
  isUnread(name: string): boolean;
  /** Whether one of the name has a mistake that is told. */
  isRefused(name: string): boolean;
}

/** Classes that extend another one, with what they have from it. */
export class ExtendedClasses {
  readonly #classes: KnownClasses;
  readonly #extended = new Map<string, TenantClassDeclaration>();
  readonly #verdicts = new Map<string, ClassVerdict>();
  /** Those that are asked for what they give their tenants. */
  readonly #checked = new Set<string>();

  constructor(classes: KnownClasses) {
    this.#classes = classes;
  }

  /** Asked after any change to the classes. */
  invalidate(): void {
    this.#extended.clear();
    this.#verdicts.clear();
  }

  /** From now on what a class gives with what it extends is part of what is said of it. */
  check(name: string): void {
    this.#checked.add(name);
    this.invalidate();
  }

  /** Whether a class can be used, as far as what it extends goes; of none that is so too. */
  isUsable(name: string): boolean {
    return this.#parentOf(name).usable;
  }

  /** Whether there is a mistake in a class with what it extends. */
  hasErrors(name: string): boolean {
    return hasErrors(this.#whole(name));
  }

  /** See `Fleet.extendingVerdict`. */
  verdict(name: string): ClassVerdict {
    const klass = this.#classes.get(name);
    if (klass?.spec.extends === undefined) return NO_FINDINGS;
    const { parent, fault } = this.#parentOf(name);
    if (fault) return { ...NO_FINDINGS, findings: [fault] };
    if (!parent) return NO_FINDINGS;
    const presets = validateResourcePresets(
      klass,
      this.#classes.platform,
      extendClass(klass, parent),
    );
    const whole = this.#whole(name);
    return { ...whole, findings: [...presets, ...whole.findings] };
  }

  /** A class with what it has from the one that it extends; undefined where that cannot be used. */
  extend(klass: TenantClassDeclaration): TenantClassDeclaration | undefined {
    const { name, spec } = klass;
    if (spec.extends === undefined) return klass;
    const done = this.#extended.get(name);
    if (done) return done;
    const { parent } = this.#parentOf(name);
    if (!parent) return undefined;
    const extended = extendClass(klass, parent);
    markValid(classKind, extended.spec);
    this.#extended.set(name, extended);
    return extended;
  }

  #parentOf(name: string): ParentResolution {
    const known = new Map(this.#classes.all().map((one) => [one.name, one]));
    const found = resolveParent(name, known, (other) => this.#classes.isUnread(other));
    const isReportedThere =
      found.parent !== undefined && this.#classes.isRefused(found.parent.name);
    return isReportedThere ? { usable: false } : found;
  }

  /** What a class gives with what it extends, where that is asked of it. */
  #whole(name: string): ClassVerdict {
    const klass = this.#classes.get(name);
    if (klass?.spec.extends === undefined || !this.#checked.has(name)) return NO_FINDINGS;
    const known = this.#verdicts.get(name);
    if (known) return known;
    const { parent } = this.#parentOf(name);
    const { platform } = this.#classes;
    const verdict = parent ? checkClass(klass, platform, extendClass(klass, parent)) : NO_FINDINGS;
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}
