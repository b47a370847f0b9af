import { tenantClass as classKind } from '../crds/tenant-class.ts';
import { markValid } from '../crds/declared-kind.ts';
import type { Finding } from '@tenantry/kube/finding';
import { errorAt } from './findings/tenant-finding.ts';
import { didYouMean, formatList, findNearest, show } from '@tenantry/kube/problem';
import { checkClass, hasErrors, NO_FINDINGS, type ClassVerdict } from './class-check.ts';
import { extendClass } from './classes/extend.ts';
import type { Platform, TenantClassDeclaration } from './declaration.ts';
import { validateResourcePresets } from './rules/presets.ts';

/** All known classes, and which of them have errors. */
interface KnownClasses {
  readonly platform: Platform;
  get(name: string): TenantClassDeclaration | undefined;
  all(): readonly TenantClassDeclaration[];
  /** Whether a class of that name has, or may have, an error that is already reported. */
  isUnread(name: string): boolean;
  /** Whether a class of that name has an error that is already reported. */
  isRefused(name: string): boolean;
}

/** The classes that extend another one, merged with their parents. */
export class ExtendedClasses {
  readonly #classes: KnownClasses;
  readonly #extended = new Map<string, TenantClassDeclaration>();
  readonly #verdicts = new Map<string, ClassVerdict>();
  /** The classes whose settings for tenants are validated. */
  readonly #checked = new Set<string>();

  constructor(classes: KnownClasses) {
    this.#classes = classes;
  }

  /** Drops all results. Call it after any change to the classes. */
  invalidate(): void {
    this.#extended.clear();
    this.#verdicts.clear();
  }

  /** Includes what the merged class gives its tenants in the verdict from now on. */
  check(name: string): void {
    this.#checked.add(name);
    this.invalidate();
  }

  /** Whether the parent of a class allows the class to be used; true for a class without a parent. */
  isUsable(name: string): boolean {
    return this.#resolveParent(name).usable;
  }

  /** Whether a class merged with its parent has an error. */
  hasErrors(name: string): boolean {
    return hasErrors(this.#whole(name));
  }

  /** See `ClassRegistry.checkExtension`. */
  verdict(name: string): ClassVerdict {
    const klass = this.#classes.get(name);
    if (klass?.spec.extends === undefined) return NO_FINDINGS;
    const { parent, fault } = this.#resolveParent(name);
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

  /** Returns a class merged with its parent; undefined if the parent cannot be used. */
  extend(klass: TenantClassDeclaration): TenantClassDeclaration | undefined {
    const { name, spec } = klass;
    if (spec.extends === undefined) return klass;
    const done = this.#extended.get(name);
    if (done) return done;
    const { parent } = this.#resolveParent(name);
    if (!parent) return undefined;
    const extended = extendClass(klass, parent);
    markValid(classKind, extended.spec);
    this.#extended.set(name, extended);
    return extended;
  }

  #resolveParent(name: string): ParentResolution {
    const known = new Map(this.#classes.all().map((one) => [one.name, one]));
    const found = resolveParent(name, known, (other) => this.#classes.isUnread(other));
    const isReportedThere =
      found.parent !== undefined && this.#classes.isRefused(found.parent.name);
    return isReportedThere ? { usable: false } : found;
  }

  /** Returns the verdict on the merged class, if its settings are validated. */
  #whole(name: string): ClassVerdict {
    const klass = this.#classes.get(name);
    if (klass?.spec.extends === undefined || !this.#checked.has(name)) return NO_FINDINGS;
    const known = this.#verdicts.get(name);
    if (known) return known;
    const { parent } = this.#resolveParent(name);
    const { platform } = this.#classes;
    const verdict = parent ? checkClass(klass, platform, extendClass(klass, parent)) : NO_FINDINGS;
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}

/** The result of looking up a class's parent. */
interface ParentResolution {
  /** The parent; absent if the class extends none, or one that cannot be used. */
  readonly parent?: TenantClassDeclaration;
  /** Whether the parent allows the class to be used. */
  readonly usable: boolean;
  /** The finding about the parent; absent too if another class already reports it. */
  readonly fault?: Finding;
}

/** All declared classes, by name. */
type Classes = ReadonlyMap<string, TenantClassDeclaration>;

/**
 * Looks up the parent of a class. A parent cannot have a parent of its own, so a reader has at most one more class to
 * read (docs/adr/0028-extending-classes-and-exceptions.md). Each error is reported once, for the class that contains
 * it.
 * @param isReported whether a declared class of that name has, or may have, an error that is already reported
 */
function resolveParent(
  name: string,
  classes: Classes,
  isReported: (name: string) => boolean,
): ParentResolution {
  const wanted = classes.get(name)?.spec.extends;
  if (wanted === undefined) return { usable: true };
  if (wanted === name) return rejectParent(`must be another class, got ${show(name)} itself`);
  const parent = classes.get(wanted);
  if (!parent)
    return isReported(wanted)
      ? { usable: false }
      : rejectParent(formatUnknownParent(name, wanted, classes));
  const above = parent.spec.extends;
  if (above === undefined) return { parent, usable: true };
  const circle = findCycle(name, classes);
  const isReportedElsewhere = circle
    ? circle.some((one) => one < name)
    : !resolveParent(wanted, classes, isReported).usable;
  if (isReportedElsewhere) return { usable: false };
  const got = `${show(wanted)}, which extends ${show(above)}`;
  return rejectParent(`must be a class that extends none, got ${got}`);
}

function rejectParent(message: string): ParentResolution {
  return { usable: false, fault: errorAt(['spec', 'extends'], message, 'extends') };
}

function formatUnknownParent(name: string, wanted: string, classes: Classes): string {
  const known = [...classes.keys()].filter((one) => one !== name);
  const hint = didYouMean(findNearest(wanted, known));
  const must = `must be a declared TenantClass (${formatList(known) || 'there is no other'})`;
  return `${must}, got ${show(wanted)}${hint}`;
}

/** Returns the classes that form an inheritance cycle with a class; undefined if there is none. */
function findCycle(name: string, classes: Classes): readonly string[] | undefined {
  const way = [name];
  for (;;) {
    const next = classes.get(way.at(-1)!)?.spec.extends;
    if (next === undefined) return undefined;
    if (next === name) return way;
    if (way.includes(next)) return undefined;
    way.push(next);
  }
}
