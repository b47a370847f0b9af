import type fc from 'fast-check';
import { versionOf, type Definition, type Schemas } from '../definition.ts';
import type { KubeObject } from '../../kube/object.ts';
import { wholeObject } from '../sample-object.ts';
import { arbitraryValue } from '../../schema/arbitrary.ts';

const texts = { type: 'string', maxLength: 20 } as const;

const dnsLabel = {
  type: 'string',
  pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
  maxLength: 30,
} as const;

/**
 * Whole objects of a version of a kind, valid as `arbitraryValue` makes them, with the metadata that the
 * API server gives to every object and with some labels and annotations.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { admitObject } from 'tenantry/crd';
 * import { arbitraryObject } from 'tenantry/testing';
 * import { redis } from './redis.ts';
 *
 * const isKept = (object: unknown): boolean => admitObject(redis, object).pruned.length === 0;
 * fc.assert(fc.property(arbitraryObject(redis, 'v1'), isKept), { numRuns: 20 });
 * ```
 */
export function arbitraryObject<S extends Schemas>(
  definition: Definition<S>,
  version: keyof S & string,
): fc.Arbitrary<KubeObject> {
  const metadata = {
    name: dnsLabel,
    ...(definition.scope === 'Namespaced' && { namespace: dnsLabel }),
    uid: { type: 'string', format: 'uuid' },
    labels: { type: 'object', properties: { app: dnsLabel, 'example.com/part-of': dnsLabel } },
    annotations: { type: 'object', properties: { 'example.com/note': texts } },
  };
  const schema = wholeObject(definition.kind, versionOf(definition, version), metadata);
  return arbitraryValue(schema) as unknown as fc.Arbitrary<KubeObject>;
}
