import { versionsOf, type Definition } from './definition.ts';
import { errorAt } from '../kube/finding.ts';
import { show } from '../kube/problem.ts';
import { isMapping } from '../kube/mapping.ts';
import { admitValue, type Admission } from '../schema/admission.ts';

/**
 * What the API server does to an object of a kind before it stores it: `admitValue` with the schema of
 * the version that the object names.
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
 */
export function admitObject(
  definition: Definition,
  object: unknown,
  { oldObject }: { readonly oldObject?: unknown } = {},
): Admission {
  const { kind, scope } = definition;
  const served = versionsOf(definition).filter((version) => version.served);
  const named = isMapping(object) ? object['apiVersion'] : undefined;
  const version = served.find(({ apiVersion }) => apiVersion === named);
  if (!version) {
    const known = served.map(({ apiVersion }) => apiVersion).join(' or ');
    const message = `must be ${known || 'a version that is served'}, got ${show(named)}`;
    const errors = [errorAt(['apiVersion'], message, 'kind')];
    return { value: object, pruned: [], errors, warnings: [], notChecked: [] };
  }
  const root = { apiVersion: version.apiVersion, kind, scope };
  return admitValue(version.schema, object, {
    root,
    ...(oldObject !== undefined && { oldValue: oldObject }),
  });
}
