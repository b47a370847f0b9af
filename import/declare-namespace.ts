import { formatFinding, type Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { NamespaceEntry } from '../crds/types.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { buildException, joinExceptions, type ExceptionParts } from './exceptions.ts';
import type { FoundObject } from './manifests.ts';
import { mergeNamespaces } from './merge-namespaces.ts';
import { buildNamespaceSpec, type ImportContext, type NamespaceSpec } from './namespace-spec.ts';
import type { FoundNamespace, LeftOut } from './namespaces.ts';
import type { Origin } from './section.ts';
import type { TenantTrials } from './tenant-trials.ts';

/** A namespace as it is declared. */
export interface DeclaredNamespace {
  readonly found: FoundNamespace;
  /** Absent if no tenant may have the namespace. */
  readonly entry?: NamespaceEntry;
  /** What the class must allow it besides. */
  readonly exception?: ExceptionParts;
  /** Its objects that are not declared, and why. */
  readonly leftOut: readonly LeftOut[];
  /** Labels and annotations of the Namespace that are not declared, and why: `labels/example.com/a`. */
  readonly droppedKeys: ReadonlyMap<string, string>;
}

/** What declares a namespace, and tries what the rules accept. */
export interface DeclareContext extends ImportContext {
  /** Absent if it is the platform's default class. */
  readonly className: string | undefined;
  readonly trials: TenantTrials;
}

/** The maximum number of attempts; each one removes something. */
const MAX_ROUNDS = 100;

/** The maximum number of objects of which each is tried alone. */
const MAX_SUSPECTS = 100;

/** Fields whose entries are labels and annotations of the Namespace. */
const keyFields: ReadonlySet<unknown> = new Set([
  'labels',
  'annotations',
  'contact',
  'podSecurity',
]);

/** The namespaces of a tenant as they are declared. */
export interface DeclaredTenant {
  /** Whether all rules accept the tenant as a whole. */
  readonly isAccepted: boolean;
  readonly namespaces: readonly DeclaredNamespace[];
}

/**
 * Declares the namespaces of a tenant. If all rules accept the tenant as a whole at once, this takes a fraction of the
 * time. Otherwise each namespace is declared by itself so that all rules accept it. A rule that refuses something gets
 * an exception, if there are exceptions for the rule. Otherwise what it refuses is left out.
 */
export function declareTenant(
  name: string,
  namespaces: readonly FoundNamespace[],
  context: DeclareContext,
): DeclaredTenant {
  const specs = namespaces.map((found) => buildNamespaceSpec(found, context, new Set()));
  const entries = specs.map(({ entry }) => entry);
  const isAccepted =
    specs.every(({ unplaced }) => unplaced.length === 0) &&
    findErrors(name, entries, context.klass, context).length === 0;
  return {
    isAccepted,
    namespaces: namespaces.map((found, i) =>
      isAccepted
        ? { found, entry: entries[i]!, leftOut: [], droppedKeys: new Map() }
        : new Attempt(found, context, specs[i]!).run(),
    ),
  };
}

/** Returns what the rules refuse in a tenant of these namespaces. */
function findErrors(
  name: string,
  entries: readonly NamespaceEntry[],
  klass: TenantClassDeclaration,
  { className, trials }: DeclareContext,
): readonly Finding[] {
  return trials.findErrors({ name, spec: mergeNamespaces(name, entries, className) }, klass);
}

class Attempt {
  readonly #found: FoundNamespace;
  readonly #context: DeclareContext;
  readonly #whole: NamespaceSpec;
  readonly #leftOut = new Map<FoundObject, string>();
  readonly #dropped = new Map<string, string>();
  readonly #parts = new Map<string, ExceptionParts>();

  /** @param whole the declaration of the whole namespace */
  constructor(found: FoundNamespace, context: DeclareContext, whole: NamespaceSpec) {
    this.#found = found;
    this.#context = context;
    this.#whole = whole;
  }

  run(): DeclaredNamespace {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const spec = this.#build();
      const errors = this.#check(spec);
      if (errors.length === 0) return this.#result(spec.entry);
      const before = new Set(this.#parts.keys());
      // One exception is for everything that a rule refuses.
      const isAllowedNow = ({ rule }: Finding): boolean =>
        this.#parts.has(rule) && !before.has(rule);
      const fatal = errors.find((error) => !isAllowedNow(error) && !this.#resolve(error, spec));
      if (fatal) return this.#refuse(formatError(fatal));
    }
    return this.#refuse(`it needs more than ${MAX_ROUNDS} changes`);
  }

  #build(without: ReadonlySet<FoundObject> = new Set()): NamespaceSpec {
    for (;;) {
      const objects = this.#found.objects.filter(
        (one) => !this.#leftOut.has(one) && !without.has(one),
      );
      const isWhole = objects.length === this.#found.objects.length && this.#dropped.size === 0;
      const spec = isWhole
        ? this.#whole
        : buildNamespaceSpec(
            { ...this.#found, objects },
            this.#context,
            new Set(this.#dropped.keys()),
          );
      for (const { found, reason } of spec.unplaced) this.#leftOut.set(found, reason);
      // What else the left out objects belong to must be built again.
      if (spec.unplaced.length === 0) return spec;
    }
  }

  #check({ entry }: NamespaceSpec): readonly Finding[] {
    return findErrors(this.#found.name, [entry], this.#resolveClass(), this.#context);
  }

  #resolveClass(): TenantClassDeclaration {
    const { klass } = this.#context;
    if (this.#parts.size === 0) return klass;
    const parts = joinExceptions([...this.#parts.values()]);
    const exception = { tenants: [this.#found.name], reason: 'trial', ...parts };
    return { ...klass, spec: { ...klass.spec, exceptions: [exception] } };
  }

  /** Allows or leaves out what an error is about; returns whether there was something. */
  #resolve(error: Finding, { entry, origins }: NamespaceSpec): boolean {
    const { rule, path } = error;
    const place = path.slice(1);
    if (!this.#parts.has(rule)) {
      const klass = this.#context.klass.spec;
      const parts = buildException(rule, { found: this.#found, entry, klass });
      if (parts) {
        this.#parts.set(rule, parts);
        return true;
      }
    }
    const [field, key] = place;
    if (keyFields.has(field) && typeof key === 'string') {
      this.#dropped.set(`${String(field)}/${key}`, formatError(error));
      return true;
    }
    const best = origins
      .filter((origin) => isPrefix(origin.path, place))
      .toSorted((a, b) => b.path.length - a.path.length);
    const length = best[0]?.path.length;
    const causes =
      best.length > 0
        ? best.filter((origin) => origin.path.length === length)
        : this.#findCauses(rule, place, origins);
    for (const { found } of causes) this.#leftOut.set(found, formatError(error));
    return causes.length > 0;
  }

  /** Finds the objects of a list that a rule refuses, if it is about the list as a whole. */
  #findCauses(rule: string, place: Path, origins: readonly Origin[]): readonly Origin[] {
    const listed = origins.filter(({ path }) => place.length > 0 && isPrefix(place, path));
    if (listed.length > MAX_SUSPECTS) return listed;
    const causes = listed.filter(({ found: suspect }) => {
      const others = new Set(listed.flatMap(({ found }) => (found === suspect ? [] : [found])));
      const spec = this.#build(others);
      return this.#check(spec).some((error) => error.rule === rule);
    });
    return causes.length > 0 ? causes : listed;
  }

  #result(entry: NamespaceEntry): DeclaredNamespace {
    const parts = joinExceptions([...this.#parts.values()]);
    return {
      found: this.#found,
      entry,
      ...(this.#parts.size > 0 && { exception: parts }),
      leftOut: [...this.#leftOut].map(([found, reason]) => ({ found, reason })),
      droppedKeys: this.#dropped,
    };
  }

  #refuse(reason: string): DeclaredNamespace {
    const { namespace, objects } = this.#found;
    const all = [namespace, ...objects].map((found) => ({ found, reason }));
    return { found: this.#found, leftOut: all, droppedKeys: new Map() };
  }
}

function formatError(error: Finding): string {
  const text = formatFinding({ ...error, path: [] });
  return `${text} (${error.rule})`;
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.every((part, i) => path[i] === part);
}
