import type { PlaceholderValue } from './placeholders.ts';

/** Where something is filled in. */
export interface PlaceholderContext {
  readonly tenant: string;
  readonly namespace: string;
  readonly environment: string | undefined;
}

/**
 * What the placeholders of every namespace stand for.
 * @param lack said where there is no environment
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
