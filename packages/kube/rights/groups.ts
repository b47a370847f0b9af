import type { ObjectRight } from './rights.ts';

/**
 * The scope of rights.
 *
 * - `everywhere`: granted by a ClusterRoleBinding.
 * - `watched`: in the namespaces that the OperatorGroup selects, and in the operator's own.
 * - `own`: in the namespace of the operator.
 */
export type RightsScope = 'everywhere' | 'watched' | 'own';

/** The scopes, the widest first. */
export const scopes: readonly RightsScope[] = ['everywhere', 'watched', 'own'];

/** Rights that are reported together: each verb on each resource, and on each name if there are names. */
export interface RightsGroup {
  readonly scope: RightsScope;
  /** Empty for the core group. */
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Absent for every object. */
  readonly names?: readonly string[];
}

type Scoped = ObjectRight & { readonly scope: RightsScope };

/** The conventional order of verbs; other verbs follow. */
const order = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * Groups rights into as few groups as possible. The rights of a group differ only in the resource, or only in the name.
 * Together the groups allow exactly what the rights allow.
 */
export function groupRights(rights: readonly Scoped[]): RightsGroup[] {
  const single = Map.groupBy(rights, ({ scope, group, resource, name }) => {
    return JSON.stringify([scope, group, resource, name ?? null]);
  });
  const byObject = [...single.values()].map((all): RightsGroup => {
    const { scope, group, resource, name } = all[0]!;
    const verbs = inOrder(all.map(({ verb }) => verb));
    return {
      scope,
      group,
      resources: [resource],
      verbs,
      ...(name !== undefined && { names: [name] }),
    };
  });
  const byName = Map.groupBy(byObject, ({ names, resources, ...rest }) => {
    return JSON.stringify([rest, resources, names !== undefined]);
  });
  const named = [...byName.values()].map((all): RightsGroup => {
    const names = all.flatMap((one) => one.names ?? []);
    return { ...all[0]!, ...(names.length > 0 && { names: names.toSorted() }) };
  });
  const byRest = Map.groupBy(named, ({ scope, group, verbs, names = null }) => {
    return JSON.stringify([scope, group, verbs, names]);
  });
  return [...byRest.values()].map((all): RightsGroup => {
    return { ...all[0]!, resources: all.flatMap(({ resources }) => resources).toSorted() };
  });
}

/** Sorts verbs. A star is every verb, so the verbs beside it are dropped. */
function inOrder(verbs: readonly string[]): string[] {
  if (verbs.includes('*')) return ['*'];
  const rank = (verb: string): number =>
    (order.indexOf(verb) + order.length + 1) % (order.length + 1);
  return verbs.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Formats a group: `get, list, watch deployments.apps, pods named a, b`. */
export function formatRightsGroup({ group, resources, verbs, names }: RightsGroup): string {
  const action = verbs.includes('*') ? 'do anything with' : verbs.join(', ');
  const suffix = group === '' ? '' : `.${group}`;
  const on = resources.map((resource) => {
    if (resource === '*') return whole(group);
    return group === '*' ? `${resource} of every group` : `${resource}${suffix}`;
  });
  const which = names === undefined ? '' : ` named ${names.join(', ')}`;
  return `${action} ${on.join(', ')}${which}`;
}

function whole(group: string): string {
  if (group === '*') return 'all resources';
  return group === '' ? 'all resources of the core group' : `all resources of ${group}`;
}

/** The scope of rights, as the end of a sentence. */
export const scopeWords: Readonly<Record<RightsScope, string>> = {
  everywhere: 'in the whole cluster',
  watched: 'in the namespaces that it watches',
  own: 'in its own namespace',
};
