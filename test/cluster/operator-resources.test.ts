import { afterAll, expect } from '@jest/globals';
import { listOperatorAccess } from '../../model/operator/access.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/types.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { define } from '@tenantry/crd/define';
import { Fleet } from '../../model/fleet.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { buildRoles } from '@tenantry/kube/access';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { kindOf } from '@tenantry/runtime/kinds/kind';
import { integer, list, object, string } from '@tenantry/crd/schema/language';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients, runAs } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const certificate = define({
  group: 'example.com',
  kind: 'Certificate',
  plural: 'certificates',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A certificate.', {
        spec: object('What it should be.', {
          days: integer('How long it holds.', { default: 90 }),
          hosts: list('For whom.', string('A host.')),
          password: string('Of its key.'),
        }),
      }),
    },
  },
});
const Certificate = kindOf(certificate, 'v1');

const platform = resolvePlatform({
  clusters: [{ name: 'eu' }],
  kinds: [
    {
      group: 'example.com',
      kind: 'Certificate',
      scope: 'Namespaced',
      plural: 'certificates',
      version: 'v1',
    },
  ],
  operator: {
    comparedKinds: [
      { kind: 'ConfigMap' },
      { group: 'apps', kind: 'Deployment' },
      { group: 'example.com', kind: 'Certificate' },
    ],
  },
});

const spec: TenantSpec = {
  resources: [
    {
      manifest: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings' },
        data: { mode: 'plain', url: 'https://example.com' },
      },
    },
    {
      manifest: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: 'nginx:1.29' }] },
          },
        },
      },
    },
    {
      manifest: {
        apiVersion: 'example.com/v1',
        kind: 'Certificate',
        metadata: { name: 'web' },
        spec: { hosts: ['a.example.com', 'b.example.com'], password: 'plain' },
      },
    },
    {
      manifest: {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'nightly' },
        spec: {
          schedule: '0 0 * * *',
          jobTemplate: {
            spec: {
              template: {
                spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox' }] },
              },
            },
          },
        },
      },
    },
  ],
};

function declared(): readonly KubeObject[] {
  const fleet = new Fleet(platform);
  const { namespaces, findings } = fleet.desired({ name: 'acme', spec });
  if (findings.some(({ severity }) => severity === 'error')) throw new Error(String(findings));
  return namespaces.flatMap(({ objects }) => objects);
}

test('the resources of a tenant are compared field by field if the platform lists their kind', async () => {
  await using cluster = await given.newCluster();
  const client = clientOf(cluster.admin);
  const apply = async (object: object): Promise<void> => {
    const reply = await cluster.admin.apply(object as KubeObject, {
      fieldManager: 'argocd-controller',
      force: true,
    });
    if (reply.status > 201) throw new Error(JSON.stringify(reply.body));
  };
  await apply(crdManifest(tenantClass));
  await apply(crdManifest(tenant));
  await until('Tenants are served', async () => (await client.list(Tenant).catch(() => 0)) !== 0);
  const ofCertificates = declared().filter(({ kind }) => kind === 'Certificate');
  for (const object of declared()) if (object.kind !== 'Certificate') await apply(object);
  await client.create(Tenant, { metadata: { name: 'acme' }, spec });

  const controller = tenantController({ platform, cluster: 'eu' });
  // The account has exactly the installed rights.
  const own = new Set(platform.comparedKinds.map(({ plural }) => plural));
  const rights = (access: Parameters<typeof buildRoles>[0]) =>
    buildRoles(access.filter(({ resource }) => own.has(resource))).cluster;
  expect(rights(controller.access)).toEqual(
    rights(listOperatorAccess('x', { policy: 'Observe', clusterRoles: [], ...platform })),
  );

  const operator = runAs(cluster.admin, controller);
  const status = async (what: string, is: (text: string) => boolean) =>
    until(what, async () => {
      const { status: now } = await client.get(Tenant, { name: 'acme' });
      const drift = (now?.drift ?? []).map(({ type, kind, name, field, manager, live }) =>
        [type, kind, name, field, live, manager].filter(Boolean).join(' '),
      );
      return is(drift.join('\n')) && now !== undefined && { ...now, driftLines: drift };
    });
  try {
    // The missing definition does not keep other kinds from being compared.
    const first = await status('the tenant is compared', (text) => text === '');
    expect(first.conditions?.[0]).toMatchObject({ status: 'Unknown', reason: 'NotRead' });
    expect(first.notCompared).toEqual([
      { group: 'example.com', kind: 'Certificate', objects: 1, reason: 'NotRead' },
      { group: 'batch', kind: 'CronJob', objects: 1, reason: 'NotNamed' },
    ]);
    await apply(crdManifest(certificate));
    await status('the certificate is missed', (text) => text === 'Missing Certificate web');
    for (const object of ofCertificates) await apply(object);
    const well = await status('all is well', (text) => text === '');
    expect(well.notCompared).toHaveLength(1);

    const by = { fieldManager: 'kubectl-edit' };
    const settings = { name: 'settings', namespace: 'acme' };
    const web = { name: 'web', namespace: 'acme' };
    await client.patch(ConfigMap, settings, { data: { mode: 'hunter2', more: 'x' } }, by);
    await client.patch(Deployment, web, { spec: { replicas: 1 } }, by);
    await client.patch(
      Certificate,
      web,
      { spec: { days: 3, hosts: ['a.example.com'], password: 'hunter2' } },
      by,
    );
    const drifted = await status('the drift is reported', (text) => text.split('\n').length === 5);
    expect(drifted.driftLines.toSorted()).toEqual([
      'Changed Certificate web spec.hosts ["a.example.com"] kubectl-edit',
      'Changed Certificate web spec.password "(hidden)" kubectl-edit',
      'Changed ConfigMap settings data.mode "(hidden)" kubectl-edit',
      'Changed Deployment web spec.replicas 1 kubectl-edit',
      'Extra ConfigMap settings data.more "(hidden)" kubectl-edit',
    ]);
    expect(JSON.stringify(drifted)).not.toContain('hunter2');

    // Without its label, the watch no longer reports the object.
    for (const object of declared()) await apply(object);
    await client.patch(ConfigMap, settings, { data: { more: null } } as never, by);
    await status('all is well again', (text) => text === '');
    await client.patch(
      ConfigMap,
      settings,
      { metadata: { labels: { 'tenantry.dev/tenant': null } } } as never,
      by,
    );
    await status('the label is missed', (text) =>
      text.startsWith('Missing ConfigMap settings metadata.labels["tenantry.dev/tenant"]'),
    );
    await client.delete(ConfigMap, settings);
    await client.delete(Deployment, web);
    await status(
      'the missing objects are reported',
      (text) => text === 'Missing ConfigMap settings\nMissing Deployment web',
    );
  } finally {
    await operator.stop();
  }
});
