import { markValid } from '../../crds/declared-kind.ts';
import { tenantClass as classKind } from '../../crds/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { hasEnded } from '../end-dates.ts';

/**
 * Returns a class in which exceptions that are over on a date apply to nobody and allow nothing. They keep their
 * positions, so that findings about the others keep their places. A class without such exceptions is returned itself.
 */
export function dropEndedExceptions(
  klass: TenantClassDeclaration,
  date: string | undefined,
): TenantClassDeclaration {
  const { exceptions = [] } = klass.spec;
  if (!exceptions.some(({ until }) => hasEnded(until, date))) return klass;
  const spec = {
    ...klass.spec,
    exceptions: exceptions.map((one) =>
      hasEnded(one.until, date) ? { tenants: [], reason: one.reason } : one,
    ),
  };
  markValid(classKind, spec);
  return { ...klass, spec };
}
