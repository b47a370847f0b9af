import { rolesOf, type AccessRule, type PolicyRule, type Verb } from '../../../kube/access.ts';
import { formatCanonicalJson } from '../../../kube/equality.ts';
import { isMapping } from '../../../kube/mapping.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { pruneOutcome, parseSyncOptions } from '../../tenant/prune-outcome.ts';
import { isSyncAccount } from '../../tenant/sync-account.ts';
import type { AppliedKind, AppliedKinds } from './applied-kinds.ts';

/** The least that whoever applies objects has to be granted. */
export interface ApplyRights {
  /** What it does with them. */
  readonly manages: readonly PolicyRule[];
  /**
   * What it must hold to give it to others: an API server lets nobody write a role who does not hold what it
   * allows, nor a binding to one, but who may `escalate` or `bind`; nor an admission policy with parameters who
   * cannot read these.
   */
  readonly grants: readonly object[];
}

const RBAC = 'rbac.authorization.k8s.io';

/** It keeps in memory all objects of the kinds that it applies. */
const CACHED: readonly Verb[] = ['get', 'list', 'watch'];

/** Without `ServerSideApply=true` roles and bindings are reconciled before they are applied: by an update. */
const reconciled = new Set(['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']);

/** Come and go with each declaration, so that no role could name them. */
const declared = new Set(['/Namespace', 'tenantry.dev/Tenant', 'tenantry.dev/TenantClass']);

/** How objects are applied. */
export interface ApplyRightsOptions {
  /** Whether Applications say `ServerSideApply=true`. @default - those objects alone that say it themselves */
  readonly serverSide?: boolean;
}

/**
 * The rights with which Argo CD compares and applies objects, and prunes what is no longer among them. What lies
 * in no namespace is held to names, but for what is declared daily. `create` is held to them too where all
 * objects of the kind are applied by the server: a request to apply has a name in its path, one to create has none.
 *
 * Of Namespaces it may delete those alone that it is asked to: none with `Prune=false,Delete=false`.
 *
 * Of ClusterRoles it holds what they allow, since `escalate` on them is the right to everything. Roles are made
 * by tenants and classes, under any name and with any rule, so for these it has `escalate`.
 */
export function computeApplyRights(
  { kinds, parameters }: Pick<AppliedKinds, 'kinds' | 'parameters'>,
  { serverSide = false }: ApplyRightsOptions = {},
): ApplyRights {
  const isServerSide = ({ objects }: AppliedKind): boolean =>
    serverSide || objects.every((one) => parseSyncOptions(one).has('ServerSideApply=true'));
  const rules = kinds.map((kind) => ({ ...kind, isServerSide: isServerSide(kind) }));
  const ofRbac = kinds.flatMap(({ group, objects }) => (group === RBAC ? objects : []));
  const { cluster } = rolesOf(rules.flatMap(listKindRules));
  return {
    manages: [...cluster, ...mergeRules(rules.filter(isNamed).map(buildNamedRule))],
    grants: [
      ...rolesOf([...listGrantAccess(ofRbac), ...parameters.map(buildReadRule)]).cluster,
      ...listImpersonationRules(ofRbac),
      ...listClusterRoleRules(ofRbac),
    ],
  };
}

interface ApplicableKind extends AppliedKind {
  readonly isServerSide: boolean;
}

/** Whether its objects are named: one that is added changes the role. */
function isNamed(kind: AppliedKind): boolean {
  return kind.scope === 'Cluster' && !declared.has(idOf(kind));
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

/** No `AccessRule`, which holds `create` to no names: that is of use to those alone who only apply. */
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

/** Rules of several resources where they differ in nothing else. */
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
  if (idOf(kind) !== '/Namespace') return [{ group, resource, verbs: ['delete'] }];
  const resourceNames = objects
    .filter(
      (one) => pruneOutcome('Prune', one) !== 'left' || pruneOutcome('Delete', one) !== 'left',
    )
    .map(({ metadata }) => metadata.name);
  return resourceNames.length === 0 ? [] : [{ group, resource, verbs: ['delete'], resourceNames }];
}

/** A policy asks for `get`; its binding for `get` or `list`, by whether it names one or selects some. */
function buildReadRule(parameter: AppliedKinds['parameters'][number]): AccessRule {
  return { ...parameter, verbs: ['get', 'list'] };
}

/** Bindings to ClusterRoles that are not among the objects: those are held. */
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

/** The accounts as which it syncs what tenants deploy: who is bound is impersonated. */
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

/** In their order, each once. */
function listClusterRoleRules(objects: readonly KubeObject[]): object[] {
  const rules = objects.flatMap(({ kind, rules }) =>
    kind === 'ClusterRole' && Array.isArray(rules) ? rules.filter(isMapping) : [],
  );
  return [...new Map(rules.map((rule) => [formatCanonicalJson(rule), rule])).values()];
}

function idOf({ group, kind }: AppliedKind): string {
  return `${group}/${kind}`;
}
