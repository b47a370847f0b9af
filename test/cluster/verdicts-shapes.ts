import fc from 'fast-check';
import { keys, labelValues } from './verdicts-text.ts';
import { anyCodePoint } from '@tenantry/kube/test/code-points';

/** Shapes that many fields of a declaration share. */
export const map = <T>(values: fc.Arbitrary<T>, of = keys, maxKeys = 3) =>
  fc.dictionary(of, values, { maxKeys, noNullPrototype: true });
export const some = <T>(items: fc.Arbitrary<T>, maxLength = 3) => fc.array(items, { maxLength });
export const optional = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });
export const named = <T>(items: fc.Arbitrary<T & { name: string }>) =>
  fc.uniqueArray(items, { selector: ({ name }) => name, maxLength: 3 });

export const selector = optional({
  matchLabels: map(labelValues),
  matchExpressions: some(
    fc.record(
      {
        key: keys,
        operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
        values: some(labelValues),
      },
      { requiredKeys: ['key', 'operator'] },
    ),
    2,
  ),
});

export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCodePoint }),
  fc.constant('a\nb\u0000\u2028'),
);
export const annotations = map(fc.oneof(anyText, fc.constant('x'.repeat(16_384))));
