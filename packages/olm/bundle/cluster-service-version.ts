import { dropNulls } from '@tenantry/crd/schema/admission';
import { builtinSchema } from '@tenantry/crd/schema/builtin-object';
import { anyObject, enumOf, object, required, type Schema } from '@tenantry/crd/schema/language';
import { compileSchema } from '@tenantry/crd/schema/validator';
import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { spec } from './csv/spec.ts';
import type { ClusterServiceVersionSpec } from './csv/types.ts';

export type * from './csv/types.ts';

/**
 * The ClusterServiceVersion of operators.coreos.com/v1alpha1 as a bundle contains it: everything that its author
 * writes, without the status.
 *
 * Source: https://olm.operatorframework.io/docs/concepts/crds/clusterserviceversion/
 */
export interface ClusterServiceVersion {
  readonly apiVersion: 'operators.coreos.com/v1alpha1';
  readonly kind: 'ClusterServiceVersion';
  readonly metadata: {
    /** Such as `redis-operator.v1.2.3`: it names the bundle in a catalog. */
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: ClusterServiceVersionSpec;
}

export const CSV_KIND = 'ClusterServiceVersion';
const CSV_API_VERSION = 'operators.coreos.com/v1alpha1';

const metadata: Schema<ClusterServiceVersion['metadata']> = {
  ...builtinSchema('ObjectMeta'),
  required: ['name'],
};

/** The schema of a whole document, with its optional and required fields. */
export const clusterServiceVersion = object('What OLM knows of a version of an operator.', {
  apiVersion: required(enumOf('The version of the API.', [CSV_API_VERSION])),
  kind: required(enumOf('The kind.', [CSV_KIND])),
  metadata: required(metadata),
  spec: required(spec),
  status: anyObject('What OLM writes; nobody else does.'),
});

/**
 * Validates a ClusterServiceVersion as an API server does under strict field validation, after OLM has decoded it.
 * Reports unknown fields, each with the nearest known one, values of wrong types, and missing required fields. A
 * missing text, number or flag is no error, because OLM writes it as an empty value. Also reports what OLM finds later:
 * values outside an enumeration.
 */
export function clusterServiceVersionErrors(value: unknown): readonly Finding[] {
  const whole = dropNulls(clusterServiceVersion, value);
  const { errors } = compileSchema(clusterServiceVersion).check(whole);
  return errors.filter(({ rule, path }) => rule !== 'required' || !isFilledIn(path));
}

/** Whether the missing value at a path has a type for which Go has an empty value. */
function isFilledIn(path: Path): boolean {
  let schema: JSONSchemaProps | undefined = clusterServiceVersion;
  for (const part of path) {
    schema = typeof part === 'number' ? schema?.items : schema?.properties?.[part];
  }
  const { type = '', enum: words } = schema ?? {};
  return ['string', 'boolean', 'integer'].includes(type) && words === undefined && path.length > 2;
}
