import type { JSONSchemaProps } from '../schema/jsonschema.ts';

/**
 * The formats of strings that the API server of Kubernetes 1.36 checks, without hyphens, as it
 * compares them. Others are ignored.
 *
 * Source: supportedVersionedFormats of k8s.io/apiextensions-apiserver/pkg/apiserver/validation
 */
const ofStrings = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 ' +
    'creditcard ssn hexcolor rgbcolor byte date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

/** Which values are also values of another format. */
const includes: Readonly<Record<string, readonly string[]>> = {
  uuid: ['uuid3', 'uuid4', 'uuid5'],
  isbn: ['isbn10', 'isbn13'],
  k8slongname: ['k8sshortname'],
  int64: ['int32'],
  double: ['float'],
};

/**
 * The format that values are held to; undefined where the API server ignores what is said. Of
 * whole numbers int64 and of numbers double is what they are held to anyway, and `password` is any
 * string.
 */
export function enforcedFormat(schema: JSONSchemaProps): string | undefined {
  const { format = '' } = schema;
  if (schema['x-kubernetes-int-or-string'] === true || !schema.type || schema.type === 'string') {
    const plain = format.replaceAll('-', '');
    return ofStrings.has(plain) ? plain : undefined;
  }
  const only = schema.type === 'integer' ? 'int32' : schema.type === 'number' ? 'float' : '';
  return format === only && format !== '' ? format : undefined;
}

export function formatIncludes(format: string, other: string): boolean {
  return format === other || (includes[format]?.includes(other) ?? false);
}

/** Formats that give a string another type in CEL: timestamp, duration, bytes. */
const typed = new Set(['date', 'datetime', 'duration', 'byte']);

export function isTypedFormat({ format = '' }: JSONSchemaProps): boolean {
  return typed.has(format.replaceAll('-', ''));
}
