import { entryOf, isMapping } from '../../kube/mapping.ts';
import type { ManagedFields } from '../../runtime/kinds/kind.ts';

/** How the API server merges a list: entries by key (`keyed`), unique values (`set`), or one value as a `whole`. */
export type ListType =
  | { readonly type: 'keyed'; readonly keys: readonly string[] }
  | { readonly type: 'set' }
  | { readonly type: 'whole' };

/**
 * The managed fields of one part of an object, over all field managers. They reveal the type of a list without a
 * schema: the API server records map entries by their keys and set values by themselves.
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export class ManagedFieldsNode {
  readonly #parts: readonly Readonly<Record<string, unknown>>[];

  private constructor(parts: readonly unknown[]) {
    this.#parts = parts.filter(isMapping);
  }

  static from(managed: readonly ManagedFields[] | undefined): ManagedFieldsNode {
    return new ManagedFieldsNode((managed ?? []).map(({ fieldsV1 }) => fieldsV1));
  }

  field(name: string): ManagedFieldsNode {
    return new ManagedFieldsNode(this.#parts.map((part) => entryOf(part, `f:${name}`)));
  }

  /** Returns the node of a list entry, found by its keys. */
  entry(value: unknown): ManagedFieldsNode {
    if (!isMapping(value)) return new ManagedFieldsNode([]);
    return new ManagedFieldsNode(
      this.#parts.flatMap((part) =>
        Object.entries(part)
          .filter(([name]) => name.startsWith('k:'))
          .filter(([name]) => Object.entries(keyIn(name)).every(([key, is]) => value[key] === is))
          .map(([, inside]) => inside),
      ),
    );
  }

  /** The type of the list. A list that no manager mentions counts as one value. */
  get listType(): ListType {
    const names = this.#parts.flatMap((part) => Object.keys(part));
    const keyed = names.find((name) => name.startsWith('k:'));
    if (keyed !== undefined) return { type: 'keyed', keys: Object.keys(keyIn(keyed)) };
    return { type: names.some((name) => name.startsWith('v:')) ? 'set' : 'whole' };
  }
}

/** Parses the keys of an entry, as in `k:{"name":"web"}`; empty if the text contains none. */
export function keyIn(name: string): Readonly<Record<string, unknown>> {
  try {
    const key: unknown = JSON.parse(name.slice(2));
    return isMapping(key) ? key : {};
  } catch {
    return {};
  }
}
