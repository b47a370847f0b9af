import type { JSONSchemaProps } from '../jsonschema.ts';
import { typeOfSchema } from './schematype.ts';
import { STRING } from './type.ts';

/** Whether a format gives a string another type in CEL: timestamp, duration, bytes. */
export function isTypedFormat({ format = '' }: JSONSchemaProps): boolean {
  return typeOfSchema({ type: 'string', format }) !== STRING;
}
