import { buildRoles, type AccessRule, type PolicyRule, type Verb } from '@tenantry/kube/access';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { pruneOutcome, parseSyncOptions } from '../../objects/retention.ts';
import { isSyncAccount } from '../../argocd-names.ts';
import { formatKind, type AppliedKind, type AppliedKinds } from './applied-kinds.ts';
import { addTenantryLabels } from '../../ownership.ts';

/** The least access that an applier of objects needs. */
interface ApplyRights {
  /** The access for what it does with them. */
  readonly manages: readonly PolicyRule[];
  /**
   * The access that it must have to grant it to others. An API server lets nobody write a role without the rights in
   * it, or a binding to such a role, unless they may `escalate` or `bind`. Nor does it accept an admission policy from
   * someone who cannot read the policy's parameters.
   */
  readonly grants: readonly object[];
}

const RBAC = 'rbac.authorization.k8s.io';

/** Argo CD keeps all objects of the kinds that it applies in memory. */
const CACHED: readonly Verb[] = ['get', 'list', 'watch'];

/** Kinds that are updated before they are applied, unless `ServerSideApply=true` is set. */
const reconciled = new Set(['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']);

/** Kinds whose objects change with each declaration, so that no role could name them. */
const declared = new Set(['/Namespace', 'tenantry.dev/Tenant', 'tenantry.dev/TenantClass']);

/** How objects are applied. */
interface ApplyRightsOptions {
  /** Whether Applications set `ServerSideApply=true`. @default - only for objects that set it themselves */
  readonly serverSide?: boolean;
}

/**
 * Computes the access with which Argo CD compares and applies objects, and prunes those that are no longer among them.
 * Access to cluster-scoped objects is limited to names, except for kinds that are declared daily. `create` is limited
 * to names too if all objects of the kind are applied by the server: an apply request has a name in its path, a create
 * request has none.
 *
 * It may delete only those Namespaces for which it is requested: none with `Prune=false,Delete=false`.
 *
 * For ClusterRoles it has the rights that they contain, because `escalate` on them is the right to everything. Roles
 * come from tenants and classes with any name and any rule, so for these it has `escalate`.
 */
export function computeApplyRights(
  { kinds, parameters }: Pick<AppliedKinds, 'kinds' | 'parameters'>,
  { serverSide = false }: ApplyRightsOptions = {},
): ApplyRights {
  const isServerSide = ({ objects }: AppliedKind): boolean =>
    serverSide || objects.every((one) => parseSyncOptions(one).has('ServerSideApply=true'));
  const rules = kinds.map((kind) => ({ ...kind, isServerSide: isServerSide(kind) }));
  const ofRbac = kinds.flatMap(({ group, objects }) => (group === RBAC ? objects : []));
  const { cluster } = buildRoles(rules.flatMap(listKindRules));
  return {
    manages: [...cluster, ...mergeRules(rules.filter(isNamed).map(buildNamedRule))],
    grants: [
      ...buildRoles([...listGrantAccess(ofRbac), ...parameters.map(buildReadRule)]).cluster,
      ...listImpersonationRules(ofRbac),
      ...listClusterRoleRules(ofRbac),
    ],
  };
}

interface ApplicableKind extends AppliedKind {
  readonly isServerSide: boolean;
}

/** Whether access to the kind is limited to names: a new object then changes the role. */
function isNamed(kind: AppliedKind): boolean {
  return kind.scope === 'Cluster' && !declared.has(formatKind(kind));
}

function listKindRules(kind: ApplicableKind): AccessRule[] {
  const { group, resource } = kind;
  if (!isNamed(kind)) {
    const verbs = [...CACHED, 'create', ...listChangeVerbs(kind)] as const;
    return [{ group, resource, verbs }, ...listDeleteRules(kind)];
  }
  const creates = kind.isServerSide ? [] : (['create'] as const);
  return [{ group, resource, verbs: ['list', 'watch', ...creates] }];
}

/**
 * Builds a rule with names. `AccessRule` does not limit `create` to names, because that only works for server-side
 * apply.
 */
function buildNamedRule(kind: ApplicableKind): PolicyRule {
  const creates = kind.isServerSide ? (['create'] as const) : [];
  const names = kind.objects.map(({ metadata }) => metadata.name);
  return {
    apiGroups: [kind.group],
    resources: [kind.resource],
    verbs: ['get', ...creates, ...listChangeVerbs(kind), 'delete'],
    resourceNames: [...new Set(names)].toSorted(),
  };
}

/** Merges rules that differ only in their resources. */
function mergeRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const alike = Map.groupBy(rules, (rule) => formatCanonicalJson({ ...rule, resources: [] }));
  return [...alike.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, resources: [first, ...more].flatMap(({ resources }) => resources) }] : [],
  );
}

function listChangeVerbs(kind: ApplicableKind): Verb[] {
  const isReconciled = kind.group === RBAC && reconciled.has(kind.kind) && !kind.isServerSide;
  return isReconciled ? ['update', 'patch'] : ['patch'];
}

function listDeleteRules(kind: AppliedKind): AccessRule[] {
  const { group, resource, objects } = kind;
  if (formatKind(kind) !== '/Namespace') return [{ group, resource, verbs: ['delete'] }];
  const resourceNames = objects
    .filter(
      (one) => pruneOutcome('Prune', one) !== 'left' || pruneOutcome('Delete', one) !== 'left',
    )
    .map(({ metadata }) => metadata.name);
  return resourceNames.length === 0 ? [] : [{ group, resource, verbs: ['delete'], resourceNames }];
}

/**
 * Builds the rule to read parameters. A policy requires `get`. Its binding requires `get` or `list`, depending on
 * whether it names a parameter or selects some.
 */
function buildReadRule(parameter: AppliedKinds['parameters'][number]): AccessRule {
  return { ...parameter, verbs: ['get', 'list'] };
}

/** Lists the access to bind ClusterRoles that are not among the objects. Argo CD has the rights of those among them. */
function listGrantAccess(objects: readonly KubeObject[]): AccessRule[] {
  const brought = new Set(
    objects.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name),
  );
  const bound = objects.flatMap((one) => findBoundClusterRole(one) ?? []);
  const names = [...new Set(bound)].filter((name) => !brought.has(name)).toSorted();
  const hasRoles = objects.some(({ kind, roleRef }) => {
    return kind === 'Role' || (isMapping(roleRef) && roleRef['kind'] === 'Role');
  });
  return [
    ...(names.length > 0
      ? [{ group: RBAC, resource: 'clusterroles', verbs: ['bind' as const], resourceNames: names }]
      : []),
    ...(hasRoles ? [{ group: RBAC, resource: 'roles', verbs: ['bind', 'escalate'] as const }] : []),
  ];
}

/** Builds the rules to impersonate the accounts as which it syncs what tenants deploy: the subjects of the bindings. */
function listImpersonationRules(objects: readonly KubeObject[]): object[] {
  const subjects = objects.flatMap(({ kind, subjects }) =>
    kind === 'RoleBinding' && Array.isArray(subjects) ? subjects.filter(isMapping) : [],
  );
  const names = subjects.flatMap(({ kind, name }) =>
    kind === 'ServiceAccount' && typeof name === 'string' && isSyncAccount(name) ? [name] : [],
  );
  if (names.length === 0) return [];
  const resourceNames = [...new Set(names)].toSorted();
  return [
    { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'], resourceNames },
  ];
}

function findBoundClusterRole({ kind, roleRef }: KubeObject): string | undefined {
  if (!/^(Cluster)?RoleBinding$/.test(kind) || !isMapping(roleRef)) return undefined;
  const { kind: role, name } = roleRef;
  return role === 'ClusterRole' && typeof name === 'string' ? name : undefined;
}

/** Lists the rules in order, without duplicates. */
function listClusterRoleRules(objects: readonly KubeObject[]): object[] {
  const rules = objects.flatMap(({ kind, rules }) =>
    kind === 'ClusterRole' && Array.isArray(rules) ? rules.filter(isMapping) : [],
  );
  return [...new Map(rules.map((rule) => [formatCanonicalJson(rule), rule])).values()];
}

/** An account of a cluster. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

const GROUP = 'rbac.authorization.k8s.io';

/**
 * The name of the role with what it does, and of its binding. The name of the role with what it grants to others has
 * the suffix `-grants`.
 */
const ARGOCD_ROLE = 'tenantry-argocd';

/**
 * Builds two ClusterRoles with their bindings, so that a reader sees what it uses itself, and what it only grants to
 * others.
 */
export function buildApplyRoles(
  { manages, grants }: ApplyRights,
  accounts: readonly Account[],
): KubeObject[] {
  return [
    ...buildRoleAndBinding(ARGOCD_ROLE, manages, accounts),
    ...(grants.length > 0 ? buildRoleAndBinding(`${ARGOCD_ROLE}-grants`, grants, accounts) : []),
  ];
}

function buildRoleAndBinding(
  name: string,
  rules: readonly object[],
  accounts: readonly Account[],
): [role: KubeObject, binding: KubeObject] {
  const apiVersion = `${GROUP}/v1`;
  const subjects = accounts.map((one) => ({ kind: 'ServiceAccount', ...one }));
  return [
    addTenantryLabels({ apiVersion, kind: 'ClusterRole', metadata: { name }, rules }),
    addTenantryLabels({
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
      subjects,
    }),
  ];
}
