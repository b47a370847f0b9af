import { expect, test } from '@jest/globals';
import { resolveAppliedKinds } from '../../../model/argocd/rights/applied-kinds.ts';
import { buildInclusions } from '../../../model/argocd/rights/inclusions.ts';
import { computeApplyRights } from '../../../model/argocd/rights/rights.ts';
import type { KubeObject } from '@tenantry/kube/object';

const RBAC = 'rbac.authorization.k8s.io';

const object = (apiVersion: string, kind: string, name: string, rest: object = {}) =>
  ({ apiVersion, kind, metadata: { name }, ...rest }) as KubeObject;

const withOptions = (one: KubeObject, options: string): KubeObject => ({
  ...one,
  metadata: { ...one.metadata, annotations: { 'argocd.argoproj.io/sync-options': options } },
});

const rightsOf = (...objects: readonly KubeObject[]) => {
  const applied = resolveAppliedKinds(objects, []);
  expect(applied.unknown).toEqual([]);
  return computeApplyRights(applied);
};

const binding = (kind: 'RoleBinding' | 'ClusterRoleBinding', role: string, name: string) =>
  object(`${RBAC}/v1`, kind, 'b', { roleRef: { apiGroup: RBAC, kind: role, name } });

test('rights for namespaced objects list each applied kind, and no other kind', () => {
  expect(rightsOf(object('v1', 'ConfigMap', 'a'), object('v1', 'ConfigMap', 'b'))).toEqual({
    manages: [
      {
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      },
    ],
    grants: [],
  });
});

test('rights for cluster-scoped objects are limited to names, also for create where all of them use server-side apply', () => {
  const policy = (name: string) =>
    object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', name);
  const { manages } = rightsOf(
    withOptions(policy('b'), 'ServerSideApply=true,Prune=confirm'),
    withOptions(policy('a'), 'ServerSideApply=true'),
  );
  const of = {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingadmissionpolicies'],
  };
  expect(manages).toEqual([
    { ...of, verbs: ['list', 'watch'] },
    { ...of, verbs: ['get', 'create', 'patch', 'delete'], resourceNames: ['a', 'b'] },
  ]);
  expect(rightsOf(withOptions(policy('b'), 'ServerSideApply=true'), policy('a')).manages).toEqual([
    { ...of, verbs: ['list', 'watch', 'create'] },
    { ...of, verbs: ['get', 'patch', 'delete'], resourceNames: ['a', 'b'] },
  ]);
});

test('server-side apply of the Applications counts for every object', () => {
  const role = object(`${RBAC}/v1`, 'ClusterRole', 'own', { rules: [] });
  const applied = resolveAppliedKinds([role], []);
  const { manages } = computeApplyRights(applied, { serverSide: true });
  expect(manages.map(({ verbs }) => verbs)).toEqual([
    ['list', 'watch'],
    ['get', 'create', 'patch', 'delete'],
  ]);
});

test('new Namespaces and Tenants come with each commit, so their rights have no names', () => {
  const applied = resolveAppliedKinds(
    [object('v1', 'Namespace', 'pay'), object('tenantry.dev/v1alpha1', 'Tenant', 'payments')],
    [{ group: 'tenantry.dev', kind: 'Tenant', plural: 'tenants', scope: 'Cluster' }],
  );
  const { manages } = computeApplyRights(applied);
  expect(manages.filter(({ verbs }) => verbs.includes('create'))).toEqual([
    expect.not.objectContaining({ resourceNames: expect.anything() }),
    expect.not.objectContaining({ resourceNames: expect.anything() }),
  ]);
});

test('only Namespaces that Argo CD may prune or delete can be deleted', () => {
  const deletions = (...objects: readonly KubeObject[]) =>
    rightsOf(...objects).manages.filter(({ verbs }) => verbs.includes('delete'));
  const kept = withOptions(object('v1', 'Namespace', 'kept'), 'Prune=false,Delete=false');
  expect(deletions(kept)).toEqual([]);
  const half = withOptions(object('v1', 'Namespace', 'half'), 'Prune=false,Delete=confirm');
  const other = withOptions(object('v1', 'Namespace', 'other'), 'Delete=false');
  const free = object('v1', 'Namespace', 'free');
  expect(deletions(kept, half, free, other)).toEqual([
    {
      apiGroups: [''],
      resources: ['namespaces'],
      verbs: ['delete'],
      resourceNames: ['free', 'half', 'other'],
    },
  ]);
});

test('Roles and bindings get update, except those that use server-side apply', () => {
  const role = object(`${RBAC}/v1`, 'Role', 'r');
  const verbs = (one: KubeObject) => rightsOf(one).manages.flatMap((rule) => rule.verbs);
  expect(verbs(role)).toContain('update');
  expect(verbs(withOptions(role, 'ServerSideApply=true'))).not.toContain('update');
  expect(verbs(object('v1', 'Service', 's'))).not.toContain('update');
});

test('rights for Roles include escalate, and bind for the referenced ClusterRoles by name', () => {
  const { grants } = rightsOf(
    object(`${RBAC}/v1`, 'Role', 'r'),
    binding('RoleBinding', 'ClusterRole', 'view'),
    binding('RoleBinding', 'ClusterRole', 'edit'),
    binding('RoleBinding', 'Role', 'r'),
  );
  expect(grants).toEqual([
    {
      apiGroups: [RBAC],
      resources: ['clusterroles'],
      verbs: ['bind'],
      resourceNames: ['edit', 'view'],
    },
    { apiGroups: [RBAC], resources: ['roles'], verbs: ['bind', 'escalate'] },
  ]);
});

test('roles of other API groups are treated as any other object', () => {
  const group = 'iam.services.k8s.aws';
  const named = (kind: string, rest: object = {}) => object(`${group}/v1alpha1`, kind, 'a', rest);
  const declared = ['Role', 'ClusterRole', 'RoleBinding'].map((kind) => ({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced' as const,
  }));
  const subjects = [{ kind: 'ServiceAccount', namespace: 'ops', name: 'sync.acme' }];
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const roleRef = { kind: 'ClusterRole', name: 'cluster-admin' };
  const { manages, grants } = computeApplyRights(
    resolveAppliedKinds(
      [named('Role'), named('ClusterRole', { rules }), named('RoleBinding', { roleRef, subjects })],
      declared,
    ),
  );
  expect(grants).toEqual([]);
  expect(manages.flatMap(({ verbs }) => verbs)).not.toContain('update');
});

test('the rights that a ClusterRole grants are included, so it needs neither escalate nor bind', () => {
  const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }];
  const { grants } = rightsOf(
    object(`${RBAC}/v1`, 'ClusterRole', 'own', { rules }),
    binding('ClusterRoleBinding', 'ClusterRole', 'own'),
  );
  expect(grants).toEqual(rules);
});

test('rights for an admission policy include reading its parameter kind', () => {
  const spec = { paramKind: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' } };
  const policy = object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'a', {
    spec,
  });
  expect(rightsOf(policy).grants).toEqual([
    { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get', 'list'] },
  ]);
  const unknown = { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } };
  expect(resolveAppliedKinds([{ ...policy, spec: unknown }], []).unknown).toMatchObject([
    { group: 'example.com', kind: 'Limit' },
  ]);
});

test('a custom kind is known from its definition among the objects, or from the platform', () => {
  const shop = object('example.com/v1', 'Shop', 'a');
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Shop', plural: 'shopz' },
  };
  const definition = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'd', { spec });
  const resources = ({ kinds }: ReturnType<typeof resolveAppliedKinds>) =>
    kinds.map(({ resource }) => resource);
  expect(resources(resolveAppliedKinds([shop, definition], []))).toEqual([
    'customresourcedefinitions',
    'shopz',
  ]);
  const declared = { group: 'example.com', kind: 'Shop', scope: 'Namespaced' } as const;
  expect(resources(resolveAppliedKinds([shop], [{ ...declared, plural: 'shops' }]))).toEqual([
    'shops',
  ]);
  expect(resolveAppliedKinds([shop], [declared]).unknown).toEqual([
    { group: 'example.com', kind: 'Shop', objects: [shop] },
  ]);
  const other = { ...declared, group: 'example.org', plural: 'shops' };
  expect(resolveAppliedKinds([shop], [other]).kinds).toEqual([]);
});

test('Argo CD may impersonate only the accounts with which it syncs for tenants', () => {
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'edit' };
  const account = (name: string) => ({
    kind: 'ServiceAccount',
    name,
    namespace: 'tenantry-system',
  });
  const user = { apiGroup: RBAC, kind: 'User', name: 'sync.me' };
  const subjects = [account('sync.shop'), account('sync.crm'), account('deploy'), user];
  const { grants } = rightsOf(object(`${RBAC}/v1`, 'RoleBinding', 'b', { roleRef, subjects }));
  expect(grants).toContainEqual({
    apiGroups: [''],
    resources: ['serviceaccounts'],
    verbs: ['impersonate'],
    resourceNames: ['sync.crm', 'sync.shop'],
  });
  const without = rightsOf(object(`${RBAC}/v1`, 'RoleBinding', 'b', { roleRef, subjects: [user] }));
  expect(JSON.stringify(without)).not.toContain('impersonate');
});

test('Argo CD watches the applied kinds, and on its own cluster also its own kinds', () => {
  const { kinds } = resolveAppliedKinds(
    [object('v1', 'Service', 's'), object('v1', 'ConfigMap', 'c')],
    [],
  );
  const server = 'https://fra1.example.com';
  const entry = { apiGroups: [''], kinds: ['ConfigMap', 'Service'] };
  expect(buildInclusions({ server }, kinds)).toEqual([{ ...entry, clusters: [server] }]);
  const own = { server: 'https://kubernetes.default.svc', ownAddress: 'https://[fd00::1]:443' };
  const clusters = [own.server, String.raw`https://\[fd00::1\]:443`];
  expect(buildInclusions(own, kinds)).toEqual([
    { ...entry, clusters },
    {
      apiGroups: ['argoproj.io'],
      kinds: ['Application', 'ApplicationSet', 'AppProject'],
      clusters,
    },
  ]);
});
