import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';

const kinds = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'] as const;
/** The label of every role and binding that the API server creates itself. */
const OWN = 'kubernetes.io/bootstrapping=rbac-defaults';

/**
 * Returns the roles and bindings that an API server creates itself in the format of
 * packages/kube/authorizer/builtin-policy.ts: an object is a line of JSON. Aggregated roles have no rules of their own.
 */
export async function builtinPolicy(client: Client): Promise<string> {
  await until('the API server has created its roles', async () => {
    return (
      (
        await client.get({
          ...referTo('RoleBinding'),
          namespace: 'kube-public',
          name: 'system:controller:bootstrap-signer',
        })
      ).status === 200
    );
  });
  const lists = await Promise.all(
    kinds.map(
      async (kind) => (await client.list(referTo(kind), { labelSelector: OWN })).body.items!,
    ),
  );
  return lists
    .flatMap((items, i) => items.map((item) => JSON.stringify(reduce(kinds[i]!, item))))
    .join('\n');
}

const referTo = (kind: string) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind });

function reduce(kind: string, { metadata, ...object }: Body): object {
  const { name, namespace, labels } = metadata!;
  const aggregating = Object.entries((labels ?? {}) as Record<string, string>).filter(([label]) =>
    label.includes('/aggregate-to-'),
  );
  const { aggregationRule, rules, roleRef, subjects } = object as Record<string, unknown>;
  return {
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(aggregating.length > 0 && { labels: Object.fromEntries(aggregating) }),
    },
    ...(aggregationRule !== undefined ? { aggregationRule } : rules !== undefined && { rules }),
    ...(roleRef !== undefined && { roleRef }),
    ...(subjects !== undefined && { subjects }),
  };
}
