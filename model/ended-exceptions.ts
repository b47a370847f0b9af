import { markValid } from '../crds/declared-kind.ts';
import { tenantClass as classKind } from '../crds/tenant-class.ts';
import type { ClassException } from '../crds/types.ts';
import type { Finding } from '@tenantry/kube/finding';
import { formatList } from '@tenantry/kube/problem';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { desired, type DesiredTenant } from './desired.ts';
import { hasEnded } from './end-dates.ts';

/** A class, and its exceptions with those that are over. */
interface ClassWithEnded {
  readonly klass: TenantClassDeclaration;
  readonly declared: readonly ClassException[];
}

/** Adds to the errors of a tenant that follow from the end of an exception when the exception ended. */
export function explainEndedExceptions(
  tenant: TenantDeclaration,
  { klass, declared }: ClassWithEnded,
  platform: Platform,
  wanted: DesiredTenant,
): DesiredTenant {
  const ended = declared.filter(
    ({ tenants, until }) => hasEnded(until, platform.date) && tenants.includes(tenant.name),
  );
  if (ended.length === 0 || !wanted.findings.some(isError)) return wanted;
  const spec = { ...klass.spec, exceptions: declared };
  markValid(classKind, spec);
  const before = desired(tenant, { ...klass, spec }, platform);
  const lasting = new Set(before.findings.map(({ message }) => message));
  const days = formatList([...new Set(ended.flatMap(({ until }) => until ?? []))].toSorted());
  const why = `; an exception of class ${klass.name} allowed it until ${days}`;
  const findings = wanted.findings.map((one) =>
    isError(one) && !lasting.has(one.message) ? { ...one, message: `${one.message}${why}` } : one,
  );
  return { ...wanted, findings };
}

const isError = ({ severity }: Finding): boolean => severity === 'error';
