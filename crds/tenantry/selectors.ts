import { list, map, object, oneOf, required, string, type Static } from '../schema/schema.ts';
import { labelValue } from '../names.ts';

const key = string('A label key.', { minLength: 1, maxLength: 317 });

/** `metav1.LabelSelector`. An empty one selects everything. */
export const labelSelector = object('A label selector; an empty one selects everything.', {
  matchLabels: map('Labels that must be there with these values.', labelValue),
  matchExpressions: list(
    'Requirements, all of which must hold.',
    object('One requirement.', {
      key: required(key),
      operator: required(oneOf('How it compares.', ['In', 'NotIn', 'Exists', 'DoesNotExist'])),
      values: list(
        'The values of In and NotIn.',
        string('A value.', {
          maxLength: 63,
          pattern: labelValue.pattern!,
          must: labelValue.must!,
        }),
      ),
    }),
    { maxItems: 16 },
  ),
});

export type LabelSelector = Static<typeof labelSelector>;
