import type { Definition, Schemas } from '../definition.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import type { Input, Static } from '../schema/language.ts';

/** An object of a version as a conversion gets it: with defaults filled in, as the API server does. */
export type ObjectOf<S extends JSONSchemaProps> = KubeObject & Omit<Static<S>, 'metadata'>;

/** The result of a conversion: the fields of the other version. */
export type Converted<S extends JSONSchemaProps> = Omit<
  Input<S>,
  'apiVersion' | 'kind' | 'metadata'
> & {
  /** The metadata that a conversion may change. @default - labels and annotations stay unchanged */
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
};

/** The conversions of one version to the hub and back: two pure functions. */
export interface Spoke<Hub extends JSONSchemaProps, Other extends JSONSchemaProps> {
  toHub(object: ObjectOf<Other>): Converted<Hub>;
  fromHub(object: ObjectOf<Hub>): Converted<Other>;
  /**
   * Fields, such as `spec.tolerations`, that only one of the two versions can represent.
   * What is lost of them on the way is kept in an annotation, and put back on the way back, unless
   * what the conversion makes of that field has changed meanwhile. @default - nothing is kept
   */
  readonly keep?: 'everything' | readonly string[];
}

/** The conversions between the versions of a kind. */
export interface Conversions<S extends Schemas = Schemas, Hub extends keyof S = keyof S> {
  readonly definition: Definition<S>;
  /** The version through which every conversion goes. */
  readonly hub: Hub & string;
  readonly spokes: Spokes<S, Hub>;
}

/** One pair of conversions for each version except the hub. */
export type Spokes<S extends Schemas, Hub extends keyof S> = {
  readonly [V in Exclude<keyof S, Hub>]: Spoke<S[Hub], S[V]>;
};

/**
 * Declares how the versions of a kind become each other: every version is converted to one of them,
 * the hub, and from it, so that n versions need n - 1 pairs of functions. The version that is stored
 * is the best hub: an object is then converted at most once for each request.
 *
 * @example
 * ```ts
 * import { conversions, define } from '@tenantry/crd';
 * import { integer, object, required } from '@tenantry/crd/schema';
 *
 * const box = define({
 *   group: 'example.com',
 *   kind: 'Box',
 *   plural: 'boxes',
 *   scope: 'Namespaced',
 *   versions: {
 *     v1: {
 *       schema: object('A box.', {
 *         spec: required(object('', { width: required(integer('How wide.')) })),
 *       }),
 *       storage: true,
 *     },
 *     v1beta1: {
 *       schema: object('A box.', {
 *         spec: required(object('', { size: required(integer('How wide.')) })),
 *       }),
 *     },
 *   },
 * });
 *
 * export const boxConversions = conversions(box, 'v1', {
 *   v1beta1: {
 *     toHub: ({ spec }) => ({ spec: { width: spec.size } }),
 *     fromHub: ({ spec }) => ({ spec: { size: spec.width } }),
 *   },
 * });
 * ```
 *
 * @throws {Error} where a version has no conversions, conversions are for no version, or a field to
 * be kept is of neither version
 */
export function conversions<S extends Schemas, const Hub extends keyof S & string>(
  definition: Definition<S>,
  hub: Hub,
  spokes: Spokes<S, Hub>,
): Conversions<S, Hub> {
  const known = Object.keys(definition.versions);
  const must = `The conversions of ${definition.kind} must`;
  if (!known.includes(hub)) {
    throw new Error(`${must} have one of its versions as the hub, ${known.join(', ')}; got ${hub}`);
  }
  for (const version of known) {
    if (version === hub || Object.hasOwn(spokes, version)) continue;
    throw new Error(`${must} say how ${version} becomes ${hub}, got nothing for ${version}`);
  }
  for (const version of Object.keys(spokes)) {
    if (version !== hub && known.includes(version)) continue;
    const others = known.filter((name) => name !== hub).join(', ');
    throw new Error(`${must} be for ${others || 'no other version'}, got some for ${version}`);
  }
  for (const [version, { keep }] of Object.entries<Spoke<JSONSchemaProps, JSONSchemaProps>>(
    spokes,
  )) {
    const either = [hub, version].map((name) => definition.versions[name]!.schema);
    for (const field of keep === 'everything' ? [] : (keep ?? [])) {
      if (either.some((schema) => isField(schema, field))) continue;
      throw new Error(`${must} keep fields of ${hub} or ${version}, got '${field}'`);
    }
  }
  return { definition, hub, spokes };
}

/** Returns whether a version may have a field, such as `spec.ports.name` of the items of a list. */
function isField(schema: JSONSchemaProps, field: string): boolean {
  const { properties = {}, additionalProperties, items } = schema;
  if (items) return isField(items, field);
  if (additionalProperties || schema['x-kubernetes-preserve-unknown-fields']) return true;
  return Object.entries(properties).some(
    ([name, inner]) =>
      field === name ||
      (field.startsWith(`${name}.`) && isField(inner, field.slice(name.length + 1))),
  );
}
