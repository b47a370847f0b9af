import type {
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../custom-resource-definition.ts';
import type { Change } from '../../compatibility/change.ts';
import { compareDefinitions } from '../../compatibility/definitions.ts';
import { compareSchemas } from '../../compatibility/schemas.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** The schema of an object whose spec is this one. */
export const whole = (spec: JSONSchemaProps): JSONSchemaProps => ({
  type: 'object',
  properties: { spec },
});

/** The schema of an object whose spec has one field, `x`. */
export const withX = (x: JSONSchemaProps): JSONSchemaProps =>
  whole({ type: 'object', properties: { x } });

export function version(
  name: string,
  props: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion {
  const schema = { openAPIV3Schema: withX({ type: 'string' }) };
  return { name, served: true, storage: false, schema, ...props };
}

export const stored = (
  name: string,
  props: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion => version(name, { storage: true, ...props });

/** The definition of Redis. */
export function redis(
  versions: readonly CustomResourceDefinitionVersion[] = [stored('v1')],
  spec: Partial<CustomResourceDefinitionSpec> = {},
): CustomResourceDefinitionManifest {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'redises.cache.example.com' },
    spec: {
      group: 'cache.example.com',
      names: { kind: 'Redis', plural: 'redises' },
      scope: 'Namespaced',
      versions,
      ...spec,
    },
  };
}

/** `breaking maximum .spec.x`, a line for each change. */
export const lines = (changes: readonly Change[]): string[] =>
  changes.map(({ verdict, rule, version, path }) =>
    [verdict, rule, version, path].filter(Boolean).join(' '),
  );

/** What changes of a field make, without where it is. */
export const ofField = (before: JSONSchemaProps, after: JSONSchemaProps): string[] =>
  compareSchemas(withX(before), withX(after)).map(({ verdict, rule }) => `${verdict} ${rule}`);

export const ofSchemas = (before: JSONSchemaProps, after: JSONSchemaProps): string[] =>
  lines(compareSchemas(before, after));

export const ofDefinitions = (...given: Parameters<typeof compareDefinitions>): string[] =>
  lines(compareDefinitions(...given));
