import type { Construct } from 'constructs';
import type { PolicyRule } from '../../../kube/access.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { PlusResource, PlusModule } from './used.ts';

/** A role of cdk8s-plus that grants the same; it has a rule for each resource, and for each name. */
export function createPlusRole(
  plus: PlusModule,
  scope: Construct,
  id: string,
  { kind, metadata, rules }: KubeObject & { readonly rules: readonly PolicyRule[] },
): Construct {
  const role = new plus[kind === 'Role' ? 'Role' : 'ClusterRole'](scope, id, { metadata });
  for (const { apiGroups, resources, resourceNames = [undefined], verbs } of rules) {
    const named = apiGroups.flatMap((group) =>
      resources.flatMap((plural) =>
        resourceNames.map((name) => buildPlusResource(group, plural, name)),
      ),
    );
    role.allow(verbs, ...named);
  }
  return role;
}

export function createPlusBinding(
  plus: PlusModule,
  scope: Construct,
  id: string,
  {
    kind,
    metadata,
    role,
    subject,
  }: Pick<KubeObject, 'kind' | 'metadata'> & {
    readonly role: object;
    readonly subject: object;
  },
): Construct {
  const bindings = { RoleBinding: plus.RoleBinding, ClusterRoleBinding: plus.ClusterRoleBinding };
  const binding = new bindings[kind === 'RoleBinding' ? kind : 'ClusterRoleBinding'](scope, id, {
    metadata,
    role,
  });
  binding.addSubjects(subject);
  return binding;
}

function buildPlusResource(group: string, plural: string, name: string | undefined): PlusResource {
  const one: PlusResource = {
    apiGroup: group,
    resourceType: plural,
    ...(name !== undefined && { resourceName: name }),
    asApiResource: () => one,
    asNonApiResource: () => undefined,
  };
  return one;
}
