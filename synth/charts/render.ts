import { ApiObject, ApiObjectMetadataDefinition, JsonPatch } from 'cdk8s';
import type { IResolver } from 'cdk8s';
import type { KubeObject } from '../../kube/object.ts';
import { Resolution } from './resolution.ts';

/**
 * What cdk8s keeps private and rendering needs. The only place that names these fields; a test fails
 * when a release of cdk8s renames one.
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
 * What `object.toJson()` gives: resolved, without null and undefined fields, keys sorted, JSON
 * patches applied, apiVersion, kind and metadata first. An overridden `toJson()` is called.
 *
 * Two differences, both on purpose: keys are sorted whatever CDK8S_DISABLE_SORT says, and an absent
 * element of an array is null rather than undefined (the YAML is the same).
 *
 * `resolvers` are those of the app. They see each value in the order and under the key that cdk8s
 * gives them.
 *
 * Throws an Error that names the construct, in the words of cdk8s, when a value is not plain data.
 * That includes what cdk8s lets through although no manifest can say it: NaN, infinities, bigints,
 * functions and symbols.
 */
export function renderObject(object: ApiObject, resolvers: readonly IResolver[]): KubeObject {
  const result = overridesToJson(object)
    ? renderOverridden(object, resolvers)
    : renderPlain(object, resolvers);
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

function overridesToJson(object: ApiObject): boolean {
  return object.toJson !== ApiObject.prototype.toJson;
}

/**
 * An overriding `toJson()` calls `super.toJson()`, the slow one, on its receiver. When no override in
 * the chain can see its receiver (generated classes only convert what super gives them), it is called
 * on a stand-in whose super.toJson() finds everything done. Every other override runs on the object
 * itself, with the resolvers of its app and at the speed of cdk8s.
 */
function renderOverridden(object: ApiObject, resolvers: readonly IResolver[]): unknown {
  return onlyConverts(object)
    ? object.toJson.call(standIn(object, renderPlain(object, resolvers)))
    : sorted(() => object.toJson());
}

/**
 * Something on which ApiObject's own `toJson()` gives `rendered`. Its one resolver replaces the document
 * by a function that has the fields of `rendered`: cdk8s neither resolves nor sanitizes the insides of
 * a function, and copies its fields like those of any object.
 */
function standIn(object: ApiObject, rendered: Fields): object {
  const carrier = () => {};
  for (const key of Object.keys(rendered)) {
    // a function has a name and a length, which would otherwise keep their place
    if (key === 'name' || key === 'length') Reflect.deleteProperty(carrier, key);
    const value = rendered[key];
    Object.defineProperty(carrier, key, { value, enumerable: true, configurable: true });
  }
  const carry: IResolver = {
    resolve(context) {
      if (context.value !== carrier) context.replaceValue(carrier);
    },
  };
  return {
    name: object.name,
    node: { path: object.node.path },
    props: {},
    metadata: { toJson: () => undefined },
    patches: [],
    resolvers: [carry],
  };
}

const converters = new WeakMap<object, boolean>();

/** True when every `toJson` above ApiObject's uses its receiver for `super.toJson()` alone. */
function onlyConverts(object: ApiObject): boolean {
  if (Object.hasOwn(object, 'toJson')) return false;
  const prototype = Object.getPrototypeOf(object) as object;
  let known = converters.get(prototype);
  if (known === undefined) {
    known = chainOnlyConverts(prototype);
    converters.set(prototype, known);
  }
  return known;
}

function chainOnlyConverts(first: object): boolean {
  for (
    let at: object | null = first;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    if (at === ApiObject.prototype) return true;
    const own: unknown = Object.getOwnPropertyDescriptor(at, 'toJson')?.value;
    if (own === undefined && !Object.hasOwn(at, 'toJson')) continue;
    if (typeof own !== 'function' || !ignoresReceiver(Function.prototype.toString.call(own)))
      return false;
  }
  return false;
}

/** A method sees its receiver through `this`, `super` or code made of text; nothing else. */
function ignoresReceiver(source: string): boolean {
  const rest = source.replaceAll('super.toJson()', '');
  return !/\b(this|super|eval)\b|\[native code\]/.test(rest);
}

/** CDK8S_DISABLE_SORT is read inside cdk8s, at each call: away for the length of this one. */
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
