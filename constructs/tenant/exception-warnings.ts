import { warningAt, type Finding } from '../../kube/finding.ts';
import { didYouMean, formatList, findNearest, show, type Path } from '../../kube/problem.ts';
import type { ClassException } from '../../crds/tenantry/types.ts';
import type { Claims } from './claims.ts';
import type { HeldException } from './held-exceptions.ts';

/** What is known of all tenants. */
interface ExceptionContext {
  /** The exceptions of the class that tenants use. */
  readonly held: readonly HeldException[];
  readonly claims: Claims;
}

/** Lists exceptions of a class that apply to nobody, or that have no effect. */
export function listExceptionWarnings(
  exceptions: readonly ClassException[],
  known: ExceptionContext,
): readonly Finding[] {
  return exceptions.flatMap((exception, i) => {
    const path = ['spec', 'exceptions', i];
    const held = known.held.filter((one) => one.path[2] === i);
    return [
      ...listUnknownTenants(exception, path, held, known),
      ...listUnknownNamespaces(exception, path, held, known),
      ...listUnusedParts(exception, path, held),
    ];
  });
}

/** Lists names that no tenant of the class has. */
function listUnknownTenants(
  { tenants }: ClassException,
  path: Path,
  held: readonly HeldException[],
  { claims }: ExceptionContext,
): Finding[] {
  return tenants.flatMap((name, i) => {
    if (held.some(({ tenant }) => tenant === name)) return [];
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
  held: readonly HeldException[],
  { claims }: ExceptionContext,
): Finding[] {
  const own = new Set(held.flatMap(({ tenant }) => claims.namespacesOf(tenant)));
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
  held: readonly HeldException[],
): Finding[] {
  const needed = held.filter(({ isNeeded }) => isNeeded);
  const warn = (at: Path, message: string) => warningAt(at, message, 'exception-unused');
  if (held.length === 0) return [];
  if (needed.length === 0) return [warn(path, `must be of use to a tenant, ${NOTHING}`)];
  const parts = new Map(held.map((one) => [one.path.join('\0'), one.path]));
  const ofParts = [...parts].flatMap(([key, at]) =>
    needed.some((one) => one.path.join('\0') === key)
      ? []
      : [warn(at, `must be of use to a tenant, ${NOTHING}`)],
  );
  const ofTenants = tenants.flatMap((name, i) => {
    const isHolder = held.some(({ tenant }) => tenant === name);
    if (!isHolder || needed.some(({ tenant }) => tenant === name)) return [];
    return [
      warn([...path, 'tenants', i], `must be a tenant to which it is of use, got ${show(name)}`),
    ];
  });
  return [...ofParts, ...ofTenants];
}
