import type { Json } from '@tenantry/kube/object';

/**
 * A schema as the API server accepts it: every field of `JSONSchemaProps` of apiextensions.k8s.io/v1, under its own
 * name. It includes fields that the API server refuses (`$ref`, `patternProperties` ...), so that they can be read and
 * reported.
 *
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/#JSONSchemaProps
 */
export interface JSONSchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly example?: Json;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly items?: JSONSchemaProps;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JSONSchemaProps | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];

  // Declared in the type, but refused by the API server.
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly dependencies?: Readonly<Record<string, JSONSchemaProps | readonly string[]>>;
  readonly additionalItems?: JSONSchemaProps | boolean;
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>>;
}

/** A CEL rule of a CustomResourceDefinition: one entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** CEL over `self`, and over `oldSelf` where the old value is known. */
  readonly rule: string;
  /** The error message for a value that breaks the rule. One line. @default - the rule itself */
  readonly message?: string;
  /** CEL that computes the error message. @default - `message`, which is also the fallback if it fails */
  readonly messageExpression?: string;
  /** The reason of the error. @default FieldValueInvalid */
  readonly reason?:
    'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** The field below `self` that the error names, such as `.spec.replicas`. @default - `self` */
  readonly fieldPath?: string;
  /** Whether `oldSelf` is an optional value, so that the rule also applies on creation. @default false */
  readonly optionalOldSelf?: boolean;
}

/** Returns the schema of a field: its own, or that of all undeclared fields; undefined if there is none. */
export function schemaOfField(
  { properties, additionalProperties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  const field =
    properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return typeof field === 'object' ? field : undefined;
}
