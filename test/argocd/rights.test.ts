import { expect } from '@jest/globals';
import { join } from 'node:path';
import { buildStatus } from '../../operator/tenant/status.ts';
import type { Observation } from '../../operator/tenant/observation.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { loadObjects } from '@tenantry/testing/controlplane/manifests';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { tenant } from '../cli/project.ts';
import { changed, compared } from '../operator/given.ts';
import { ArgoCd } from './argocd.ts';
import { Company } from './company.ts';
import { argoCdTests } from './tests.ts';
import { CONTROLLER } from './world.ts';

const given = await argoCdTests();
const { test } = given;

const shop = (users: readonly string[], resources: readonly object[] = []) => ({
  'tenants/shop.yaml': tenant('shop', { access: { editors: { users } }, resources }),
});

type Settings = Readonly<Record<string, string>>;

const itemsOf = (printed: string): Body[] =>
  (JSON.parse(printed) as { readonly items: Body[] }).items;

const dataOf = (object: Body | undefined): Settings => object?.['data'] as Settings;

/** Prepares the settings and rights that a user applies before Argo CD loses cluster-admin. */
async function prepared(company: Company, address: string) {
  const own = ['--in-cluster-address', address];
  const printed = await company.tenantry(['argocd', 'inclusions', ...own, '--output', 'json']);
  const [inclusions] = itemsOf(printed);
  const rights = itemsOf(await company.tenantry(['argocd', 'rbac', '--output', 'json']));
  const file = join(company.git.folder, 'dist/argocd/settings/argocd-cm.yaml');
  const [known] = loadObjects([file]) as Body[];
  return { rights, settings: { ...dataOf(known), ...dataOf(inclusions) } };
}

/** Writes an observation to the status of the tenant, as the operator does, which does not run here. */
async function say(cluster: ClusterAccess, observation: Observation): Promise<void> {
  const reference = { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', name: 'shop' };
  const { body } = await cluster.admin.get(reference);
  const status = buildStatus(undefined, observation, body.metadata!.generation!, new Date());
  const answer = await cluster.admin.patch(reference, { status }, { subresource: 'status' });
  expect(answer.status).toBe(200);
}

test('under the computed rights Argo CD syncs everything, reads no foreign Secrets, and shows the state of tenants', async () => {
  await using cluster = await given.newCluster();
  const image = 'registry.example.com/tenantry:0.1.0';
  using company = new Company({ operator: { image } }, shop(['alice', 'bob']));
  const first = await company.merge('Add shop');
  await using argoCd = await ArgoCd.start(cluster, {
    ...given,
    ...(await prepared(company, cluster.server)),
    // Argo CD can miss that a definition is served, and notices it at the next refresh.
    resync: 15,
  });
  await argoCd.bootstrap(company.dist);
  for (const part of ['crds', 'policies', 'tenantclasses', 'operator']) {
    await argoCd.untilSettled(`tenantry-${part}-eu1`, first);
  }
  await argoCd.untilSettled('tenantry-cluster-eu1', first);
  await argoCd.untilSettled('tenantry', first);

  const untilHealth = (health: string) =>
    argoCd.untilApplication(`its health is ${health}`, 'eu1.shop', ({ status }) => {
      return status?.sync?.status === 'Synced' && status.health?.status === health;
    });
  // First the Tenant has no observation, then it gets one.
  await untilHealth('Progressing');
  await say(cluster, compared({ following: 1, drift: [changed('shop')] }));
  await say(cluster, compared({ drift: [changed('shop')] }));
  await untilHealth('Degraded');
  await say(cluster, compared());
  await untilHealth('Healthy');

  // Objects that leave Git are pruned.
  await argoCd.untilSettled('eu1.shop.tenantry.rbac', first);
  const binding = (name: string) =>
    cluster.admin.get({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      namespace: 'shop',
      name,
    });
  const { body } = await cluster.admin.list({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    namespace: 'shop',
  });
  const names = (body.items ?? []).map(({ metadata }) => metadata!.name!);
  expect(names).not.toEqual([]);
  const revoked = await company.merge('Revoke all', shop([]));
  await argoCd.refresh(['eu1.shop']);
  await argoCd.untilSettled('eu1.shop.tenantry.rbac', revoked);
  for (const name of names) expect((await binding(name)).status).toBe(404);

  // A kind that is not included is skipped with a message.
  const job = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'job', image: 'registry.example.com/job:1' }],
            },
          },
        },
      },
    },
  };
  const more = await company.merge('Add a job', shop(['alice'], [{ manifest: job }]));
  await argoCd.refresh(['eu1.shop']);
  const warned = await argoCd.untilApplication(
    'it has the job',
    'eu1.shop.tenantry.resources',
    ({ status }) => {
      return status?.sync?.status === 'Synced' && status.sync.revision === more;
    },
  );
  expect(warned.status?.conditions).toMatchObject([{ type: 'ExcludedResourceWarning' }]);

  const asked = cluster.auditLog().filter(({ user }) => user.username === CONTROLLER);
  const words = asked.map(({ verb, objectRef, responseStatus }) => {
    const { resource, namespace, name } = objectRef ?? {};
    return [responseStatus?.code, verb, resource, name, namespace && `in ${namespace}`]
      .filter(Boolean)
      .join(' ');
  });
  expect(new Set(words.filter((one) => one.startsWith('403')))).toEqual(new Set());
  const secrets = words.filter((one) => / secrets/.test(one) && !one.endsWith('in argocd'));
  expect(secrets).toEqual([]);
  expect(words.length).toBeGreaterThan(100);
});
