import { valueAt } from '@tenantry/kube/mapping';
import type { ResolvedTenant } from '../layers/resolved.ts';
import type { Origin } from '../origins.ts';

/** Returns what is declared at an origin, in the tenant, in its class or in the parent of the class. */
export function valueAtOrigin(
  { declaration, klass, platform }: ResolvedTenant,
  origin: Origin,
): unknown {
  const [document, ...rest] = origin;
  if (document === 'class') return valueAt(klass, rest);
  if (document === 'base') return valueAt(klass.base, rest);
  if (document === 'platform') return valueAt({ spec: platform.declared }, rest);
  return valueAt({ metadata: { name: declaration.name }, spec: declaration.spec }, origin);
}
