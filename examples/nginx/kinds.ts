import { kindOf, type Live } from '../../runtime.ts';
import { storedAsV1alpha2, withV1alpha1 } from './definition.ts';
import type { Wanted } from './deployment.ts';

/** As 0.0.1 knows it. */
export const NginxV1alpha1 = kindOf(withV1alpha1, 'v1alpha1');

/** As releases from 0.1.0 on know it. */
export const NginxV1alpha2 = kindOf(storedAsV1alpha2, 'v1alpha2');

/** The kind in the version in which a release works. */
export type NginxKind = typeof NginxV1alpha1 | typeof NginxV1alpha2;

/**
 * What an object says, whatever its version; undefined where it has no port of either, which both have by default: it
 * is stored in another version, and nothing converts it at present.
 */
export function wantedOf({ spec }: Live<NginxKind>): Wanted | undefined {
  if ('ports' in spec) return spec;
  if (!('port' in spec)) return undefined;
  const { port, ...others } = spec;
  return { ...others, ports: [{ containerPort: port, protocol: 'TCP' }] };
}
