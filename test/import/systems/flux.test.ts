import { expect, test } from '@jest/globals';
import { importSystem, readTenant } from './import-system.ts';

/** What `flux create tenant dev-team --with-namespace=NAME --export` writes. */
const flux = (namespace: string, role: string, labels = ''): string => `
---
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace}, labels: { toolkit.fluxcd.io/tenant: dev-team${labels} } }
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: dev-team
  namespace: ${namespace}
  labels: { toolkit.fluxcd.io/tenant: dev-team${labels} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: dev-team-reconciler
  namespace: ${namespace}
  labels: { toolkit.fluxcd.io/tenant: dev-team${labels} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${role} }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: 'gotk:${namespace}:reconciler' }
  - { kind: ServiceAccount, name: dev-team, namespace: ${namespace} }
`;

/** What the repository of the platform has beside it. */
const sync = `
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: dev-team, namespace: apps }
spec: { interval: 1m, url: https://git.example.com/dev-team, ref: { branch: main } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: dev-team, namespace: apps }
spec:
  serviceAccountName: dev-team
  interval: 5m
  path: ./production
  prune: true
  sourceRef: { kind: GitRepository, name: dev-team }
`;

test('what flux creates for a tenant becomes one Tenant, under the same names', () => {
  const imported = importSystem(flux('apps', 'edit') + flux('jobs', 'edit') + sync);
  expect(imported.report.outcome).toBe('done');
  expect(imported.report.tenants).toEqual([{ name: 'dev-team', namespaces: ['apps', 'jobs'] }]);
  expect(readTenant(imported, 'dev-team')).toMatchObject({
    namespaces: [
      {
        name: 'apps',
        access: {
          editors: {
            users: ['gotk:apps:reconciler'],
            serviceAccounts: [{ name: 'dev-team', namespace: 'apps' }],
          },
        },
        resources: [{ file: 'resources/apps/all.yaml' }],
      },
      { name: 'jobs' },
    ],
    serviceAccounts: [{ name: 'dev-team' }],
  });
  const manifests = imported.result.files.find(({ path }) => path.startsWith('resources/'));
  expect(manifests?.text).toContain('serviceAccountName: dev-team');
});

test('a binding to cluster-admin is left out, named, and observed', () => {
  const { report, result } = importSystem(flux('apps', 'cluster-admin'));
  expect(report.outcome).toBe('different');
  expect(report.omitted).toMatchObject([
    {
      object: 'RoleBinding apps/dev-team-reconciler',
      reason: expect.stringMatching(/cluster-admin/),
    },
  ]);
  expect(report.observations).toMatchObject([
    {
      rule: 'cluster-admin',
      message: expect.stringMatching(/User gotk:apps:reconciler, ServiceAccount apps\/dev-team/),
    },
  ]);
  expect(result.files.map(({ text }) => text).join('')).not.toContain('cluster-admin');
});

test('labels that mark what Flux made are named, and not declared; that of a Namespace stays', () => {
  const owner =
    ', kustomize.toolkit.fluxcd.io/name: tenants, kustomize.toolkit.fluxcd.io/namespace: flux-system';
  const { report, result } = importSystem(flux('apps', 'edit', owner));
  expect(report.outcome).toBe('done');
  expect(report.bookkeeping).toEqual([
    { system: 'Flux', key: 'kustomize.toolkit.fluxcd.io/name', namespaces: ['apps'] },
    { system: 'Flux', key: 'kustomize.toolkit.fluxcd.io/namespace', namespaces: ['apps'] },
    { system: 'Flux', key: 'toolkit.fluxcd.io/tenant', namespaces: ['apps'] },
  ]);
  const rendered = result.files.map(({ text }) => text).join('');
  expect(rendered).toContain('toolkit.fluxcd.io/tenant: dev-team');
  expect(rendered).not.toContain('kustomize.toolkit.fluxcd.io');
});

/** A ConfigMap that Flux applied for a Kustomization. */
const applied = (name: string, owner: string, namespace: string): string => `
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: apps
  labels:
    kustomize.toolkit.fluxcd.io/name: ${owner}
    kustomize.toolkit.fluxcd.io/namespace: ${namespace}
data: { a: b }
`;

test('what the Kustomization of the tenant applies stays its own, and what that of the platform applies does not', () => {
  const imported = importSystem(
    `${flux('apps', 'edit')}${sync}${applied('theirs', 'dev-team', 'apps')}${applied('gone', 'old', 'apps')}${applied('platform', 'tenants', 'flux-system')}`,
  );
  expect(imported.report.outcome).toBe('done');
  expect(imported.report.omitted).toEqual([
    expect.objectContaining({
      object: 'ConfigMap apps/theirs',
      reason: 'Flux applies it for the Kustomization apps/dev-team',
    }),
  ]);
  const manifests = imported.result.files.map(({ text }) => text).join('');
  expect(manifests).toContain('name: gone');
  expect(manifests).toContain('name: platform');
  expect(manifests).not.toContain('name: theirs');
});

test('an annotation that Argo CD obeys leaves out its ServiceAccount, and not the namespace', () => {
  const text = `
apiVersion: v1
kind: Namespace
metadata: { name: apps }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: good, namespace: apps }
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: tracked
  namespace: apps
  annotations: { argocd.argoproj.io/tracking-id: 'web:/ServiceAccount:apps/tracked' }
`;
  const imported = importSystem(text);
  expect(readTenant(imported, 'apps')).toMatchObject({ serviceAccounts: [{ name: 'good' }] });
  expect(imported.report.omitted).toMatchObject([
    {
      object: 'ServiceAccount apps/tracked',
      reason: expect.stringMatching(/reserved for Argo CD/),
    },
  ]);
});
