import { warningAt, type Finding } from '../../kube/finding.ts';
import { didYouMean, listed, nearest, show, type Path } from '../../kube/problem.ts';
import type { ClassException } from '../../crds/tenantry/types.ts';
import type { Claims } from './claims.ts';
import type { HeldException } from './held.ts';

/** What is known of all tenants. */
interface Known {
  /** What tenants have by exceptions of the class. */
  readonly held: readonly HeldException[];
  readonly claims: Claims;
}

/** Exceptions of a class that are for nobody, or that nothing would be different without. */
export function exceptionWarnings(
  exceptions: readonly ClassException[],
  known: Known,
): readonly Finding[] {
  return exceptions.flatMap((exception, i) => {
    const path = ['spec', 'exceptions', i];
    const held = known.held.filter((one) => one.path[2] === i);
    return [
      ...strangers(exception, path, held, known),
      ...strayNamespaces(exception, path, held, known),
      ...unused(exception, path, held),
    ];
  });
}

/** Names of no tenant of the class. */
function strangers(
  { tenants }: ClassException,
  path: Path,
  held: readonly HeldException[],
  { claims }: Known,
): Finding[] {
  return tenants.flatMap((name, i) => {
    if (held.some(({ tenant }) => tenant === name)) return [];
    const other = claims.tenant(name);
    const why = other ? ', which is of another class' : didYouMean(nearest(name, claims.names()));
    const message = `must be a tenant of the class, got ${show(name)}${why}`;
    return [warningAt([...path, 'tenants', i], message, 'exception-tenant')];
  });
}

function strayNamespaces(
  { namespaces = [] }: ClassException,
  path: Path,
  held: readonly HeldException[],
  { claims }: Known,
): Finding[] {
  const own = new Set(held.flatMap(({ tenant }) => claims.namespacesOf(tenant)));
  if (own.size === 0) return [];
  return namespaces.flatMap((name, i) => {
    if (own.has(name)) return [];
    const hint = didYouMean(nearest(name, own));
    const must = `must be a namespace of its tenants (${listed([...own])})`;
    const message = `${must}, got ${show(name)}${hint}`;
    return [warningAt([...path, 'namespaces', i], message, 'exception-namespace')];
  });
}

const NOTHING = 'got something without which nothing is different';

/** Said of the exception as a whole, of one thing in it, or of one tenant. */
function unused(
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
