import { tenantClass as classKind } from '../../crds/tenantry/tenant-class.ts';
import { markValid } from '../../crds/tenantry/declared-kind.ts';
import type { Path } from '../../kube/problem.ts';
import { findExceptions, type IndexedException } from './classes/exceptions.ts';
import { listExceptionParts, removePart, type ExceptionPart } from './classes/exception-parts.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { desired, type DesiredTenant } from './desired.ts';

/** One thing that an exception of a class allows a tenant. */
export interface HeldException {
  readonly tenant: string;
  /** The class with the exception. */
  readonly className: string;
  /** The path in the class: `spec.exceptions[0].ceilings.quota.pods`. */
  readonly path: Path;
  /** The value at that path. */
  readonly value: unknown;
  /** Whether anything would be different without it. */
  readonly isNeeded: boolean;
}

/**
 * Lists what a class excepts for a tenant, one thing at a time.
 * @param wanted what is desired of the tenant with all exceptions
 */
export function listHeldExceptions(
  tenant: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  wanted: DesiredTenant,
): readonly HeldException[] {
  const all = findExceptions(klass.spec, tenant.name);
  return all.flatMap((excepted) =>
    listExceptionParts(excepted.exception).map((part) => ({
      tenant: tenant.name,
      className: klass.name,
      path: ['spec', 'exceptions', excepted.index, ...part.path],
      value: part.value,
      isNeeded: !isSame(
        wanted,
        desired(tenant, withoutException(klass, all, excepted, part), platform),
      ),
    })),
  );
}

function withoutException(
  klass: TenantClassDeclaration,
  all: readonly IndexedException[],
  excepted: IndexedException,
  part: ExceptionPart,
): TenantClassDeclaration {
  const exceptions = all.map((one) =>
    one === excepted ? removePart(one.exception, part) : one.exception,
  );
  const spec = { ...klass.spec, exceptions };
  markValid(classKind, spec);
  return { ...klass, spec };
}

/**
 * Whether two results are the same. Findings are compared first: without the exception most tenants are refused. For a
 * tenant with an error the answer is unknown.
 */
function isSame(one: DesiredTenant, other: DesiredTenant): boolean {
  const isKnown = one.findings.every(({ severity }) => severity !== 'error');
  return isKnown && isEqual(one.findings, other.findings) && isEqual(one, other);
}

function isEqual(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
