import type { PolicyRule } from '../../crds/access.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { until } from '@tenantry/testing/waiting/until';

const levels = ['view', 'edit', 'admin'] as const;
const sets = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'update', 'patch', 'delete', 'deletecollection'],
} as const;

/**
 * Returns the rights of an API server's user-facing roles in the format of packages/kube/rbac/user-facing-roles.ts.
 * They are what `view` grants, what `edit` adds to it, and what `admin` adds to both. Reads the roles that the
 * API server itself creates (`system:aggregate-to-edit`), since anybody may add rules to `admin`.
 */
export async function userFacingRoles(client: Client): Promise<string> {
  const lines = await Promise.all(levels.map(async (level) => linesOf(level, client)));
  return lines.flat().join('\n');
}

async function linesOf(level: (typeof levels)[number], client: Client): Promise<string[]> {
  const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
  const name = `system:aggregate-to-${level}`;
  const rules = await until(`the role ${name} exists`, async () => {
    return (await client.get({ ...kind, name })).body['rules'] as PolicyRule[] | undefined;
  });
  const verbs = new Map<string, Set<string>>();
  for (const rule of rules) {
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        const key = `${group || 'core'} ${resource}`;
        verbs.set(key, new Set([...(verbs.get(key) ?? []), ...rule.verbs]));
      }
    }
  }
  const entries = [...verbs].flatMap(([key, held]) => wordsOf(held).map((word) => [key, word]));
  const lines = Map.groupBy(entries, ([key, word]) => `${level} ${key!.split(' ')[0]} ${word}`);
  return [...lines]
    .map(([start, of]) => {
      const resources = of.map(([key]) => key!.split(' ')[1]!);
      return `${start}: ${resources.toSorted().join(' ')}`;
    })
    .toSorted();
}

/** Returns the verbs in the words of the source of the roles: the name of a set if all of its verbs are held. */
function wordsOf(held: ReadonlySet<string>): string[] {
  const whole = Object.entries(sets).filter(([, verbs]) => verbs.every((verb) => held.has(verb)));
  const covered = new Set(whole.flatMap(([, verbs]) => [...verbs] as string[]));
  return [...whole.map(([word]) => word), ...[...held].filter((verb) => !covered.has(verb))];
}
