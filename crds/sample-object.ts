import { versionOf, type Definition, type Schemas } from './definition.ts';
import { DNS_LABEL } from '../kube/names.ts';
import type { KubeObject } from '../kube/object.ts';
import { sampleValue } from '../schema/sample.ts';
import { wholeObject } from './sampleobject/whole-object.ts';

/**
 * An object of a version that the API server accepts, always the same: what a person would declare,
 * without a status. Fields are filled in as `sampleValue` does.
 *
 * @example
 * ```ts
 * import { sampleObject } from 'tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * console.log(sampleObject(redis, 'v1')['spec']); // { image: 'redis:8' }
 * const full = sampleObject(redis, 'v1', { full: true });
 * console.log(full['spec']); // { image: 'redis:8', replicas: 1 }
 * ```
 *
 * @param options.full every field once, instead of those that have to be there. @default false
 * @throws {Error} where the definition has no such version
 * @throws {NoSample} where no valid value is found for a field: an `example` there helps
 */
export function sampleObject<S extends Schemas>(
  definition: Definition<S>,
  version: keyof S & string,
  options: { readonly full?: boolean } = {},
): KubeObject {
  const { kind } = definition;
  const name = {
    type: 'string',
    pattern: DNS_LABEL,
    maxLength: 63,
    example: `${kind.toLowerCase()}-sample`,
  };
  const {
    properties = {},
    required = [],
    ...rest
  } = wholeObject(kind, versionOf(definition, version), { name });
  const { status: _, ...declared } = properties;
  const fields = required.filter((field) => field !== 'status');
  const schema = { ...rest, required: fields, properties: declared };
  return sampleValue(schema, options) as unknown as KubeObject;
}
