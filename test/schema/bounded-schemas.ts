import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** Without a bound: as many characters as a request can hold. */
export const text = (maxLength?: number, more: JSONSchemaProps = {}): JSONSchemaProps => ({
  type: 'string',
  ...(maxLength !== undefined && { maxLength }),
  ...more,
});

export const list = (items: JSONSchemaProps, maxItems?: number): JSONSchemaProps => ({
  type: 'array',
  items,
  ...(maxItems !== undefined && { maxItems }),
});

export const map = (values: JSONSchemaProps, maxProperties?: number): JSONSchemaProps => ({
  type: 'object',
  additionalProperties: values,
  ...(maxProperties !== undefined && { maxProperties }),
});
