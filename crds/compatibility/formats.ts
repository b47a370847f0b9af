import { enforcedFormat } from '../../schema/format.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/** Which values are also values of another format. */
const includes: Readonly<Record<string, readonly string[]>> = {
  uuid: ['uuid3', 'uuid4', 'uuid5'],
  isbn: ['isbn10', 'isbn13'],
  k8slongname: ['k8sshortname'],
  int64: ['int32'],
  double: ['float'],
};

/** What every whole number, every number and every string is anyway. */
const unrestrictiveFormats: ReadonlySet<string> = new Set(['', 'int64', 'double', 'password']);

/** The format that some values of the type are not of; undefined where there is none. */
export function findRestrictiveFormat(schema: JSONSchemaProps): string | undefined {
  const format = enforcedFormat(schema);
  return unrestrictiveFormats.has(format) ? undefined : format;
}

export function formatIncludes(format: string, other: string): boolean {
  return format === other || (includes[format]?.includes(other) ?? false);
}
