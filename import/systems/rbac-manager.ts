import { formatCanonicalJson } from '@tenantry/kube/json';
import {
  listSelectorFaults,
  matchesLabels,
  NAME_LABEL,
  type LabelSelector,
} from '@tenantry/kube/label-selector';
import { omitUndefined } from '@tenantry/kube/mapping';
import { isLabelValue } from '@tenantry/kube/names';
import type { KubeObject } from '@tenantry/kube/object';
import { formatList, formatPath, type Path } from '@tenantry/kube/problem';
import { boolean, enumOf, object, required, type Static } from '@tenantry/crd/schema';
import type { Subject } from '../access.ts';
import type { FoundObject } from '../manifests.ts';
import { listKnownFields } from './known-fields.ts';
import type { SystemObject } from './system-object.ts';
import { list, selector, text } from './system-schemas.ts';
import type { SystemSource, TenancySystem } from './tenancy-system.ts';
import type { Translation } from './translation.ts';
import type { RoleRef } from './translated-parts.ts';

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
 * rbac-manager: its RBACDefinitions bind subjects to roles in namespaces with certain labels. It makes nothing of a
 * definition with an error. Of two objects with one name it makes the first.
 *
 * Source: github.com/FairwindsOps/rbac-manager, pkg/reconciler/parser.go and reconciler.go (v1.9)
 */
export const rbacManager: TenancySystem = {
  name: 'rbac-manager',
  kinds: [{ group: 'rbacmanager.reactiveops.io', kind: 'RBACDefinition', schema: definition }],
  isMade: ({ metadata }: KubeObject) => metadata.labels?.['rbac-manager'] === 'reactiveops',
  translate(source, translation) {
    const run: Run = { source, translation, bindings: new Map(), accounts: new Map() };
    for (const one of source.objectsOf<Definition>('RBACDefinition')) {
      const fault = findFault(one.content);
      if (fault === undefined) {
        for (const [i, parts] of (one.content.rbacBindings ?? []).entries()) {
          translateBinding(one, parts, ['rbacBindings', i], run);
        }
        continue;
      }
      const { rbacBindings } = one.content;
      const all = listKnownFields(definition.properties!['rbacBindings']!, rbacBindings);
      for (const path of all) one.leave(['rbacBindings', ...path], fault);
    }
  },
};

/** A translation of all definitions, and what it made: the content of objects by namespace and name. */
interface Run {
  readonly source: SystemSource;
  readonly translation: Translation;
  readonly bindings: Map<string, string>;
  readonly accounts: Map<string, string>;
}

/** Returns the error for which rbac-manager makes nothing of a definition. */
function findFault({ rbacBindings = [] }: Definition): string | undefined {
  for (const [i, { roleBindings = [] }] of rbacBindings.entries()) {
    for (const [k, requested] of roleBindings.entries()) {
      const fault = findRequestFault(requested);
      const path = formatPath(['rbacBindings', i, 'roleBindings', k]);
      if (fault !== undefined) {
        return `rbac-manager makes nothing of the definition, because ${path} ${fault}`;
      }
    }
  }
  return undefined;
}

function findRequestFault(requested: RequestedBinding): string | undefined {
  const { clusterRole, role, namespace, namespaceSelector = {} } = requested;
  if (!clusterRole && !role) return 'names no role';
  if (!hasSelector(requested)) return namespace ? undefined : 'selects no namespace';
  const values = [
    ...Object.values(namespaceSelector.matchLabels ?? {}),
    ...(namespaceSelector.matchExpressions ?? []).flatMap((one) => one.values ?? []),
  ];
  const isValid =
    listSelectorFaults(namespaceSelector as LabelSelector).length === 0 &&
    values.every((value) => isLabelValue(value));
  return isValid ? undefined : 'has a selector that is invalid';
}

function translateBinding(
  one: SystemObject<Definition>,
  parts: Binding,
  path: Path,
  run: Run,
): void {
  const { subjects, clusterRoleBindings = [], roleBindings = [] } = parts;
  one.take([...path, 'name'], 'a part of names only');
  for (const i of clusterRoleBindings.keys()) {
    one.leave(
      [...path, 'clusterRoleBindings', i, 'clusterRole'],
      'it grants rights in the whole cluster, which no tenant has: keep it as a ClusterRoleBinding of the platform',
    );
  }
  for (const [i, requested] of roleBindings.entries()) {
    bindRequested(one, parts, requested, [...path, 'roleBindings', i], run);
  }
  for (const [i, account] of subjects.entries()) {
    const at = [...path, 'subjects', i];
    for (const field of ['kind', 'name', 'namespace', 'apiGroup']) {
      one.take([...at, field], 'a subject in `access`');
    }
    if (account.kind === 'ServiceAccount') addAccount(one, account, at, run);
  }
}

function bindRequested(
  one: SystemObject<Definition>,
  { name: bindingName, subjects }: Binding,
  requested: RequestedBinding,
  path: Path,
  { source: { namespaces }, translation, bindings }: Run,
): void {
  const { clusterRole, role, namespace } = requested;
  const ref: RoleRef = clusterRole
    ? { kind: 'ClusterRole', name: clusterRole }
    : { kind: 'Role', name: role! };
  const fields = listKnownFields(roleBinding, requested);
  const leave = (reason: string): void => {
    for (const field of fields) one.leave([...path, ...field], reason);
  };
  const targets = selectNamespaces(requested, namespaces);
  if (targets.length === 0) {
    const lacking = hasSelector(requested)
      ? 'has no namespace with these labels'
      : `does not have the namespace ${namespace}`;
    return leave(`the source ${lacking}`);
  }
  if (subjects.length === 0) return leave('it has no subjects, and grants nothing');
  const homeless = subjects.find(({ kind, namespace: home }) => kind === 'ServiceAccount' && !home);
  if (homeless) {
    return leave(
      `the API server refuses the binding, because the ServiceAccount ${homeless.name} has no namespace`,
    );
  }
  const object = `${one.name}-${bindingName}-${clusterRole || `${role}-${namespace ?? ''}`}`;
  const content = formatCanonicalJson({ ref, subjects: subjects.map(toSubject) });
  const bound = targets.filter((target) => {
    const key = `${target}/${object}`;
    const first = bindings.get(key) ?? content;
    bindings.set(key, first);
    return first === content;
  });
  for (const target of bound) translation.bind(target, ref, subjects.map(toSubject), one);
  const refused = targets.filter((target) => !bound.includes(target));
  if (refused.length > 0) {
    leave(`rbac-manager has another RoleBinding ${object} in ${formatList(refused)}`);
  }
  if (bound.length === 0) return;
  for (const field of fields) one.take([...path, ...field], `\`access\` of ${formatList(bound)}`);
}

const hasSelector = ({ namespaceSelector }: RequestedBinding): boolean =>
  namespaceSelector?.matchLabels !== undefined ||
  (namespaceSelector?.matchExpressions ?? []).length > 0;

/** Lists the namespaces that a binding selects. A selector with empty `matchLabels` selects all of them. */
function selectNamespaces(
  requested: RequestedBinding,
  namespaces: readonly FoundObject[],
): string[] {
  const { namespace, namespaceSelector } = requested;
  const names = namespaces.filter(({ object: { metadata } }) =>
    hasSelector(requested)
      ? matchesLabels(namespaceSelector as LabelSelector, {
          ...metadata.labels,
          // The API server sets it, and manifests in Git lack it.
          [NAME_LABEL]: metadata.name,
        })
      : metadata.name === namespace,
  );
  return names.map(({ object }) => object.metadata.name);
}

function toSubject({ kind, name, namespace }: Binding['subjects'][number]): Subject {
  return omitUndefined<Subject>({ kind, name, namespace });
}

/** rbac-manager makes the ServiceAccounts that it binds, unless somebody else has made them. */
function addAccount(
  one: SystemObject<Definition>,
  { name, namespace, imagePullSecrets, automountServiceAccountToken }: Binding['subjects'][number],
  path: Path,
  { source: { namespaces, objects }, translation, accounts }: Run,
): void {
  const own: Path[] = [
    ...(imagePullSecrets ?? []).map((_, i) => [...path, 'imagePullSecrets', i]),
    [...path, 'automountServiceAccountToken'],
  ];
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
  const account = omitUndefined<KubeObject>({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name },
    imagePullSecrets: imagePullSecrets?.map((secret) => ({ name: secret })),
    automountServiceAccountToken,
  });
  const key = `${namespace}/${name}`;
  const content = formatCanonicalJson(account);
  const first = accounts.get(key) ?? content;
  const reason = isThere
    ? `the source has the ${become} itself`
    : !isIn
      ? `the source has no namespace of the ${become}`
      : name === 'default'
        ? 'every namespace has this ServiceAccount, and rbac-manager does not change it'
        : first === content
          ? undefined
          : `rbac-manager has another ${become}`;
  if (reason !== undefined || namespace === undefined) {
    for (const field of own)
      one.leave(field, reason ?? `the source has no namespace of the ${become}`);
    return;
  }
  accounts.set(key, content);
  for (const field of own) one.take(field, become);
  // Two bindings may name the same account.
  translation.addObject(namespace, account, one);
}
