import type { PolicyRule } from '../../crds/tenantry/access.ts';
import type { Client } from '../../testing/controlplane/client.ts';
import { until } from '../../testing/waiting/until.ts';

const levels = ['view', 'edit', 'admin'] as const;
const sets = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'update', 'patch', 'delete', 'deletecollection'],
} as const;

/**
 * What an API server's user-facing roles allow, as kube/rbac/user-facing-roles.ts has it: what `view` does,
 * what `edit` adds to it, what `admin` adds to both. Asked of the roles that the API server itself
 * makes (`system:aggregate-to-edit`), since anybody may add others to `admin`.
 */
export async function userFacingRoles(client: Client): Promise<string> {
  const lines = await Promise.all(levels.map(async (level) => linesOf(level, client)));
  return lines.flat().join('\n');
}

async function linesOf(level: (typeof levels)[number], client: Client): Promise<string[]> {
  const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
  const name = `system:aggregate-to-${level}`;
  const rules = await until(`the role ${name} is there`, async () => {
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

/** Verbs as the source of the roles says them: sets where whole sets are held. */
function wordsOf(held: ReadonlySet<string>): string[] {
  const whole = Object.entries(sets).filter(([, verbs]) => verbs.every((verb) => held.has(verb)));
  const covered = new Set(whole.flatMap(([, verbs]) => [...verbs] as string[]));
  return [...whole.map(([word]) => word), ...[...held].filter((verb) => !covered.has(verb))];
}
