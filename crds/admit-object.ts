import { versionsOf, type Definition } from './definition.ts';
import { schemaWithStoredDefaults } from './conversion/stored-defaults.ts';
import { errorAt, type Verdict } from '../kube/finding.ts';
import { show } from '../kube/problem.ts';
import { isMapping } from '../kube/mapping.ts';
import type { KubeObject } from '../kube/object.ts';
import {
  admitValue,
  applyDefaultsInLists,
  buildUnknownFieldErrors,
  type Admission,
} from '../schema/admission.ts';
import { dropMisspelledRequired } from '../schema/misspelt.ts';

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
 * import { admitObject } from 'tenantry/crd';
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
  const served = versionsOf(definition).filter((version) => version.served);
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
  const version = versionsOf(definition).find(({ apiVersion }) => apiVersion === named);
  const unknown = version ? buildUnknownFieldErrors(version.schema, pruned) : [];
  return { errors: [...dropMisspelledRequired([...errors, ...unknown])], warnings, notChecked };
}

/** Fills in list defaults, as the author of a server-side apply reads the object back (`applyDefaultsInLists`). */
export function fillListDefaults(definition: Definition, object: KubeObject): KubeObject {
  const { apiVersion } = object;
  const version = versionsOf(definition).find((one) => one.apiVersion === apiVersion);
  if (!version) return object;
  const schema = schemaWithStoredDefaults(definition, version);
  return applyDefaultsInLists(schema, object) as KubeObject;
}
