import { builtinFields } from '../../kube/builtin-fields.ts';
import { entryOf, isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { isEmptyOf, isWhole, mayGrow, type BuiltinField } from './builtin-zeros.ts';
import type { FieldDiff, PathStep } from './difference.ts';
import { ManagedFieldsNode } from './list-nature.ts';
import { isSameScalar } from './scalars.ts';

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
  readonly #tell: (difference: FieldDiff) => void;

  constructor(root: string, tell: (difference: FieldDiff) => void) {
    this.#root = root;
    this.#tell = tell;
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
    this.#tell({ path, desired: declared, ...(isThere && { live }) });
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
      this.#tell({ path: [...path, name], live: live[name] });
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
      return this.#tell({ path, desired: declared, live });
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
      if (at < 0) this.#tell({ path: [...path, stepOf(wanted, keys)], desired: wanted });
      else {
        const [found] = rest.splice(at, 1);
        this.compare(wanted, found, this.#inside(place, stepOf(found, keys), found));
      }
    }
    if (field && mayGrow(field)) return;
    for (const one of rest) this.#tell({ path: [...path, stepOf(one, keys)], live: one });
  }

  #sets(declared: readonly unknown[], live: readonly unknown[], { path, field }: Place): void {
    const type = field?.type.slice(2);
    for (const [index, wanted] of declared.entries()) {
      if (live.some((one) => isSameScalar(wanted, one, type))) continue;
      this.#tell({ path: [...path, index], desired: wanted });
    }
    if (field && mayGrow(field)) return;
    for (const [index, there] of live.entries()) {
      if (declared.some((one) => isSameScalar(one, there, type))) continue;
      this.#tell({ path: [...path, index], live: there });
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

function stepOf(entry: unknown, keys: readonly string[]): PathStep {
  const by = keys.flatMap((key): [string, string | number | boolean][] => {
    const is = isMapping(entry) ? entry[key] : undefined;
    const isKey = typeof is === 'string' || typeof is === 'number' || typeof is === 'boolean';
    return isKey ? [[key, is]] : [];
  });
  return { by: Object.fromEntries(by) };
}
