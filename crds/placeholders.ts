import { string, type Schema } from '@tenantry/crd/schema/language';
import { map } from './schema-builders.ts';

/**
 * The placeholders in texts that differ between namespaces; model/layers/namespace-placeholders.ts fills
 * them in.
 */
export const NAMESPACE_PLACEHOLDERS = ['tenant', 'namespace', 'environment'] as const;

/** One placeholder, as a part of a pattern. */
const ONE = `\\{(${NAMESPACE_PLACEHOLDERS.join('|')})\\}`;

const IN_WORDS = 'in which {tenant}, {namespace} and {environment} may stand';

/** Returns a pattern for a text of certain characters or placeholders, which begins and ends with certain ones. */
const filled = (within: string, atEnds: string): string => {
  const end = `(${atEnds}|${ONE})`;
  return `${end}((${within}|${ONE})*${end})?`;
};

const SUBDOMAIN_PART = filled('[-a-z0-9]', '[a-z0-9]');

/** The name of an object, which is a DNS subdomain once its placeholders are filled in. */
export const filledName = (description: string, absent?: string): Schema<string> =>
  string(description, {
    pattern: `^${SUBDOMAIN_PART}(\\.${SUBDOMAIN_PART})*$`,
    maxLength: 253,
    must: `a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253 characters, ${IN_WORDS}`,
    ...(absent !== undefined && { absent }),
  });

/** The name of an RBAC object, once its placeholders are filled in. */
export const filledRbacName = (description: string, absent: string): Schema<string> =>
  string(description, {
    pattern: `^${filled('[A-Za-z0-9._:-]', '[A-Za-z0-9]')}$`,
    maxLength: 253,
    must: `a name of letters, digits, '-', '_', '.' and ':', ${IN_WORDS}`,
    absent,
    example: '{namespace}-admin',
  });

/** The sentence about placeholders for the description of a text that may have them. */
export const PLACEHOLDERS =
  'In values, {tenant}, {namespace} and {environment} stand for the names of these.';

/** The value of a label, once its placeholders are filled in. */
const filledLabelValue = string('A label value.', {
  pattern: `^(${filled('[-A-Za-z0-9_.]', '[A-Za-z0-9]')})?$`,
  maxLength: 128,
  must: `a label value: letters, digits, '-', '_' and '.', at most 63 characters, ${IN_WORDS}`,
});

/** A map of labels whose values may differ between namespaces. */
export const filledLabels = (description: string): Schema<Readonly<Record<string, string>>> =>
  map(`${description} ${PLACEHOLDERS}`, filledLabelValue);
