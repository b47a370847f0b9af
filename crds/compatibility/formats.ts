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

/** The formats that every whole number, every number or every string satisfies. */
const unrestrictiveFormats: ReadonlySet<string> = new Set(['', 'int64', 'double', 'password']);

/** Finds the format that restricts the values of the type; undefined if there is none. */
export function findRestrictiveFormat(schema: JSONSchemaProps): string | undefined {
  const format = enforcedFormat(schema);
  return unrestrictiveFormats.has(format) ? undefined : format;
}

export function formatIncludes(format: string, other: string): boolean {
  return format === other || (includes[format]?.includes(other) ?? false);
}
