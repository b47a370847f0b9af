import { expect } from '@jest/globals';
import { buildListLabels, formatLists } from '../../model/allow-lists/labels.ts';
import { FACTS } from '../../model/ownership.ts';
import { buildAllowListPolicies } from '../../model/policies/allow-lists.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { ownClusters, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { ofOneVersion, serve } from './crds.ts';
import { apply } from './tenant.ts';

const given = await ownClusters();
const { test } = given;

/** Kinds of others that name a class, and the lists about them. */
const kinds = [
  {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    plural: 'volumesnapshots',
    field: 'volumeSnapshotClasses',
    name: 'volumeSnapshotClassName',
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    plural: 'gateways',
    field: 'gatewayClasses',
    name: 'gatewayClassName',
  },
] as const;

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
/** The API server requires it of definitions in groups of Kubernetes. */
const approval = { 'api-approved.kubernetes.io': 'unapproved, for tests' };

test('snapshots and gateways name only classes that the class lists', async () => {
  await using cluster = await given.newCluster();
  const { admin } = cluster;
  for (const kind of kinds) {
    const definition = ofOneVersion(kind, open, 'Namespaced');
    const metadata = { ...definition.metadata, annotations: approval };
    await serve(admin, { ...definition, metadata } as Body);
  }
  await apply(cluster, buildAllowListPolicies() as unknown as Body[]);
  const klass = { allow: { volumeSnapshotClasses: ['gold'], gatewayClasses: ['gold'] } };
  const namespace = uniqueName('lists');
  const annotations = Object.fromEntries(
    Object.entries(formatLists(klass)).map(([field, entries]) => [
      FACTS[field as keyof typeof FACTS],
      entries.join('\n'),
    ]),
  );
  const metadata = { name: namespace, labels: buildListLabels(klass), annotations };
  await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata }]);
  for (const { apiVersion, kind, field, name } of kinds) {
    const create = (value: string) =>
      admin.create(
        { apiVersion, kind, metadata: { name: 'own', namespace }, spec: { [name]: value } } as Body,
        { dryRun: true },
      );
    await until(`the policy about ${field} is in force`, async () => {
      return (await create('slow')).status === 403;
    });
    expect((await create('slow')).body.message).toContain(`allow.${field} (gold), got slow`);
    expect((await create('gold')).status).toBe(201);
  }
});
