import { resolveArgoCDGroup, quoteGroup } from '../argocd-groups.ts';
import { accessLevels, type AccessLevel } from '../layers/grants.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';

interface ProjectRole {
  readonly description: string;
  readonly groups: readonly string[];
  readonly name: string;
  readonly policies: readonly string[];
}

/** The groups with a role of a project, and the Applications that the role applies to. */
interface ProjectGrant {
  /** The name of the role; `of` follows the level in its description. */
  readonly name: string;
  readonly of: string;
  readonly applications: string;
  readonly groups: readonly string[];
}

/**
 * Builds the roles that allow groups with access to act on the tenant's Applications in Argo CD, as far as the class
 * allows it. A group that has a level in each of the tenant's namespaces gets a role for the whole project. Other
 * groups get a role for Applications that deploy to their namespace. Applications that people write themselves belong
 * to the project role only, because they may deploy to any namespace of the tenant.
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
        // The dot ends the name of the namespace, which contains no dot.
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

/**
 * Lists the groups of each namespace. A namespace that is not Active has an empty list and is included, so that nobody
 * has access to all of them.
 */
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
