/** What kinds of Flux have in common. */
import { naming } from '../../../crds/type-name.ts';
import type { TypesByName } from './types-by-name.ts';
import {
  condition,
  integer,
  list,
  map,
  object,
  required,
  string,
} from '../../../schema/language.ts';

/** Names the type of the values of a schema of one of Flux' kinds. */
export const named = naming<TypesByName>();

export const interval = (description: string, absent?: string) =>
  string(description, {
    pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$',
    example: '10m',
    ...(absent !== undefined && { absent }),
  });

export const localReference = (description: string) =>
  named(
    'FluxLocalReference',
    object(description, { name: required(string('Its name.')) }),
    'An object of the same namespace.',
  );

export const strings = (description: string) => list(description, string('One.'));

export const texts = (description: string) => map(description, string('A value.'));

export const statusConditions = list('What is the case: `Ready`, `Reconciling`.', condition());

export const handled = string('The last `reconcile.fluxcd.io/requestedAt` that was acted on.');

export const observedGeneration = integer('The generation that this is about.', {
  format: 'int64',
});

export const readyColumns = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].message' },
] as const;
