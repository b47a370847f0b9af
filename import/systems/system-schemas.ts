/**
 * Schemas that several tenancy systems share. They state the types that a translation relies on. Their bounds limit the
 * cost of a translation; they are larger than what a cluster can store in use.
 */
import * as language from '@tenantry/crd/schema';
import type { ListOptions, Schema } from '@tenantry/crd/schema';
import { map } from '../../crds/schema-builders.ts';

/** A list of at most 5,000 items. */
export const list = <T>(description: string, items: Schema<T>, options: ListOptions<T> = {}) =>
  language.list(description, items, { maxItems: 5000, ...options });

/** A text of at most 4,096 characters. */
export const text = (description: string) => language.string(description, { maxLength: 4096 });

/** A map of texts, such as labels. */
export const texts = (description: string) =>
  map(description, text('A value.'), { maxProperties: 1000 });

/** `metav1.LabelSelector`, as the API server stores it; its labels need not be valid ones. */
export const selector = language.object('A label selector.', {
  matchLabels: texts('Labels with these values.'),
  matchExpressions: list(
    'Requirements.',
    language.object('A requirement.', {
      key: language.required(text('A label.')),
      operator: language.required(
        language.enumOf('How it compares.', ['In', 'NotIn', 'Exists', 'DoesNotExist']),
      ),
      values: list('The values of In and NotIn.', text('A value.')),
    }),
  ),
});

/** A quantity. */
export const quantity = language.intOrString('A quantity.', { maxLength: 64 });

/** `spec` of a ResourceQuota; `validateBuiltinObject` validates the objects that are made of it. */
export const quotaSpec = language.object(
  'The spec of a ResourceQuota.',
  { hard: map('Its bounds.', quantity, { maxProperties: 1000 }) },
  { preserveUnknownFields: true },
);

/** An object of Kubernetes; `validateBuiltinObject` validates the objects that are made of it. */
export const anyObject = language.object('An object.', {}, { preserveUnknownFields: true });
