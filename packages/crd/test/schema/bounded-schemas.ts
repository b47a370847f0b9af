import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** The bound of an unbounded text: the number of characters that fit into a request. */
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
