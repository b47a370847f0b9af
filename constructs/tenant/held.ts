import { tenantClass as classKind } from '../../crds/tenantry/tenant-class.ts';
import { noteValid } from '../../crds/tenantry/valid.ts';
import type { Path } from '../../kube/problem.ts';
import { exceptionsFor, type Excepted } from './classes/exceptions.ts';
import { partsOf, without, type ExceptionPart } from './classes/exception-parts.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { desired, type DesiredTenant } from './desired.ts';

/** One thing that a class lets a tenant have besides. */
export interface HeldException {
  readonly tenant: string;
  /** The class that says it. */
  readonly className: string;
  /** Where in the class: `spec.exceptions[0].ceilings.quota.pods`. */
  readonly path: Path;
  /** What is said there. */
  readonly value: unknown;
  /** Whether anything would be different without it. */
  readonly isNeeded: boolean;
}

/**
 * What a class excepts for a tenant, thing by thing.
 * @param wanted what is desired of the tenant with all of it
 */
export function heldExceptions(
  tenant: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  wanted: DesiredTenant,
): readonly HeldException[] {
  const all = exceptionsFor(klass.spec, tenant.name);
  return all.flatMap((excepted) =>
    partsOf(excepted.exception).map((part) => ({
      tenant: tenant.name,
      className: klass.name,
      path: ['spec', 'exceptions', excepted.index, ...part.path],
      value: part.value,
      isNeeded: !isSame(wanted, desired(tenant, lacking(klass, all, excepted, part), platform)),
    })),
  );
}

function lacking(
  klass: TenantClassDeclaration,
  all: readonly Excepted[],
  excepted: Excepted,
  part: ExceptionPart,
): TenantClassDeclaration {
  const exceptions = all.map((one) =>
    one === excepted ? without(one.exception, part) : one.exception,
  );
  const spec = { ...klass.spec, exceptions };
  noteValid(classKind, spec);
  return { ...klass, spec };
}

/** With a mistake in the tenant nobody knows. Most are refused without the exception, which is seen first. */
function isSame(one: DesiredTenant, other: DesiredTenant): boolean {
  const isKnown = one.findings.every(({ severity }) => severity !== 'error');
  return isKnown && isEqual(one.findings, other.findings) && isEqual(one, other);
}

function isEqual(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
