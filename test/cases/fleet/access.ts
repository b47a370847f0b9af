import { resolveBindingName } from '../../../model/layers/grants.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Access, Holders, PolicyRule } from '../../../crds/access.ts';
import type { TenantClassSpec } from '../../../crds/tenant-class.ts';
import { objectsOf, type Original } from './originals.ts';
import { same } from './counting.ts';

interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

export interface BindingObject extends KubeObject {
  readonly roleRef: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  readonly subjects?: readonly Subject[];
}

export interface RoleObject extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

const RBAC = 'rbac.authorization.k8s.io/v1';

export const bindingsOf = (original: Original): BindingObject[] =>
  objectsOf(original, RBAC, 'RoleBinding');
export const buildRoles = (original: Original): RoleObject[] => objectsOf(original, RBAC, 'Role');

/** The fields of `access` for the built-in ClusterRoles of Kubernetes. */
const fields = { admin: 'admins', edit: 'editors', view: 'viewers' } as const;

/** Returns the roles and bindings of a namespace in the form of `access`. */
export function accessOf(original: Original, klass: TenantClassSpec): Access {
  const access: { -readonly [K in keyof Access]: Access[K] } = {};
  const bindings = bindingsOf(original);
  for (const binding of bindings) {
    const { kind, name } = binding.roleRef;
    if (kind !== 'ClusterRole') continue;
    const field = name in fields ? fields[name as keyof typeof fields] : undefined;
    if (field && !access[field]) {
      access[field] = holdersOf(binding, klass.defaults?.access?.[field]?.bindingName);
    } else access.clusterRoles = [...(access.clusterRoles ?? []), { name, ...holdersOf(binding) }];
  }
  for (const role of buildRoles(original)) {
    const { name } = role.metadata;
    const preset = klass.presets?.roles?.find(
      (one) => one.name === name && same(one.rules, role.rules),
    );
    const what = preset ? { preset: name } : { name, rules: role.rules };
    const bound = bindings.filter(
      ({ roleRef }) => roleRef.kind === 'Role' && roleRef.name === name,
    );
    const entries = bound.map((binding) => ({
      ...what,
      ...holdersOf(binding, preset?.bindingName),
    }));
    access.roles = [...(access.roles ?? []), ...(entries.length > 0 ? entries : [what])];
  }
  return access;
}

/** @param nameInClass the bindingName in the class */
function holdersOf(
  { metadata, roleRef, subjects = [] }: BindingObject,
  nameInClass?: string,
): Holders {
  const named = (kind: Subject['kind']): string[] => [
    ...new Set(subjects.flatMap((subject) => (subject.kind === kind ? [subject.name] : []))),
  ];
  const implied =
    nameInClass?.replaceAll('{namespace}', metadata.namespace!) ??
    resolveBindingName({ role: roleRef });
  const users = named('User');
  const groups = named('Group');
  const serviceAccounts = subjects
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ name, namespace }) => ({ name, namespace: namespace ?? metadata.namespace! }));
  return {
    ...(users.length > 0 && { users }),
    ...(groups.length > 0 && { groups }),
    ...(serviceAccounts.length > 0 && { serviceAccounts }),
    ...(metadata.name !== implied && { bindingName: metadata.name }),
  };
}
