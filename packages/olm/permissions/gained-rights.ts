import type { Bundle } from '../bundle/bundle.ts';
import { collectGrants, type BoundRole, type Grant } from './grants.ts';
import { scopes, type RightsScope } from '@tenantry/kube/rights/groups';
import { Rights, type ObjectRight, type PathRight } from '@tenantry/kube/rights/rights';

/** The rights that one side grants to a subject and the other does not. */
export interface RightsDifference {
  readonly subject: string;
  /** Each right is listed once, in the widest scope in which it is new. */
  readonly objects: readonly (ObjectRight & { readonly scope: RightsScope })[];
  readonly paths: readonly PathRight[];
  /** Roles that are bound only on this side, and that the bundle does not contain. */
  readonly roles: readonly BoundRole[];
  /** Whether the rules expand to more rights than are compared; the lists are empty in that case. */
  readonly isTooMany: boolean;
}

/**
 * Computes the rights that `after` grants and `before` does not, by subject, without subjects that gain nothing. A
 * right is in the result if and only if `after` allows a request that `before` refuses.
 * @param renamed subjects of `before`, with their names in `after`
 */
export function computeGainedRights(
  before: Bundle,
  after: Bundle,
  renamed: ReadonlyMap<string, string> = new Map(),
): RightsDifference[] {
  const olds = new Map(collectGrants(before).map((grant) => [grant.subject, grant]));
  return collectGrants(after)
    .map((grant) => gained(olds.get(renamed.get(grant.subject) ?? grant.subject), grant))
    .filter(({ objects, paths, roles, isTooMany }) => {
      return isTooMany || objects.length + paths.length + roles.length > 0;
    });
}

function gained(old: Grant | undefined, now: Grant): RightsDifference {
  const { subject } = now;
  const had = byScope(old);
  const has = byScope(now);
  const all = [...Object.values(had), ...Object.values(has)];
  const known = new Set((old?.roles ?? []).flatMap(listImpliedBindings));
  const roles = now.roles.filter((one) => !known.has(keyOf(one)));
  if ([now, ...(old ? [old] : []), ...all].some(({ isTooMany }) => isTooMany)) {
    return { subject, objects: [], paths: [], roles, isTooMany: true };
  }
  const objects = scopes.flatMap((scope, i) => {
    const wider = scopes.slice(0, i);
    return has[scope].objects().flatMap((right) => {
      const isHeld = scopes.slice(0, i + 1).some((one) => had[one].coversObject(right));
      const isReported = wider.some((one) => has[one].coversObject(right));
      return isHeld || isReported ? [] : [{ ...right, scope }];
    });
  });
  const paths = has.everywhere.paths().filter((path) => !had.everywhere.coversPath(path));
  return { subject, objects, paths, roles, isTooMany: false };
}

function byScope(grant: Grant | undefined): Readonly<Record<RightsScope, Rights>> {
  const { everywhere = [], watched = [], own = [] } = grant?.rules ?? {};
  return {
    everywhere: new Rights(everywhere),
    watched: new Rights(watched),
    own: new Rights(own),
  };
}

/** Lists the same binding in this scope and in every narrower one. */
function listImpliedBindings({ role, scope }: BoundRole): string[] {
  return scopes.slice(scopes.indexOf(scope)).map((narrower) => keyOf({ role, scope: narrower }));
}

function keyOf({ role, scope }: BoundRole): string {
  return `${scope} ${role}`;
}
