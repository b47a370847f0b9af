import { formatList } from '../../kube/problem.ts';
import { keyOf, type ObjectName } from '../../runtime/kinds/kind.ts';
import { isDefinition } from '../objects/custom-kinds.ts';
import type { PlacedObject } from '../objects/placed.ts';
import { isMapping, valueAt } from '../../kube/mapping.ts';

/** Returns the objects that an operator outside of the cluster needs in it: its definitions. */
export function definitionsOf(objects: readonly PlacedObject[]): readonly PlacedObject[] {
  return objects.filter(({ object }) => isDefinition(object));
}

const rightsKinds: ReadonlySet<string> = new Set([
  'Namespace',
  'ServiceAccount',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
]);

/**
 * Returns the objects that grant the declared rights: the account, roles and bindings, and their
 * namespaces.
 */
export function rightsOf(objects: readonly PlacedObject[]): readonly PlacedObject[] {
  return objects.filter(({ kind }) => rightsKinds.has(kind.kind));
}

/**
 * Returns the ServiceAccount of the operator: that of the only Deployment, or else the only one.
 * @returns in words, why there is not one
 */
export function accountOf(objects: readonly PlacedObject[]): ObjectName | string {
  const accounts = objects.flatMap(({ kind, object }) => {
    const { name, namespace } = object.metadata;
    if (kind.kind !== 'Deployment') return [];
    const pod = valueAt(object, ['spec', 'template', 'spec']);
    const accountName = isMapping(pod) ? pod['serviceAccountName'] : undefined;
    return [
      { name: typeof accountName === 'string' ? accountName : 'default', namespace, of: name },
    ];
  });
  const own = objects
    .filter(({ kind }) => kind.kind === 'ServiceAccount')
    .map(({ object }) => object.metadata);
  const found = accounts.length > 0 ? accounts : own;
  const [first, ...more] = new Map(found.map((one) => [keyOf(one), one])).values();
  if (first && more.length === 0) return { name: first.name, namespace: first.namespace };
  const names = formatList([...new Set(found.map(keyOf))]) || 'none';
  return `the manifests must have one Deployment with a ServiceAccount, got ${names}`;
}
