import {
  A_DNS_LABEL,
  A_LABEL_VALUE,
  A_SUBDOMAIN,
  DNS_LABEL,
  DNS_SUBDOMAIN,
  LABEL_VALUE,
} from '@tenantry/kube/names';
import { map } from './containers.ts';
import { string } from './scalars.ts';
import type { Schema } from './static.ts';

/**
 * A string that is a DNS label, as names of namespaces and Services are: at most 63 characters.
 *
 * @example
 * ```ts
 * import { compileSchema, dnsLabel } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(dnsLabel('A namespace.')).accepts('Payments')); // false
 * ```
 */
export function dnsLabel(description: string, example?: string): Schema<string> {
  return string(description, {
    pattern: DNS_LABEL,
    maxLength: 63,
    must: A_DNS_LABEL,
    ...(example !== undefined && { example }),
  });
}

/**
 * A string that is a DNS subdomain, as names of most objects are: at most 253 characters.
 *
 * @example
 * ```ts
 * import { compileSchema, objectName } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(objectName('A Secret.')).accepts('tls.example.com')); // true
 * ```
 */
export function objectName(description: string, absent?: string): Schema<string> {
  return string(description, {
    pattern: DNS_SUBDOMAIN,
    maxLength: 253,
    must: A_SUBDOMAIN,
    ...(absent !== undefined && { absent }),
  });
}

/**
 * A name of an RBAC object, which may also contain upper-case letters, '_' and ':'.
 *
 * @example
 * ```ts
 * import { compileSchema, rbacName } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(rbacName('A Role.')).accepts('system:view')); // true
 * ```
 */
export function rbacName(description: string, absent?: string): Schema<string> {
  return string(description, {
    pattern: '^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?$',
    maxLength: 253,
    must: "a name of letters, digits, '-', '_', '.' and ':', at most 253 characters",
    ...(absent !== undefined && { absent }),
  });
}

/**
 * The value of a label.
 *
 * @example
 * ```ts
 * import { compileSchema, labelValue } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(labelValue('The team.')).accepts('checkout')); // true
 * ```
 *
 * @param description Default: 'A label value.'
 */
export function labelValue(description = 'A label value.'): Schema<string> {
  return string(description, { pattern: LABEL_VALUE, maxLength: 63, must: A_LABEL_VALUE });
}

/**
 * The value of an annotation: at most 16 KiB.
 *
 * @example
 * ```ts
 * import { compileSchema, annotationValue } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(annotationValue('A note.')).accepts('any text')); // true
 * ```
 *
 * @param description Default: 'An annotation value.'
 */
export function annotationValue(description = 'An annotation value.'): Schema<string> {
  return string(description, { maxLength: 16_384 });
}

/** A bound for estimates of the cost of CEL rules. */
const ENTRIES = { maxProperties: 64 };

/** A map of labels: at most 64. */
export const labels = (description: string): Schema<Readonly<Record<string, string>>> =>
  map(description, labelValue(), ENTRIES);

/** A map of annotations: at most 64, each of at most 16 KiB. */
export const annotations = (description: string): Schema<Readonly<Record<string, string>>> =>
  map(description, annotationValue(), ENTRIES);
