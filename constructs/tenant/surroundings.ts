import type { PlaceholderValue } from './placeholders.ts';

/** The place in which placeholders are filled in. */
export interface PlaceholderContext {
  readonly tenant: string;
  readonly namespace: string;
  readonly environment: string | undefined;
}

/**
 * Builds the values of the placeholders that every namespace has.
 * @param lack the reason to report if there is no environment
 */
export function buildPlaceholderValues(
  { tenant, namespace, environment }: PlaceholderContext,
  lack: string,
): Map<string, PlaceholderValue> {
  return new Map<string, PlaceholderValue>([
    ['tenant', { value: tenant }],
    ['namespace', { value: namespace }],
    ['environment', environment === undefined ? { missing: lack } : { value: environment }],
  ]);
}
