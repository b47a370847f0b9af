import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';

/** The name of the ClusterRole that the documentation shows. */
export const READER_ROLE = 'tenantry-import';

/** Builds the ClusterRole with the least rights that reading the kinds needs. */
export function buildReaderRole(kinds: readonly Kind[], name = READER_ROLE): KubeObject {
  const byGroup = Map.groupBy(kinds, ({ group }) => group);
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [...byGroup].map(([group, members]) => ({
      apiGroups: [group],
      resources: members.map(({ plural }) => plural),
      verbs: ['list'],
    })),
  };
}

/** Explains which kinds a user must be allowed to list, with the role that allows reading all kinds. */
export function explainMissingRights(
  missing: readonly Kind[],
  all: readonly Kind[],
  name = READER_ROLE,
): string {
  const names = missing.map(resourceOf).join(', ');
  return `you must be allowed to list, in all namespaces: ${names}. Nothing was written. This role suffices:

${emitYaml([buildReaderRole(all, name)]).trimEnd()}`;
}
