import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { boolean, enumOf, object, required, type Static } from '@tenantry/crd/schema';
import type { Subject } from '../access.ts';
import type { FoundObject } from '../manifests.ts';
import type { SystemObject } from './system-object.ts';
import { list, selector, text } from './system-schemas.ts';
import type { SystemSource, TenancySystem } from './tenancy-system.ts';
import type { RoleRef, Translation } from './translation.ts';

const subject = object('A subject.', {
  kind: required(enumOf('Its kind.', ['User', 'Group', 'ServiceAccount'])),
  name: required(text('Its name.')),
  namespace: text('The namespace of a ServiceAccount.'),
  apiGroup: text('Its API group.'),
  imagePullSecrets: list('Names of Secrets.', text('A name.')),
  automountServiceAccountToken: boolean('Whether pods get a token.'),
});

const roleBinding = object('Bindings in namespaces.', {
  clusterRole: text('A ClusterRole; it wins over `role`.'),
  role: text('A Role.'),
  namespaceSelector: selector,
  namespace: text('One namespace; the selector wins.'),
});

const binding = object('Subjects and their roles.', {
  name: required(text('Its name.')),
  subjects: required(list('Subjects.', subject)),
  clusterRoleBindings: list(
    'Roles in the whole cluster.',
    object('A role.', { clusterRole: required(text('A ClusterRole.')) }),
  ),
  roleBindings: list('Roles in namespaces.', roleBinding),
});

const definition = object(
  'An RBACDefinition.',
  { rbacBindings: list('Bindings.', binding) },
  { preserveUnknownFields: true },
);

type Definition = Static<typeof definition>;
type Binding = NonNullable<Definition['rbacBindings']>[number];
type RequestedBinding = NonNullable<Binding['roleBindings']>[number];

/**
 * rbac-manager: its RBACDefinitions bind subjects to roles in namespaces with certain labels.
 *
 * Source: github.com/FairwindsOps/rbac-manager, pkg/reconciler/parser.go (v1.9)
 */
export const rbacManager: TenancySystem = {
  name: 'rbac-manager',
  kinds: [{ group: 'rbacmanager.reactiveops.io', kind: 'RBACDefinition', schema: definition }],
  isMade: ({ metadata }: KubeObject) => metadata.labels?.['rbac-manager'] === 'reactiveops',
  translate(source, translation) {
    for (const one of source.objectsOf<Definition>('RBACDefinition')) {
      for (const [i, parts] of (one.content.rbacBindings ?? []).entries()) {
        translateBinding(one, parts, ['rbacBindings', i], source, translation);
      }
    }
  },
};

function translateBinding(
  one: SystemObject<Definition>,
  { subjects, clusterRoleBindings = [], roleBindings = [] }: Binding,
  path: Path,
  source: SystemSource,
  translation: Translation,
): void {
  one.take([...path, 'name'], 'a part of names only');
  for (const i of clusterRoleBindings.keys()) {
    one.leave(
      [...path, 'clusterRoleBindings', i],
      'it grants rights in the whole cluster, which no tenant has: keep it as a ClusterRoleBinding of the platform',
    );
  }
  for (const [i, requested] of roleBindings.entries()) {
    bindRequested(one, requested, subjects, [...path, 'roleBindings', i], source, translation);
  }
  for (const [i, account] of subjects.entries()) {
    const at = [...path, 'subjects', i];
    for (const field of ['kind', 'name', 'namespace', 'apiGroup']) {
      one.take([...at, field], 'a subject in `access`');
    }
    if (account.kind === 'ServiceAccount') addAccount(one, account, at, source, translation);
  }
}

function bindRequested(
  one: SystemObject<Definition>,
  requested: RequestedBinding,
  subjects: Binding['subjects'],
  path: Path,
  { namespaces }: SystemSource,
  translation: Translation,
): void {
  const { clusterRole, role, namespace } = requested;
  const name = clusterRole || role;
  const targets = selectNamespaces(requested, namespaces);
  if (!name) return one.leave(path, 'it names no role, and rbac-manager refuses it');
  if (!targets) return one.leave(path, 'it selects no namespace, and rbac-manager refuses it');
  if (targets.length === 0) {
    const lacking = hasSelector(requested)
      ? 'has no namespace with these labels'
      : `does not have the namespace ${namespace}`;
    return one.leave(path, `the source ${lacking}`);
  }
  const ref: RoleRef = clusterRole ? { kind: 'ClusterRole', name } : { kind: 'Role', name };
  for (const target of targets) translation.bind(target, ref, subjects.map(toSubject), one);
  one.take(path, `\`access\` of ${targets.join(', ')}`);
}

const hasSelector = ({ namespaceSelector }: RequestedBinding): boolean =>
  namespaceSelector?.matchLabels !== undefined ||
  (namespaceSelector?.matchExpressions ?? []).length > 0;

/** Returns undefined if the binding selects nothing at all. A selector with empty `matchLabels` selects everything. */
function selectNamespaces(
  requested: RequestedBinding,
  namespaces: readonly FoundObject[],
): string[] | undefined {
  const { namespace, namespaceSelector } = requested;
  const names = namespaces.filter(({ object: { metadata } }) =>
    hasSelector(requested)
      ? matchesLabels(namespaceSelector as LabelSelector, metadata.labels ?? {})
      : metadata.name === namespace,
  );
  if (!hasSelector(requested) && !namespace) return undefined;
  return names.map(({ object }) => object.metadata.name);
}

function toSubject({ kind, name, namespace }: Binding['subjects'][number]): Subject {
  return omitUndefined<Subject>({ kind, name, namespace });
}

/** rbac-manager makes the ServiceAccounts that it binds. */
function addAccount(
  one: SystemObject<Definition>,
  { name, namespace, imagePullSecrets, automountServiceAccountToken }: Binding['subjects'][number],
  path: Path,
  { namespaces, objects }: SystemSource,
  translation: Translation,
): void {
  const own = ['imagePullSecrets', 'automountServiceAccountToken'];
  const become = `ServiceAccount ${namespace}/${name}`;
  const isIn = namespaces.some(({ object }) => object.metadata.name === namespace);
  const isThere = objects.some(
    ({ object: { apiVersion, kind, metadata } }) =>
      apiVersion === 'v1' &&
      kind === 'ServiceAccount' &&
      metadata.name === name &&
      metadata.namespace === namespace &&
      !rbacManager.isMade!({ apiVersion, kind, metadata }),
  );
  if (namespace === undefined || !isIn || isThere) {
    const reason = isThere
      ? `the source has the ${become} itself`
      : `the source has no namespace of the ${become}`;
    for (const field of own) one.leave([...path, field], reason);
    return;
  }
  for (const field of own) one.take([...path, field], become);
  const account = omitUndefined<KubeObject>({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name },
    imagePullSecrets: imagePullSecrets?.map((secret) => ({ name: secret })),
    automountServiceAccountToken,
  });
  // Two bindings may name the same account.
  translation.addObject(namespace, account, one);
}
