import { tenantClass as classKind } from '../crds/tenant-class.ts';
import { markValid } from '../crds/declared-kind.ts';
import { didYouMean, formatList, findNearest, show, type Path } from '@tenantry/kube/problem';
import type { Finding } from '@tenantry/kube/finding';
import { warningAt } from './findings/tenant-finding.ts';
import type { ClassException } from '../crds/types.ts';
import {
  findExceptions,
  type IndexedException,
  listExceptionParts,
  removePart,
  type ExceptionPart,
} from './classes/exceptions.ts';
import type { Platform, TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { desired, type DesiredTenant } from './desired.ts';
import type { NameClaims } from './name-claims.ts';

/** One thing that an exception of a class allows a tenant. */
export interface GrantedException {
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
export function listGrantedExceptions(
  tenant: TenantDeclaration,
  klass: TenantClassDeclaration,
  platform: Platform,
  wanted: DesiredTenant,
): readonly GrantedException[] {
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

/** What is known of all tenants. */
interface ExceptionContext {
  /** The exceptions of the class that tenants use. */
  readonly granted: readonly GrantedException[];
  readonly claims: NameClaims;
}

/** Lists exceptions of a class that apply to nobody, or that have no effect. */
export function listExceptionWarnings(
  exceptions: readonly ClassException[],
  known: ExceptionContext,
): readonly Finding[] {
  return exceptions.flatMap((exception, i) => {
    const path = ['spec', 'exceptions', i];
    const granted = known.granted.filter((one) => one.path[2] === i);
    return [
      ...listUnknownTenants(exception, path, granted, known),
      ...listUnknownNamespaces(exception, path, granted, known),
      ...listUnusedParts(exception, path, granted),
    ];
  });
}

/** Lists names that no tenant of the class has. */
function listUnknownTenants(
  { tenants }: ClassException,
  path: Path,
  granted: readonly GrantedException[],
  { claims }: ExceptionContext,
): Finding[] {
  return tenants.flatMap((name, i) => {
    if (granted.some(({ tenant }) => tenant === name)) return [];
    const other = claims.findTenant(name);
    const why = other
      ? ', which is of another class'
      : didYouMean(findNearest(name, claims.names()));
    const message = `must be a tenant of the class, got ${show(name)}${why}`;
    return [warningAt([...path, 'tenants', i], message, 'exception-tenant')];
  });
}

function listUnknownNamespaces(
  { namespaces = [] }: ClassException,
  path: Path,
  granted: readonly GrantedException[],
  { claims }: ExceptionContext,
): Finding[] {
  const own = new Set(granted.flatMap(({ tenant }) => claims.listNamespaces(tenant)));
  if (own.size === 0) return [];
  return namespaces.flatMap((name, i) => {
    if (own.has(name)) return [];
    const hint = didYouMean(findNearest(name, own));
    const must = `must be a namespace of its tenants (${formatList([...own])})`;
    const message = `${must}, got ${show(name)}${hint}`;
    return [warningAt([...path, 'namespaces', i], message, 'exception-namespace')];
  });
}

const NOTHING = 'got something without which nothing is different';

/** Reports an unused exception as a whole, one thing in it, or one tenant. */
function listUnusedParts(
  { tenants }: ClassException,
  path: Path,
  granted: readonly GrantedException[],
): Finding[] {
  const needed = granted.filter(({ isNeeded }) => isNeeded);
  const warn = (at: Path, message: string) => warningAt(at, message, 'exception-unused');
  if (granted.length === 0) return [];
  if (needed.length === 0) return [warn(path, `must be of use to a tenant, ${NOTHING}`)];
  const parts = new Map(granted.map((one) => [one.path.join('\0'), one.path]));
  const ofParts = [...parts].flatMap(([key, at]) =>
    needed.some((one) => one.path.join('\0') === key)
      ? []
      : [warn(at, `must be of use to a tenant, ${NOTHING}`)],
  );
  const ofTenants = tenants.flatMap((name, i) => {
    const isHolder = granted.some(({ tenant }) => tenant === name);
    if (!isHolder || needed.some(({ tenant }) => tenant === name)) return [];
    return [
      warn([...path, 'tenants', i], `must be a tenant to which it is of use, got ${show(name)}`),
    ];
  });
  return [...ofParts, ...ofTenants];
}
