import { map, enumOf, string, type Schema } from './schema/schema.ts';

/** RFC 1123 label: what a namespace is named. */
export const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
/** RFC 1123 subdomain: what most objects are named. */
export const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

export function dnsLabel(description: string, example?: string): Schema<string> {
  return string(description, {
    pattern: DNS_LABEL,
    maxLength: 63,
    must: "a DNS label: lower-case letters, digits and '-', at most 63 characters",
    ...(example !== undefined && { example }),
  });
}

export function objectName(description: string, absent?: string): Schema<string> {
  return string(description, {
    pattern: DNS_SUBDOMAIN,
    maxLength: 253,
    must: "a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253 characters",
    ...(absent !== undefined && { absent }),
  });
}

/** Names of RBAC objects may also hold upper-case letters, '_' and ':'. */
export function rbacName(description: string, absent?: string): Schema<string> {
  return string(description, {
    pattern: '^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?$',
    maxLength: 253,
    must: "a name of letters, digits, '-', '_', '.' and ':', at most 253 characters",
    ...(absent !== undefined && { absent }),
  });
}

/** A label's value; the empty string is one. */
export const labelValue: Schema<string> = string('A label value.', {
  pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
  maxLength: 63,
  must: "a label value: letters, digits, '-', '_' and '.', at most 63 characters",
});

export const annotationValue: Schema<string> = string('An annotation value.', { maxLength: 16384 });

/** A bound, as the costs of CEL rules are estimated from it. */
export const ENTRIES = { maxProperties: 64 };

export const labels = (description: string): Schema<Readonly<Record<string, string>>> =>
  map(description, labelValue, ENTRIES);

export const annotations = (description: string): Schema<Readonly<Record<string, string>>> =>
  map(description, annotationValue, ENTRIES);

/** A switch that can be unset again by a later layer. */
export const allowOrDeny = (description: string, absent: string): Schema<'Allow' | 'Deny'> =>
  enumOf(description, ['Allow', 'Deny'], { absent });
