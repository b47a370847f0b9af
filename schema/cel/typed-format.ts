import type { JSONSchemaProps } from '../json-schema.ts';
import { typeOfSchema } from './schema-type.ts';
import { STRING } from './type.ts';

/** Whether a format gives a string another type in CEL: timestamp, duration, bytes. */
export function isTypedFormat({ format = '' }: JSONSchemaProps): boolean {
  return typeOfSchema({ type: 'string', format }) !== STRING;
}
