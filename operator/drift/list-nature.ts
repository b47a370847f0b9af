import { entryOf, isMapping } from '../../kube/mapping.ts';
import type { ManagedFields } from '../../runtime/kinds/kind.ts';

/**
 * What a list is to the API server: entries that go by keys, values of which each is there once, or one value
 * as a whole.
 */
export type ListType =
  | { readonly type: 'keyed'; readonly keys: readonly string[] }
  | { readonly type: 'set' }
  | { readonly type: 'whole' };

/**
 * What the managers of an object say of one of its parts. By it a list is known for what it is, of whatever
 * kind, without its schema: the API server writes entries by their keys, and values of sets by themselves.
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

  /** That of an entry of a list by its keys. */
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

  /** Of a list about which no manager says anything, that it is one value. */
  get listType(): ListType {
    const names = this.#parts.flatMap((part) => Object.keys(part));
    const keyed = names.find((name) => name.startsWith('k:'));
    if (keyed !== undefined) return { type: 'keyed', keys: Object.keys(keyIn(keyed)) };
    return { type: names.some((name) => name.startsWith('v:')) ? 'set' : 'whole' };
  }
}

/** The fields that an entry goes by: `k:{"name":"web"}`; none where the text does not say. */
export function keyIn(name: string): Readonly<Record<string, unknown>> {
  try {
    const key: unknown = JSON.parse(name.slice(2));
    return isMapping(key) ? key : {};
  } catch {
    return {};
  }
}
