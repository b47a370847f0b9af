import { listVersions, type Definition, type Version } from './definition.ts';
import { errorAt, type Verdict } from '@tenantry/kube/finding';
import { show } from '@tenantry/kube/problem';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import {
  admitValue,
  applyDefaultsInLists,
  buildUnknownFieldErrors,
  type Admission,
  pruneValue,
} from './schema/admission.ts';
import { dropMisspelledRequired } from './schema/validate.ts';
import type { JSONSchemaProps } from './schema/json-schema.ts';

/**
 * Returns what the API server does to an object of a kind before it stores the object. It is
 * `admitValue` with the schema of the version that the object names.
 *
 * If the version has the status subresource, a new object is stored without its status, and an
 * update leaves the status unchanged. Use `subresource` to check what a controller writes to the
 * status.
 *
 * @example
 * ```ts
 * import { admitObject } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const { pruned, value } = admitObject(redis, {
 *   apiVersion: 'cache.example.com/v1',
 *   kind: 'Redis',
 *   metadata: { name: 'sessions' },
 *   spec: { image: 'redis:8', color: 'red' },
 * });
 * console.log(pruned); // [ [ 'spec', 'color' ] ]
 * console.log((value as { spec: object }).spec); // { image: 'redis:8', replicas: 1 }
 * ```
 *
 * @param oldObject the object that is stored now, where it is an update, in the same version
 * @param subresource `status`, where the object is written to that; all but its status is then
 * taken from `oldObject`, or for what is stored where there is none
 */
export function admitObject(
  definition: Definition,
  object: unknown,
  {
    oldObject,
    subresource,
  }: { readonly oldObject?: unknown; readonly subresource?: 'status' } = {},
): Admission {
  const { kind, scope } = definition;
  const served = listVersions(definition).filter((version) => version.served);
  const named = isMapping(object) ? object['apiVersion'] : undefined;
  const version = served.find(({ apiVersion }) => apiVersion === named);
  const refused = (field: string, message: string): Admission => {
    const errors = [errorAt([field], message, 'kind')];
    return { value: object, pruned: [], errors, warnings: [], notChecked: [] };
  };
  if (!version) {
    const known = served.map(({ apiVersion }) => apiVersion).join(' or ');
    const must = known || 'a version that is served';
    return refused('apiVersion', `must be ${must}, got ${show(named)}`);
  }
  const { status = false } = version.subresources;
  if (subresource === 'status' && !status) {
    const must = 'must be written with the object';
    return refused('status', `${must}: ${version.name} has no status subresource`);
  }
  const root = { apiVersion: version.apiVersion, kind, scope, status };
  return admitValue(version.schema, object, {
    root,
    ...(oldObject !== undefined && { oldValue: oldObject }),
    ...(subresource && { subresource }),
  });
}

/**
 * Validates a new object as the API server does with strict field validation, which `kubectl apply`
 * requests. A field that the version does not declare is an error. A required field that is missing
 * because it is misspelled is reported once, where the misspelled field is.
 */
export function admitStrictly(definition: Definition, object: unknown): Verdict {
  const { pruned, errors, warnings, notChecked } = admitObject(definition, object);
  const named = isMapping(object) ? object['apiVersion'] : undefined;
  const version = listVersions(definition).find(({ apiVersion }) => apiVersion === named);
  const unknown = version ? buildUnknownFieldErrors(version.schema, pruned) : [];
  return { errors: [...dropMisspelledRequired([...errors, ...unknown])], warnings, notChecked };
}

/** Fills in list defaults, as the author of a server-side apply reads the object back (`applyDefaultsInLists`). */
export function fillListDefaults(definition: Definition, object: KubeObject): KubeObject {
  const { apiVersion } = object;
  const version = listVersions(definition).find((one) => one.apiVersion === apiVersion);
  if (!version) return object;
  const schema = schemaWithStoredDefaults(definition, version);
  return applyDefaultsInLists(schema, object) as KubeObject;
}

const known = new WeakMap<Version, JSONSchemaProps>();

/**
 * Returns the schema of a version with all defaults that its objects get. They include the storage
 * version's own defaults for fields of both versions, because stored objects get those before they
 * are converted.
 *
 * With a webhook, the result is the schema of the version itself: the conversion of a field is
 * unknown.
 *
 * Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver (crdConversionRESTOptionsGetter)
 */
function schemaWithStoredDefaults(definition: Definition, version: Version): JSONSchemaProps {
  const storage = listVersions(definition).find((one) => one.storage);
  const isConverted = (definition.conversion?.strategy ?? 'None') !== 'None';
  if (version.storage || isConverted || !storage) return version.schema;
  const schema = known.get(version) ?? addDefaults(storage.schema, version.schema);
  known.set(version, schema);
  return schema;
}

/** A schema with the defaults of another one, where it has none itself. */
function addDefaults(other: JSONSchemaProps, schema: JSONSchemaProps): JSONSchemaProps {
  const { properties, additionalProperties, items } = schema;
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, field, entryOf(other.properties, name)] as const,
  );
  const entries = fields.map(([name, field, its]) => [name, its ? defaulted(its, field) : field]);
  const keys = other.additionalProperties;
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(entries) as typeof properties }),
    ...(typeof additionalProperties === 'object' &&
      typeof keys === 'object' && { additionalProperties: defaulted(keys, additionalProperties) }),
    ...(items && other.items && { items: defaulted(other.items, items) }),
  };
}

/** On reading, the API server prunes the part of the default that the version does not declare. */
function defaulted(other: JSONSchemaProps, schema: JSONSchemaProps): JSONSchemaProps {
  const filled = addDefaults(other, schema);
  const own = schema.default ?? undefined;
  const its = other.default ?? undefined;
  if (own !== undefined || its === undefined) return filled;
  return { ...filled, default: pruneValue(schema, its).value as typeof its };
}
