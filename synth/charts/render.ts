import { ApiObject, ApiObjectMetadataDefinition, JsonPatch } from 'cdk8s';
import type { IResolver } from 'cdk8s';
import type { KubeObject } from '../../kube/object.ts';
import { Resolution, scalarOf } from './resolution.ts';

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
  if (typeof value !== 'object') return scalarOf(value);
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
