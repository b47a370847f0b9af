import { expect } from '@jest/globals';
import { renderArgoCDFiles } from '../../model/argocd/platform/files.ts';
import { syncPolicy } from '../../model/argocd/platform/syncing.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { applyObject } from '@tenantry/testing/controlplane/manifests';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import type { Application } from './application.ts';
import { ArgoCd } from './argocd.ts';
import { GitRepository } from './git-repository.ts';
import { madeOnce } from './made-once.ts';
import { argoCdTests } from './tests.ts';

const given = await argoCdTests();
const { test } = given;

/** The address of a tenant's repository. Argo CD needs one that is reached by network; here a folder replaces it. */
const repoURL = 'https://git.example.com/shop.git';
const platform = resolvePlatform({ argocd: { impersonation: 'Enabled' } });
const klass = { name: 'standard', spec: { allow: { sourceRepos: ['https://git.example.com/*'] } } };
const settings = {
  'application.sync.impersonation.enabled': 'true',
  'application.sync.impersonation.enforced': 'false',
};

const paths = ['web', 'reach', 'outside', 'rights', 'quota'];
const applications = paths.map((path) => ({ name: path, source: { repoURL, path } }));

/** Renders a tenant with its projects and Applications. */
function rendered(name: string, spec: TenantSpec, repository: string) {
  const { namespaces, argocd, findings } = desired({ name, spec }, klass, platform);
  expect(findings).toEqual([]);
  const here = (object: KubeObject) =>
    JSON.parse(JSON.stringify(object).replaceAll(repoURL, repository)) as Body;
  return {
    objects: namespaces.flatMap(({ objects }) => objects as unknown as Body[]),
    argocd: argocd.map(here),
  };
}

const manifest = (kind: string, name: string, more: object = {}, apiVersion = 'v1'): string => {
  const { metadata = {}, ...rest } = more as { metadata?: object };
  return emitYaml([{ apiVersion, kind, metadata: { name, ...metadata }, ...rest }]);
};

const RBAC = 'rbac.authorization.k8s.io';
const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
const mallory = [{ apiGroup: RBAC, kind: 'User', name: 'mallory' }];

const files = {
  'web/config.yaml': manifest('ConfigMap', 'web', { data: { colour: 'red' } }),
  'reach/config.yaml': manifest('ConfigMap', 'reach', { metadata: { namespace: 'other' } }),
  'outside/binding.yaml': manifest(
    'ClusterRoleBinding',
    'outside',
    { roleRef, subjects: mallory },
    `${RBAC}/v1`,
  ),
  'rights/binding.yaml': manifest(
    'RoleBinding',
    'rights',
    { roleRef, subjects: mallory },
    `${RBAC}/v1`,
  ),
  'quota/quota.yaml': manifest('ResourceQuota', 'more', {
    spec: { hard: { pods: '999' } },
  }),
};

const wordsOf = ({ status }: Application): string =>
  JSON.stringify([status?.conditions, status?.operationState]);

const isThere = async (cluster: ClusterAccess, object: Body): Promise<boolean> =>
  (await cluster.admin.get(toReference(object))).status === 200;

const config = (namespace: string, name: string): Body => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});

const started = madeOnce(async (stack) => {
  const cluster = stack.use(await given.newCluster());
  const argoCd = stack.use(await ArgoCd.start(cluster, { programs: given.programs, settings }));
  return { cluster, argoCd };
});

test("a tenant's Applications reach only its own namespaces with its own rights, and leave the deployed objects", async () => {
  const { cluster, argoCd } = await started();
  using git = new GitRepository();
  using unlistedRepository = new GitRepository();
  git.commit('Begin', files);
  unlistedRepository.commit('Begin', { 'web/config.yaml': manifest('ConfigMap', 'unlisted') });
  const spec: TenantSpec = { argocd: { sourceRepos: [repoURL], applications } };
  const shop = rendered('shop', spec, git.url);
  for (const object of [...shop.objects, ...rendered('other', {}, '').objects]) {
    await applyObject(cluster.admin, object);
  }
  await argoCd.apply(...shop.argocd);
  const name = (application: string) => `shop.in-cluster.${application}`;
  const refused = (application: string, words: RegExp) =>
    argoCd.untilApplication(`it is refused with ${words}`, name(application), (one) =>
      words.test(wordsOf(one)),
    );

  await argoCd.untilSettled(name('web'));
  expect(await isThere(cluster, config('shop', 'web'))).toBe(true);
  const writes = cluster
    .auditLog()
    .filter(({ verb, objectRef }) => objectRef?.name === 'web' && !['get', 'watch'].includes(verb))
    .filter(({ objectRef }) => objectRef?.resource === 'configmaps');
  const account = 'system:serviceaccount:tenantry-system:sync.shop';
  expect(writes.length).toBeGreaterThan(0);
  expect(writes.map((one) => one.impersonatedUser?.username)).toEqual(writes.map(() => account));

  await refused('reach', /namespace other is not permitted in project 'tenant-shop'/);
  await refused('outside', /ClusterRoleBinding is not permitted in project tenant-shop/);
  await refused('rights', /RoleBinding is not permitted in project tenant-shop/);
  await refused('quota', /ResourceQuota is not permitted in project tenant-shop/);
  const [project, ...own] = shop.argocd;
  const web = own.find(({ metadata }) => metadata?.name === name('web'))!;
  const unlisted = JSON.parse(
    JSON.stringify(web).replaceAll(git.url, unlistedRepository.url),
  ) as Body;
  await argoCd.apply({ ...unlisted, metadata: { ...unlisted.metadata, name: name('unlisted') } });
  await refused('unlisted', /repo .* is not permitted in project 'tenant-shop'/);

  // A wider project is not enough: the account has the rights of editors.
  const kinds = [{ group: '', kind: 'ResourceQuota' }];
  await argoCd.apply({
    ...project!,
    spec: { ...(project!['spec'] as object), namespaceResourceWhitelist: kinds },
  });
  await argoCd.refresh([name('quota')], 'hard');
  await refused('quota', /sync\.shop\\+" cannot create resource \\+"resourcequotas/);
  for (const other of [config('other', 'reach'), config('shop', 'unlisted')]) {
    expect(await isThere(cluster, other)).toBe(false);
  }
  await argoCd.apply(project!);

  const suspended = rendered('shop', { ...spec, lifecycle: 'Suspended' }, git.url);
  expect(suspended.argocd.map(({ kind }) => kind)).toEqual(['AppProject']);
  for (const application of [...own, unlisted]) {
    await cluster.admin.delete({ ...toReference(application), namespace: 'argocd' });
  }
  for (const path of paths) await argoCd.untilGone(name(path));
  await cluster.admin.delete(toReference(project!));
  expect(await isThere(cluster, config('shop', 'web'))).toBe(true);

  await argoCd.apply(...shop.argocd);
  const blue = git.commit('Paint it blue', {
    'web/config.yaml': manifest('ConfigMap', 'web', { data: { colour: 'blue' } }),
  });
  await argoCd.refresh([name('web')]);
  await argoCd.untilSettled(name('web'), blue);
  const { body } = await cluster.admin.get(toReference(config('shop', 'web')));
  expect(body['data']).toEqual({ colour: 'blue' });
});

test('objects in a namespace cannot delay the revocation of access there', async () => {
  const { cluster, argoCd } = await started();
  using git = new GitRepository();
  const written = (spec: TenantSpec): string =>
    emitYaml(rendered('yard', spec, '').objects as unknown as KubeObject[]);
  const bob = { users: ['bob@example.com'] };
  git.commit('Begin', { 'yard/all.yaml': written({ access: { admins: bob } }) });
  await argoCd.apply({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'in-cluster.yard' },
    spec: {
      project: 'default',
      source: { repoURL: git.url, targetRevision: 'main', path: 'yard' },
      destination: { server: 'https://kubernetes.default.svc' },
      syncPolicy: syncPolicy as object,
    },
  });
  await argoCd.untilSettled('in-cluster.yard');
  const binding = { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', namespace: 'yard' };
  const bindings = async () => (await cluster.admin.list(binding)).body.items ?? [];
  expect(JSON.stringify(await bindings())).toContain('bob@example.com');
  const build = { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'yard', name: 'build' };
  const mark = { 'argocd.argoproj.io/tracking-id': 'elsewhere:/ServiceAccount:yard/build' };
  const { apiVersion, kind, ...metadata } = build;
  await applyObject(cluster.admin, {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: mark },
  });
  const revoked = git.commit('Bob leaves, and the machine stays', {
    'yard/all.yaml': written({ serviceAccounts: [{ name: 'build' }] }),
  });
  await argoCd.refresh(['in-cluster.yard']);
  await argoCd.untilSettled('in-cluster.yard', revoked);
  expect(JSON.stringify(await bindings())).not.toContain('bob@example.com');
});

test('a tenant that leaves Git takes its project and Applications along, but not the objects that they deployed', async () => {
  const { cluster, argoCd } = await started();
  using git = new GitRepository();
  const source = { repoURL: git.url, targetRevision: 'main' };
  const bootstrapFiles = renderArgoCDFiles(
    resolvePlatform({ argocd: { impersonation: 'Enabled', source } }),
  );
  const spec: TenantSpec = { argocd: { sourceRepos: [repoURL], applications: [applications[0]!] } };
  const lot = rendered('lot', spec, git.url);
  for (const object of lot.objects) await applyObject(cluster.admin, object);
  const folder = 'dist/argocd/tenants/lot';
  git.commit('Begin', {
    ...files,
    [`${folder}/all.yaml`]: emitYaml(lot.argocd as unknown as KubeObject[]),
  });
  const [project] = bootstrapFiles.get('argocd/bootstrap/tenantry.yaml')!;
  const [set] = bootstrapFiles.get('argocd/bootstrap/repositories.yaml')!;
  await argoCd.apply(project as unknown as Body, set as unknown as Body);
  await argoCd.untilSettled('tenantry-repositories-lot');
  await argoCd.untilSettled('lot.in-cluster.web');
  git.commit('The tenant leaves', { [folder]: undefined });
  await argoCd.refresh();
  await argoCd.untilGone('tenantry-repositories-lot');
  await argoCd.untilGone('lot.in-cluster.web');
  const own = { ...toReference(lot.argocd[0]!), namespace: 'argocd' };
  expect((await cluster.admin.get(own)).status).toBe(404);
  expect(await isThere(cluster, config('lot', 'web'))).toBe(true);
});
