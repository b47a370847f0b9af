import { kindOf, type Live } from '@tenantry/runtime';
import { storedAsV1alpha2, withV1alpha1 } from './definition.ts';
import type { Wanted } from './deployment.ts';

/** The kind in 0.0.1. */
export const NginxV1alpha1 = kindOf(withV1alpha1, 'v1alpha1');

/** The kind in releases from 0.1.0 on. */
export const NginxV1alpha2 = kindOf(storedAsV1alpha2, 'v1alpha2');

/** The kind in the version that a release uses. */
export type NginxKind = typeof NginxV1alpha1 | typeof NginxV1alpha2;

/**
 * Returns the declared fields of an object of either version. Returns undefined where it has no ports,
 * which both versions have by default: it is stored in another version and is not converted at present.
 */
export function wantedOf({ spec }: Live<NginxKind>): Wanted | undefined {
  if ('ports' in spec) return spec;
  if (!('port' in spec)) return undefined;
  const { port, ...others } = spec;
  return { ...others, ports: [{ containerPort: port, protocol: 'TCP' }] };
}
