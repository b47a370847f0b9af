import { resolveArgoCDGroup, quoteGroup } from '../argocd-groups.ts';
import { accessLevels, type AccessLevel } from '../layers/grants.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';

interface ProjectRole {
  readonly description: string;
  readonly groups: readonly string[];
  readonly name: string;
  readonly policies: readonly string[];
}

/** Who holds a role of a project, and of which of its Applications. */
interface ProjectGrant {
  /** Of the role, and behind the level in what describes it. */
  readonly name: string;
  readonly of: string;
  readonly applications: string;
  readonly groups: readonly string[];
}

/**
 * What groups that have access may do with Applications of the tenant in Argo CD, as far as the class says
 * so: in the whole project who has a level in each of the tenant's namespaces, else in Applications that
 * deploy to the namespace. Those that people write themselves are of the first sort alone, since they may
 * deploy to any namespace of the tenant.
 */
export function buildProjectRoles(resolved: ResolvedTenant, project: string): ProjectRole[] {
  const { klass, declaration } = resolved;
  return accessLevels.flatMap((level) => {
    const actions = klass.spec.argocd?.roles?.[level] ?? [];
    if (actions.length === 0) return [];
    const byNamespace = listGroupsByNamespace(resolved, level);
    const everywhere = intersectGroups([...byNamespace.values()]);
    const held: ProjectGrant[] = [
      { name: level, of: `tenant ${declaration.name}`, applications: '*', groups: everywhere },
      ...[...byNamespace.keys()].toSorted().map((namespace) => ({
        name: `${level}-${namespace}`,
        of: `namespace ${namespace}`,
        // The dot ends the name of the namespace, which holds none.
        applications: `${namespace}.*`,
        groups: byNamespace.get(namespace)!.filter((group) => !everywhere.includes(group)),
      })),
    ];
    return held
      .filter(({ groups }) => groups.length > 0)
      .map(({ name, of, applications, groups }) => ({
        description: `${level} of ${of}`,
        groups: groups.toSorted().map(quoteGroup),
        name,
        policies: [...new Set(actions)].toSorted().map((action) => {
          const [resource, verb] = action === 'logs' ? ['logs', 'get'] : ['applications', action];
          return `p, proj:${project}:${name}, ${resource}, ${verb}, ${project}/${applications}, allow`;
        }),
      }));
  });
}

/** One that is not Active gives nobody anything. It counts all the same: nobody has access to each of them. */
function listGroupsByNamespace(
  { namespaces, platform }: ResolvedTenant,
  level: AccessLevel,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    namespaces.map(({ name, lifecycle, settings }) => {
      const grants = settings.grants.filter((grant) => grant.level === level);
      const groups = grants
        .flatMap(({ holders }) => holders.groups ?? [])
        .flatMap((group) => resolveArgoCDGroup(group, platform) ?? []);
      return [name, lifecycle === 'Active' ? [...new Set(groups)] : []];
    }),
  );
}

function intersectGroups([first = [], ...rest]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((group) => rest.every((groups) => groups.includes(group)));
}
