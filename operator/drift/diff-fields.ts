import { isDeepStrictEqual } from 'node:util';
import { builtinFields } from '@tenantry/kube/builtin-fields';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { isEmptyOf, isWhole, mayGrow, type BuiltinField } from './builtin-zeros.ts';
import type { FieldDiff, PathStep } from './difference.ts';
import { ManagedFieldsNode } from './managed-fields.ts';
import { parseQuantity } from '@tenantry/kube/quantity';
import { parseTime } from '@tenantry/kube/time';

/** Fields that are not content: the object's identity, and what others write about it. */
const apart: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Compares the content of an object with its declaration, metadata apart. Only declared fields count; defaults and
 * fields that controllers write do not. Lists, selectors and the data of a ConfigMap are declared as a whole, so an
 * added entry is a difference.
 *
 * Values of built-in kinds are compared as Kubernetes parses them. Values of other kinds are compared as written,
 * because they are stored that way.
 * @param live in the version in which it is declared, with its managedFields
 */
export function diffFields(declared: KubeObject, live: Live): readonly FieldDiff[] {
  const found: FieldDiff[] = [];
  const root = `${declared.apiVersion}/${declared.kind}`;
  const comparison = new Comparison(root, (one) => found.push(one));
  const managed = ManagedFieldsNode.from(live.metadata.managedFields);
  const builtin = builtinFields(root) && root;
  for (const name of Object.keys(declared).filter((one) => !apart.has(one))) {
    const [wanted, there] = [declared[name], entryOf(live as KubeObject, name)];
    comparison.compare(wanted, there, comparison.at(builtin, name, [], managed));
  }
  return found;
}

/** A part of an object. */
interface Place {
  readonly path: readonly PathStep[];
  readonly managed: ManagedFieldsNode;
  /** Undefined if it is not part of a built-in kind. */
  readonly field?: BuiltinField | undefined;
}

class Comparison {
  readonly #root: string;
  readonly #report: (difference: FieldDiff) => void;

  constructor(root: string, report: (difference: FieldDiff) => void) {
    this.#root = root;
    this.#report = report;
  }

  /** Returns the place of a field of a type. */
  at(
    of: string | undefined,
    name: string,
    path: readonly PathStep[],
    managed: ManagedFieldsNode,
  ): Place {
    const type = of === undefined ? undefined : builtinFields(of)?.get(name);
    return {
      path: [...path, name],
      managed: managed.field(name),
      field: of === undefined || type === undefined ? undefined : this.#field(of, name, type),
    };
  }

  compare(declared: unknown, live: unknown, place: Place): void {
    const { field, path } = place;
    if (declared === null || declared === undefined) return;
    if (field && field.name !== '' && isEmptyOf(declared, live, field)) return;
    if (Array.isArray(declared) && Array.isArray(live)) return this.#lists(declared, live, place);
    if (isMapping(declared) && isMapping(live)) return this.#mappings(declared, live, place);
    if (isSameScalar(declared, live, field?.type)) return;
    const isThere = live !== undefined && live !== null;
    this.#report({ path, desired: declared, ...(isThere && { live }) });
  }

  #mappings(
    declared: Readonly<Record<string, unknown>>,
    live: Readonly<Record<string, unknown>>,
    place: Place,
  ): void {
    const { field, path, managed } = place;
    const values = field?.type.startsWith('{}') ? field.type.slice(2) : undefined;
    for (const name of Object.keys(declared)) {
      const inside =
        field && values !== undefined
          ? {
              path: [...path, name],
              managed: managed.field(name),
              field: this.#unnamed(values),
            }
          : this.at(field?.type, name, path, managed);
      this.compare(entryOf(declared, name), entryOf(live, name), inside);
    }
    if (!field || !isWhole(field)) return;
    for (const name of Object.keys(live).filter((one) => !Object.hasOwn(declared, one))) {
      this.#report({ path: [...path, name], live: live[name] });
    }
  }

  #lists(declared: readonly unknown[], live: readonly unknown[], place: Place): void {
    const { managed, field, path } = place;
    const { listType: nature } = managed;
    if (nature.type === 'keyed') return this.#entries(declared, live, nature.keys, place);
    if (nature.type === 'set') return this.#sets(declared, live, place);
    if (
      declared.length !== live.length &&
      !(field && mayGrow(field) && declared.length < live.length)
    ) {
      return this.#report({ path, desired: declared, live });
    }
    for (const [index, wanted] of declared.entries()) {
      this.compare(wanted, live[index], this.#inside(place, index, live[index]));
    }
  }

  #entries(
    declared: readonly unknown[],
    live: readonly unknown[],
    keys: readonly string[],
    place: Place,
  ): void {
    const { path, field } = place;
    const rest = [...live];
    // An omitted key has a default, so entries that set all keys are matched first.
    const countKeys = (one: unknown): number =>
      keys.filter((key) => isMapping(one) && one[key] !== undefined).length;
    for (const wanted of declared.toSorted((a, b) => countKeys(b) - countKeys(a))) {
      const at = rest.findIndex((one) => isEntry(wanted, one, keys));
      if (at < 0) this.#report({ path: [...path, buildStep(wanted, keys)], desired: wanted });
      else {
        const [found] = rest.splice(at, 1);
        this.compare(wanted, found, this.#inside(place, buildStep(found, keys), found));
      }
    }
    if (field && mayGrow(field)) return;
    for (const one of rest) this.#report({ path: [...path, buildStep(one, keys)], live: one });
  }

  #sets(declared: readonly unknown[], live: readonly unknown[], { path, field }: Place): void {
    const type = field?.type.slice(2);
    for (const [index, wanted] of declared.entries()) {
      if (live.some((one) => isSameScalar(wanted, one, type))) continue;
      this.#report({ path: [...path, index], desired: wanted });
    }
    if (field && mayGrow(field)) return;
    for (const [index, there] of live.entries()) {
      if (declared.some((one) => isSameScalar(one, there, type))) continue;
      this.#report({ path: [...path, index], live: there });
    }
  }

  /** Returns the place of a list entry. */
  #inside({ path, managed, field }: Place, step: PathStep, live: unknown): Place {
    const type = field?.type.startsWith('[]') ? field.type.slice(2) : undefined;
    return {
      path: [...path, step],
      managed: managed.entry(live),
      field: type === undefined ? undefined : this.#unnamed(type),
    };
  }

  /** Returns the field for a value of a map or a list: it has no name and is not dropped when empty. */
  #unnamed(type: string): BuiltinField {
    return this.#field('', '', type);
  }

  #field(of: string, name: string, type: string): BuiltinField {
    return { root: this.#root, of, name, type };
  }
}

/** Whether an entry matches the declared one in the keys that the declared one sets. */
function isEntry(declared: unknown, live: unknown, keys: readonly string[]): boolean {
  if (!isMapping(declared) || !isMapping(live)) return false;
  return keys.every((key) => declared[key] === undefined || declared[key] === live[key]);
}

function buildStep(entry: unknown, keys: readonly string[]): PathStep {
  const by = keys.flatMap((key): [string, string | number | boolean][] => {
    const is = isMapping(entry) ? entry[key] : undefined;
    const isKey = typeof is === 'string' || typeof is === 'number' || typeof is === 'boolean';
    return isKey ? [[key, is]] : [];
  });
  return { by: Object.fromEntries(by) };
}

/** The precision of time types, in nanoseconds. */
const precisions: Readonly<Record<string, bigint>> = { time: 1_000_000_000n, microtime: 1_000n };
/** Billionths in a thousandth, the finest unit that a list of resources holds. */
const MILLI = 1_000_000n;

/**
 * Whether a live value equals the declared one.
 * @param type the built-in type, as `builtinFields` names it. Undefined: values are compared as written
 */
function isSameScalar(declared: unknown, live: unknown, type: string | undefined): boolean {
  if (isDeepStrictEqual(declared, live)) return true;
  if (type === 'quantity')
    return isAmount(declared) && isAmount(live) && isSameAmount(declared, live);
  if (typeof declared !== 'string' || typeof live !== 'string') return false;
  const precision = type === undefined ? undefined : precisions[type];
  if (precision !== undefined) return isSameTime(declared, live, precision);
  return type === 'bytes' && bytesIn(declared) === bytesIn(live);
}

function isAmount(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Compares two quantities. The API server rounds up amounts that are finer than a list of resources can hold. */
function isSameAmount(declared: string | number, live: string | number): boolean {
  const [wanted, there] = [parseQuantity(declared), parseQuantity(live)];
  if (wanted === undefined || there === undefined) return false;
  return wanted === there || (wanted > 0n && ((wanted + MILLI - 1n) / MILLI) * MILLI === there);
}

function isSameTime(declared: string, live: string, precision: bigint): boolean {
  const [wanted, there] = [parseTime(declared), parseTime(live)];
  if (!wanted || !there) return false;
  return wanted.nanos / precision === there.nanos / precision;
}

/** Decodes base64, which may contain line breaks. */
function bytesIn(text: string): string {
  return Buffer.from(text, 'base64').toString('base64');
}
