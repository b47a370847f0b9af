import type { JSONSchemaProps } from '../json-schema.ts';
import { applyOptions } from '../language/node.ts';

const DAYS = [
  '[0-9]{4}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])',
  '[0-9]{4}-(0[469]|11)-(0[1-9]|[12][0-9]|30)',
  '[0-9]{4}-02-(0[1-9]|1[0-9]|2[0-8])',
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29',
];

/** A time as Go's time.Parse accepts it, including hours of one digit, a comma, and offsets that no place has. */
const moment = (fraction: string): string =>
  `^(${DAYS.join('|')})T([01]?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]${fraction}(Z|[+-]([01][0-9]|2[0-4]):([0-5][0-9]|60))$`;

/** Base64 with line breaks anywhere and unused bits at the end, as Go's StdEncoding accepts it. */
const BASE64 = '^[\\r\\n]*(C{4})*(C{4}|C{2}=[\\r\\n]*=[\\r\\n]*|C{3}=[\\r\\n]*)?$'.replaceAll(
  'C',
  '([A-Za-z0-9+/][\\r\\n]*)',
);

/**
 * A quantity. It may be a sign, a point or a suffix without a digit: all of these are 0.
 * Source: k8s.io/apimachinery/pkg/api/resource parseQuantityString
 */
const QUANTITY = '^[ ]*[+-]?[0-9]*([.][0-9]*)?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?[ ]*$';

const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** The types without fields, as an API server's decoder accepts their values from JSON. */
export const scalarSchemas: Readonly<Record<string, JSONSchemaProps>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  bytes: applyOptions({ type: 'string', pattern: BASE64 }, { must: 'base64' }),
  time: applyOptions(
    { type: 'string', pattern: moment('([.,][0-9]+)?') },
    { must: "a time such as '2026-01-31T12:00:00Z'" },
  ),
  microtime: applyOptions(
    { type: 'string', pattern: moment('[.,][0-9]{6}') },
    { must: "a time with six decimals, such as '2026-01-31T12:00:00.000000Z'" },
  ),
  quantity: applyOptions(
    { anyOf: [{ type: 'string', pattern: QUANTITY, minLength: 1 }, { type: 'number' }] },
    { must: "a quantity such as '500m', '2Gi' or 10" },
  ),
  'int-or-string': { 'x-kubernetes-int-or-string': true, ...INT32 },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
};
