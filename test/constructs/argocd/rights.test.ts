import { expect, test } from '@jest/globals';
import { resolveAppliedKinds } from '../../../constructs/argocd/rights/applied-kinds.ts';
import { buildInclusions } from '../../../constructs/argocd/rights/inclusions.ts';
import { computeApplyRights } from '../../../constructs/argocd/rights/rights.ts';
import type { KubeObject } from '../../../kube/object.ts';

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

test('of what lies in namespaces each kind is named, and nothing of another one', () => {
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

test('what lies in none is held to names, to be made too where the server applies all of it', () => {
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

test('where Applications say it for all, no object has to say that the server applies it', () => {
  const role = object(`${RBAC}/v1`, 'ClusterRole', 'own', { rules: [] });
  const applied = resolveAppliedKinds([role], []);
  const { manages } = computeApplyRights(applied, { serverSide: true });
  expect(manages.map(({ verbs }) => verbs)).toEqual([
    ['list', 'watch'],
    ['get', 'create', 'patch', 'delete'],
  ]);
});

test('Namespaces and Tenants come with each commit, so none is named', () => {
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

test('only Namespaces may be deleted that Argo CD is asked to delete', () => {
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

test('roles and bindings are updated, but for those that the server applies', () => {
  const role = object(`${RBAC}/v1`, 'Role', 'r');
  const verbs = (one: KubeObject) => rightsOf(one).manages.flatMap((rule) => rule.verbs);
  expect(verbs(role)).toContain('update');
  expect(verbs(withOptions(role, 'ServerSideApply=true'))).not.toContain('update');
  expect(verbs(object('v1', 'Service', 's'))).not.toContain('update');
});

test('who writes Roles may escalate them, and of ClusterRoles bind those that are bound, by name', () => {
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

test('roles of others are objects like any other', () => {
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

test('what a ClusterRole allows is held, and so neither escalated nor bound', () => {
  const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }];
  const { grants } = rightsOf(
    object(`${RBAC}/v1`, 'ClusterRole', 'own', { rules }),
    binding('ClusterRoleBinding', 'ClusterRole', 'own'),
  );
  expect(grants).toEqual(rules);
});

test('who writes an admission policy must be able to read its parameters', () => {
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

test('a kind of others is known by its definition among the objects, or by what the platform says', () => {
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

test('Argo CD may act as the accounts as which it syncs for tenants, and as nobody else', () => {
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

test('Argo CD looks at the kinds that are applied, of its own cluster also at its own kinds', () => {
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
