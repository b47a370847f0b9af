import { ApiObject, ApiObjectMetadataDefinition, JsonPatch } from 'cdk8s';
import type { IResolver } from 'cdk8s';
import type { KubeObject } from '../../kube/object.ts';
import { Resolution, scalarOf } from './resolution.ts';

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
 * gives them. An overridden `toJson()` finds those of the app by itself.
 *
 * Throws an Error that names the construct, in the words of cdk8s, when a value is not plain data.
 * That includes what cdk8s lets through although no manifest can say it: NaN, infinities, bigints,
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

/** An overridden `toJson()` may look at anything of its object, so nothing else can stand in for it. */
function renderOverridden(object: ApiObject): unknown {
  const result: unknown = sorted(() => object.toJson());
  try {
    return plain(result);
  } catch (cause) {
    throw failed(object, cause);
  }
}

/**
 * What the writer of YAML expects: null for an absent element of an array, and no scalar but those of
 * JSON. Objects of classes stay what they are, for the writer to refuse.
 */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return Array.from(value, (element) => plain(element) ?? null);
  if (typeof value !== 'object') return scalarOf(value);
  if (!isDictionary(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

/** Whether an object is of no class, from whatever realm. */
function isDictionary(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
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
