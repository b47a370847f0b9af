import {
  ImplicitTokenResolver,
  Lazy,
  LazyResolver,
  NumberStringUnionResolver,
  ResolutionContext,
} from 'cdk8s';
import type { ApiObject, IResolver } from 'cdk8s';

type Fields = Record<string, unknown>;

const BUILT_IN = [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver];

/**
 * Resolves and sanitizes the values of one object in one walk, with the result of cdk8s' resolve()
 * followed by sanitizeValue(). Producers run in the order in which the fields were declared.
 *
 * The three resolvers that every App ends with are built into the walk. Others are called for each
 * value with its key, before the built-in ones.
 */
export class Resolution {
  readonly #object: ApiObject;
  readonly #custom: readonly IResolver[];
  readonly #builtIn: boolean;
  readonly #key: string[] = [];
  /** Whether empty arrays and maps are dropped, as they are in metadata only. */
  #compact = false;

  constructor(object: ApiObject, resolvers: readonly IResolver[]) {
    const ours = resolvers.length - BUILT_IN.length;
    this.#object = object;
    this.#builtIn = BUILT_IN.every((type, i) => resolvers[ours + i]?.constructor === type);
    this.#custom = this.#builtIn ? resolvers.slice(0, ours) : resolvers;
  }

  /** The metadata of an object. Its keys start at the metadata, not at the object. */
  metadata(fields: Fields): unknown {
    this.#compact = true;
    try {
      return this.#walk(fields);
    } finally {
      this.#compact = false;
    }
  }

  /**
   * The whole object, its metadata already rendered. cdk8s resolves metadata a second time here,
   * which only custom resolvers can notice.
   */
  document(props: Fields, metadata: unknown): Fields {
    const data: Fields = { ...props, metadata };
    if (this.#custom.length === 0 && typeof data['resolve'] !== 'function') {
      data['metadata'] = undefined;
      const document = this.#map(data) ?? {};
      if (metadata !== undefined) document['metadata'] = metadata;
      return document;
    }
    return this.#walk(data) as Fields;
  }

  #walk(value: unknown): unknown {
    if (value === null || value === undefined) return undefined;
    if (this.#custom.length > 0) {
      const context = this.#replaced(value);
      if (context !== undefined) return this.#walk(context.replacedValue);
    }
    switch (typeof value) {
      case 'object':
        return Array.isArray(value) ? this.#array(value) : this.#dictionary(value);
      case 'function':
        return this.#builtIn && isToken(value) ? this.#walk(value.resolve()) : scalarOf(value);
      default:
        return scalarOf(value);
    }
  }

  #replaced(value: unknown): ResolutionContext | undefined {
    const context = new ResolutionContext(this.#object, [...this.#key], value);
    for (const resolver of this.#custom) {
      resolver.resolve(context);
      if (context.replaced) return context;
    }
    return undefined;
  }

  #array(values: readonly unknown[]): unknown {
    if (this.#builtIn && isToken(values)) return this.#walk(values.resolve());
    if (this.#compact && values.length === 0) return undefined;
    const result: unknown[] = [];
    for (let i = 0; i < values.length; i++) {
      if (this.#custom.length > 0) this.#key.push(String(i));
      result.push(this.#walk(values[i]) ?? null);
      if (this.#custom.length > 0) this.#key.pop();
    }
    return result;
  }

  #dictionary(value: object): unknown {
    if (this.#builtIn) {
      if (value instanceof Lazy) return this.#walk(value.produce());
      if (isToken(value)) return this.#walk(value.resolve());
      if (value.constructor !== Object && isUnion(value)) return this.#walk({ value: value.value });
    }
    const type: unknown = value.constructor;
    if (type !== Object && (typeof type !== 'function' || type.name !== 'Object')) {
      throw new Error(
        `can't render non-simple object of type '${typeof type === 'function' ? type.name : String(type)}'`,
      );
    }
    return this.#map(value as Fields);
  }

  #map(fields: Fields): Fields | undefined {
    const keys = Object.keys(fields);
    const values: unknown[] = [];
    let sorted = true;
    for (const key of keys) {
      if (this.#custom.length > 0) this.#key.push(key);
      const value = this.#walk(fields[key]);
      if (this.#custom.length > 0) this.#key.pop();
      if (value === undefined) continue;
      // keys that are kept move to the front
      const at = values.push(value) - 1;
      keys[at] = key;
      if (at > 0 && key < keys[at - 1]!) sorted = false;
    }
    if (this.#compact && values.length === 0) return undefined;
    if (!sorted) sortTogether(keys, values);
    const result: Fields = {};
    for (let i = 0; i < values.length; i++) result[keys[i]!] = values[i];
    return result;
  }
}

/** The value itself. Throws for what is no string, boolean or finite number. */
export function scalarOf(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new Error(`can't render the number ${value}`);
    default:
      throw new Error(`can't render a ${typeof value}`);
  }
}

/** Sorts the first keys, as many as there are values, and the values with them. */
function sortTogether(keys: string[], values: unknown[]): void {
  if (values.length > 16) {
    const byKey = new Map(values.map((value, i) => [keys[i]!, value]));
    for (const [i, key] of [...byKey.keys()].toSorted().entries()) {
      keys[i] = key;
      values[i] = byKey.get(key);
    }
    return;
  }
  for (let i = 1; i < values.length; i++) {
    const key = keys[i]!;
    const value = values[i];
    let at = i;
    for (; at > 0 && key < keys[at - 1]!; at--) {
      keys[at] = keys[at - 1]!;
      values[at] = values[at - 1];
    }
    keys[at] = key;
    values[at] = value;
  }
}

function isToken(value: object): value is { resolve(): unknown } {
  return typeof (value as { resolve?: unknown }).resolve === 'function';
}

function isUnion(value: object): value is { value: number | string } {
  const held = (value as { value?: unknown }).value;
  return typeof held === 'number' || typeof held === 'string';
}
