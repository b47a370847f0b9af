import { kindOf, type Live } from '../../runtime.ts';
import { storedAsV1alpha2, withV1alpha1 } from './definition.ts';
import type { Wanted } from './deployment.ts';

/** As 0.0.1 knows it. */
export const NginxV1alpha1 = kindOf(withV1alpha1, 'v1alpha1');

/** As releases from 0.1.0 on know it. */
export const NginxV1alpha2 = kindOf(storedAsV1alpha2, 'v1alpha2');

/** The kind in the version in which a release works. */
export type NginxKind = typeof NginxV1alpha1 | typeof NginxV1alpha2;

/** What an object says, whatever its version. */
export function wantedOf({ spec }: Live<NginxKind>): Wanted {
  if ('ports' in spec) return spec;
  const { port, ...others } = spec;
  return { ...others, ports: [{ containerPort: port, protocol: 'TCP' }] };
}
