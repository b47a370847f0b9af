import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import type { Body, ObjectReference } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { FleetFolder, platform, tenant, tenantClass } from '../apps/fleet.ts';
import { readPage } from '../docs/pages.ts';
import { withoutKubectl } from '../kubectl.ts';
import { testUnless } from '../skipping.ts';
import { ArgoCd, partsOf } from './argocd.ts';
import { GitRepository } from './git-repository.ts';
import { argoCdTests } from './tests.ts';
import { writesOfArgoCd } from './writes.ts';

const given = await argoCdTests();
/** The page is for users, and they have kubectl. */
const test = testUnless(withoutKubectl, given.test);

/** The manual steps of the page for rendered files, in order. */
const page = readPage('docs/argocd.md');
const own = page.text
  .slice(0, page.text.indexOf('\n## Constructs of your own\n'))
  .split('\n').length;
const byHand = page.blocks
  .filter(({ language, place }) => language === 'sh' && Number(place.split(':')[1]) < own)
  .map(({ text }) => text);
const [bootstrap, deleteNamespace, letTenantGo, letPolicyGo, letClusterGo, letGo] = byHand;

const namespaces = (...names: readonly string[]) => ({
  className: 'gold',
  namespaces: names.map((name) => ({ name })),
});
const admins = (...users: readonly string[]) => ({ access: { admins: { users } } });

/** The first files, as on the page, for Argo CD's own cluster. */
const start = (repoURL: string) => ({
  'tenantry.yaml': platform({
    clusters: [{ name: 'eu1', server: 'https://kubernetes.default.svc' }],
    argocd: { source: { repoURL, targetRevision: 'main' } },
  }),
  'tenants/classes/gold.yaml': tenantClass('gold', { defaults: { quota: { hard: { pods: 10 } } } }),
  'tenants/payments.yaml': tenant('payments', {
    ...namespaces('payments-dev', 'payments-prod'),
    ...admins('ann@example.com'),
  }),
  'tenants/shop.yaml': tenant('shop', { ...namespaces('shop'), ...admins('ben@example.com') }),
});

const parts = ['crds', 'policies', 'tenantclasses', 'operator'];
const ofCluster = parts.map((part) => `tenantry-${part}-eu1`);
const tenants = ['eu1.payments', 'eu1.shop'];
const cluster = 'tenantry-cluster-eu1';
const projects = 'tenantry-projects-eu1';

const smuggled = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: smuggled }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory@example.com }]
`;

const rbac = 'rbac.authorization.k8s.io/v1';
const adminsOf = (namespace: string): ObjectReference => ({
  apiVersion: rbac,
  kind: 'RoleBinding',
  namespace,
  name: 'tenant-clusterrole-admin',
});
const quotaOf = (namespace: string): ObjectReference => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  namespace,
  name: 'tenant-quota',
});
const namespaceOf = (name: string): ObjectReference => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  name,
});
const argocdKind = (kind: string, name: string): ObjectReference => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind,
  namespace: 'argocd',
  name,
});

test('the page leads from an empty cluster to synced tenants, and to their removal', async () => {
  using git = new GitRepository();
  await using place = await given.newCluster();
  const { admin } = place;
  await using argoCd = await ArgoCd.start(place, { ...given, defaultProject: false });
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-page-'));
  using stack = new DisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true }));
  const fleet = new FleetFolder(folder, start(git.url));

  const exists = async (reference: ObjectReference) => (await admin.get(reference)).status === 200;
  const untilGone = (what: string, reference: ObjectReference) =>
    until(`${what} is gone`, async () => !(await exists(reference)), { every: 250 });
  const sync = async (message: string) => {
    fleet.rendered();
    const revision = git.commitFolder(message, join(folder, 'dist'), 'dist');
    await argoCd.refresh();
    return revision;
  };
  const run = (commands = '') =>
    promisify(execFile)('sh', ['-ec', commands], {
      cwd: folder,
      env: { PATH: process.env['PATH'], KUBECONFIG: place.kubeconfigFile('admin') },
    });

  // From an empty cluster, in order and without a failed sync.
  const first = await sync('Begin');
  await run(bootstrap);
  const ofTenants = tenants.flatMap(partsOf);
  const all = [...ofCluster, ...ofTenants, 'tenantry', cluster, projects].toSorted();
  const applications = async () => [...(await argoCd.applications()).keys()].toSorted();
  await until(
    'all Applications are there',
    async () => String(await applications()) === String(all),
    { every: 500 },
  );
  for (const name of all) {
    const { status } = await argoCd.untilSettled(name, first);
    // Access and workloads wait for their Namespace and for nothing else.
    if (ofTenants.includes(name)) continue;
    expect(status?.operationState?.retryCount ?? 0).toBe(0);
  }
  const events = { apiVersion: 'v1', kind: 'Event', namespace: 'argocd' };
  const messages = ((await admin.list(events)).body.items ?? []).map(
    (one) => (one as Body & { readonly message: string }).message,
  );
  expect(
    messages.filter(
      (message) => /fail|error/i.test(message) && !/namespaces? .*not found/.test(message),
    ),
  ).toEqual([]);
  expect(messages.length).toBeGreaterThan(20);

  // The state is stable: two further refreshes write nothing.
  const writes = writesOfArgoCd(place);
  expect(writes.length).toBeGreaterThan(all.length);
  for (let look = 0; look < 2; look++) {
    for (const name of all) await argoCd.refreshed(name);
  }
  for (const name of all) await argoCd.untilSettled(name, first);
  expect(writesOfArgoCd(place).slice(writes.length)).toEqual([]);

  await run(letGo!.replace(' patch ', ' patch --dry-run=server '));

  // An object that a tenant's folder may not contain is refused, and does not block other tenants.
  expect(builtinScope('rbac.authorization.k8s.io', 'ClusterRoleBinding')).toBe('Cluster');
  git.commit('Smuggle', { 'dist/clusters/eu1/tenants/payments/smuggled.yaml': smuggled });
  await argoCd.refresh();
  const refused = await argoCd.untilApplication('it is refused', 'eu1.payments', ({ status }) =>
    /not permitted in project/.test(status?.operationState?.message ?? ''),
  );
  expect(refused.status!.operationState!.message).toContain('ClusterRoleBinding');
  expect(await exists({ apiVersion: rbac, kind: 'ClusterRoleBinding', name: 'smuggled' })).toBe(
    false,
  );
  // The running attempt picks up the fixing commit, although it started with another one.
  expect(await exists(adminsOf('payments-prod'))).toBe(true);
  fleet.write({
    'tenants/payments.yaml': tenant('payments', {
      className: 'gold',
      namespaces: [{ name: 'payments-dev', lifecycle: 'Retired' }, { name: 'payments-prod' }],
    }),
    'tenants/shop.yaml': tenant('shop', namespaces('shop')),
  });
  const second = await sync('Revoke, and retire a namespace');
  await argoCd.untilTenantSettled('eu1.shop', second);
  expect(await exists(adminsOf('shop'))).toBe(false);
  await untilGone("ann's access", adminsOf('payments-prod'));

  // A Retired namespace that leaves Git stays until a user deletes it.
  await argoCd.untilTenantSettled('eu1.payments', second);
  fleet.write({ 'tenants/payments.yaml': tenant('payments', namespaces('payments-prod')) });
  await argoCd.untilTenantSettled('eu1.payments', await sync('One namespace less'));
  expect(await exists(quotaOf('payments-dev'))).toBe(true);
  await run(deleteNamespace);
  await untilGone('the namespace', namespaceOf('payments-dev'));

  // A namespace moves to another tenant, which takes over the objects that remained.
  fleet.remove('tenants/shop.yaml');
  fleet.write({
    'tenants/market.yaml': tenant('market', {
      ...namespaces('shop'),
      ...admins('cem@example.com'),
    }),
  });
  // An administrator releases it to the other tenant.
  const released = { metadata: { labels: { 'tenantry.dev/adopt-by': 'market' } } };
  expect((await admin.patch(namespaceOf('shop'), released)).status).toBe(200);
  const third = await sync('Shop is market');
  for (const one of partsOf('eu1.shop')) await argoCd.untilGone(one);
  for (const one of partsOf('eu1.market')) {
    await until(`${one} is there`, async () => await argoCd.application(one));
    await argoCd.untilSettled(one, third);
  }
  const { status } = await argoCd.untilSettled('eu1.market', third);
  expect(status?.conditions).toBeUndefined();
  expect(await exists(adminsOf('shop'))).toBe(true);

  // A tenant with only Retired namespaces waits for an approval, without affecting others.
  fleet.write({
    'tenants/payments.yaml': tenant('payments', {
      ...namespaces('payments-prod'),
      lifecycle: 'Retired',
    }),
  });
  await argoCd.untilTenantSettled('eu1.payments', await sync('Retire'));
  fleet.remove('tenants/payments.yaml');
  await sync('Remove');
  await until(
    'it waits',
    () => argoCd.log('argocd-application-controller').includes('requires manual confirmation'),
    { every: 250 },
  );
  expect(await exists(quotaOf('payments-prod'))).toBe(true);
  await run(letTenantGo);
  await argoCd.untilGone('eu1.payments');
  await untilGone('the namespace', namespaceOf('payments-prod'));

  // A policy that is no longer rendered.
  const policy = 'dist/clusters/eu1/policies/tenant-services.yaml';
  const fourth = git.commit('No such policy', { [policy]: undefined });
  await argoCd.refresh();
  const name = 'tenantry-policies-eu1';
  const waiting = await argoCd.untilApplication(
    'it waits',
    name,
    (one) => one.status?.operationState?.message?.startsWith('waiting for') ?? false,
  );
  expect(waiting.status!.operationState!.message).toMatch(
    /^waiting for pruning confirmation of admissionregistration.k8s.io\/ValidatingAdmissionPolicy/,
  );
  await run(letPolicyGo);
  await argoCd.untilSettled(name, fourth);

  // A cluster that is no longer declared.
  const fifth = git.commit('Leave the cluster', {
    'dist/argocd/bootstrap/cluster-eu1.yaml': undefined,
    'dist/argocd/clusters/eu1': undefined,
    'dist/argocd/projects/eu1': undefined,
    'dist/clusters/eu1': undefined,
  });
  await argoCd.refresh();
  for (const one of partsOf('eu1.market')) await argoCd.untilGone(one);
  expect(await exists(adminsOf('shop'))).toBe(false);
  await argoCd.untilSettled('tenantry', fifth);
  const left = await argoCd.untilApplication('it has no folder', cluster, (one) =>
    /app path does not exist/.test(one.status?.conditions?.[0]?.message ?? ''),
  );
  expect(left.metadata).not.toHaveProperty('deletionTimestamp');
  await run(letClusterGo);
  await argoCd.untilGone(cluster);
  expect(await applications()).toEqual(['tenantry']);
  for (const project of ['tenantry-platform-eu1', 'eu1.market', 'eu1.payments']) {
    expect(await exists(argocdKind('AppProject', project))).toBe(false);
  }
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  expect(await exists({ ...crd, name: 'tenants.tenantry.dev' })).toBe(true);
  expect(await exists(quotaOf('shop'))).toBe(true);

  // All steps of the page were done.
  expect(byHand).toHaveLength(6);
});
