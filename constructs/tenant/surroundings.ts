import type { Meaning } from './placeholders.ts';

/** Where something is filled in. */
export interface Surroundings {
  readonly tenant: string;
  readonly namespace: string;
  readonly environment: string | undefined;
}

/**
 * What the placeholders of every namespace stand for.
 * @param lack said where there is no environment
 */
export function surroundingMeanings(
  { tenant, namespace, environment }: Surroundings,
  lack: string,
): Map<string, Meaning> {
  return new Map<string, Meaning>([
    ['tenant', { value: tenant }],
    ['namespace', { value: namespace }],
    ['environment', environment === undefined ? { missing: lack } : { value: environment }],
  ]);
}
