import {
  ApiObject,
  ApiObjectMetadataDefinition,
  JsonPatch,
  ImplicitTokenResolver,
  Lazy,
  LazyResolver,
  NumberStringUnionResolver,
  ResolutionContext,
  type IResolver,
} from 'cdk8s';
import type { KubeObject } from '@tenantry/kube/object';

/**
 * The private fields of cdk8s that rendering needs, named only here. A test fails when a release of
 * cdk8s renames one.
 */
interface PrivateApiObject {
  readonly props: Readonly<Record<string, unknown>>;
  readonly patches: readonly JsonPatch[];
}
interface PrivateMetadata {
  readonly _additionalAttributes: Readonly<Record<string, unknown>>;
  readonly annotations: unknown;
  readonly finalizers: unknown;
  readonly ownerReferences: unknown;
  readonly labels: unknown;
}

type Fields = Record<string, unknown>;

/**
 * Renders an object like `object.toJson()`: resolved, without null and undefined fields, JSON
 * patches applied. Keys are sorted, with apiVersion, kind and metadata first. An overridden
 * `toJson()` is called.
 *
 * Two differences are intended. Keys are sorted even with CDK8S_DISABLE_SORT. An absent element of
 * an array is null rather than undefined, which gives the same YAML.
 *
 * `resolvers` are those of the app. They see each value in the same order and under the same key as
 * in cdk8s. An overridden `toJson()` finds the resolvers of the app by itself.
 *
 * Throws an Error that names the construct, with the wording of cdk8s, when a value is not plain
 * data. Unlike cdk8s, that includes values that no manifest can hold: NaN, infinities, bigints,
 * functions and symbols.
 */
export function renderObject(object: ApiObject, resolvers: readonly IResolver[]): KubeObject {
  const isOverridden = object.toJson !== ApiObject.prototype.toJson;
  const result = isOverridden ? renderOverridden(object) : renderPlain(object, resolvers);
  if (typeof result !== 'object' || result === null) {
    throw failed(object, `toJson() must return an object, got ${String(result)}`);
  }
  return result as KubeObject;
}

function renderPlain(object: ApiObject, resolvers: readonly IResolver[]): Fields {
  try {
    const { props, patches } = object as unknown as PrivateApiObject;
    const resolution = new Resolution(object, resolvers);
    const metadata = renderMetadata(object, resolution);
    const document = resolution.document(props, metadata);
    return headFirst(patches.length > 0 ? JsonPatch.apply(document, ...patches) : document);
  } catch (cause) {
    throw failed(object, cause);
  }
}

function renderMetadata(object: ApiObject, resolution: Resolution): unknown {
  const { metadata } = object;
  if (metadata.toJson !== ApiObjectMetadataDefinition.prototype.toJson) return metadata.toJson();
  const { _additionalAttributes, annotations, finalizers, ownerReferences, labels } =
    metadata as unknown as PrivateMetadata;
  return resolution.metadata({
    ..._additionalAttributes,
    name: metadata.name,
    namespace: metadata.namespace,
    annotations,
    finalizers,
    ownerReferences,
    labels,
  });
}

const HEAD = ['apiVersion', 'kind', 'metadata'];

function headFirst(document: Fields): Fields {
  const result: Fields = {};
  for (const key of HEAD) if (key in document) result[key] = document[key];
  for (const key of Object.keys(document)) result[key] = document[key];
  return result;
}

function failed(object: ApiObject, cause: unknown): Error {
  return new Error(
    `Failed serializing construct at path '${object.node.path}' with name '${object.name}': ${String(cause)}`,
    { cause },
  );
}

/** An overridden `toJson()` may read anything of its object, so it needs the real object. */
function renderOverridden(object: ApiObject): unknown {
  const result: unknown = sorted(() => object.toJson());
  try {
    return plain(result);
  } catch (cause) {
    throw failed(object, cause);
  }
}

/**
 * Converts values for the YAML writer: null for an absent array element, and only scalars of JSON.
 * Instances of classes stay as they are, and the writer refuses them.
 */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return Array.from(value, (element) => plain(element) ?? null);
  if (typeof value !== 'object') return toScalar(value);
  if (!isDictionary(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

/** Whether an object is a plain object, from any realm. */
function isDictionary(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Disables CDK8S_DISABLE_SORT for one call, since cdk8s reads it at each call. */
function sorted<T>(render: () => T): T {
  const ambient = process.env.CDK8S_DISABLE_SORT;
  if (ambient === undefined) return render();
  delete process.env.CDK8S_DISABLE_SORT;
  try {
    return render();
  } finally {
    process.env.CDK8S_DISABLE_SORT = ambient;
  }
}

const BUILT_IN = [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver];

/**
 * Resolves and sanitizes the values of one object in one walk, with the result of cdk8s' resolve()
 * followed by sanitizeValue(). Producers run in the order in which the fields were declared.
 *
 * The three resolvers that every App ends with are built into the walk. Others are called for each
 * value with its key, before the built-in ones.
 */
class Resolution {
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
        return this.#builtIn && isToken(value) ? this.#walk(value.resolve()) : toScalar(value);
      default:
        return toScalar(value);
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
function toScalar(value: unknown): unknown {
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
