import { isMapping } from '../../kube/mapping.ts';
import { kindOf, listAt, nameOf, textAt, type BuiltObject } from './tree.ts';

/**
 * The permissions of ServiceAccounts in the form of a ClusterServiceVersion, and the objects that they were extracted
 * from.
 */
export interface Permissions {
  readonly permissions: readonly object[];
  readonly clusterPermissions: readonly object[];
  readonly used: ReadonlySet<BuiltObject>;
}

/**
 * Extracts the rights that bindings grant to accounts: by a RoleBinding in the operator's namespace, by a
 * ClusterRoleBinding everywhere.
 * @param namespace the namespace of the operator
 */
export function extractPermissions(
  objects: readonly BuiltObject[],
  accounts: ReadonlySet<string>,
  namespace: string,
): Permissions {
  const used = new Set<BuiltObject>();
  const rules = { here: new Map<string, unknown[]>(), everywhere: new Map<string, unknown[]>() };
  for (const binding of objects) {
    const kind = kindOf(binding);
    if (kind !== 'RoleBinding' && kind !== 'ClusterRoleBinding') continue;
    const subjects = listAt(binding.value, 'subjects');
    const bound = subjects.filter((one) => isAccount(one, accounts));
    const role = roleOf(binding, objects);
    // A binding with other subjects stays an object; OLM then creates it and its role unchanged.
    if (bound.length === 0 || bound.length < subjects.length || !role) continue;
    if (kind === 'RoleBinding' && textAt(binding.value, 'metadata', 'namespace') !== namespace) {
      continue;
    }
    used.add(binding);
    used.add(role);
    const where = kind === 'RoleBinding' ? rules.here : rules.everywhere;
    for (const subject of bound) {
      const account = textAt(subject, 'name');
      where.set(account, [...(where.get(account) ?? []), ...listAt(role.value, 'rules')]);
    }
  }
  // A role that another binding refers to stays an object.
  for (const other of objects) {
    if (used.has(other)) continue;
    const role = roleOf(other, objects);
    if (role) used.delete(role);
  }
  return { permissions: asList(rules.here), clusterPermissions: asList(rules.everywhere), used };
}

function isAccount(subject: unknown, accounts: ReadonlySet<string>): boolean {
  return (
    isMapping(subject) &&
    subject['kind'] === 'ServiceAccount' &&
    accounts.has(textAt(subject, 'name'))
  );
}

function roleOf({ value }: BuiltObject, objects: readonly BuiltObject[]): BuiltObject | undefined {
  const [kind, name] = [textAt(value, 'roleRef', 'kind'), textAt(value, 'roleRef', 'name')];
  return objects.find((one) => kindOf(one) === kind && nameOf(one) === name);
}

function asList(rules: ReadonlyMap<string, unknown[]>): object[] {
  return [...rules].map(([serviceAccountName, all]) => ({ serviceAccountName, rules: all }));
}
