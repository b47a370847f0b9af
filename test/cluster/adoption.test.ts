import { expect } from '@jest/globals';
import { ADOPT_BY_LABEL, TENANT_LABEL } from '../../model/ownership.ts';
import { ADOPTION_NAME } from '../../model/policies/ownership.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { deliver, desiredObjects } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;

const applying = { fieldManager: 'argocd-controller', force: true } as const;
const refused = (words: string) => ({
  status: 403,
  body: { message: expect.stringMatching(new RegExp(`'${ADOPTION_NAME}'.*${words}`)) },
});

/** Annotations that no declaration has. */
const ALLOCATED = { 'openshift.io/sa.scc.uid-range': '1000720000/10000' };

/** Creates a namespace of another system, with a name that a tenant declares. */
async function existing(tenant: string): Promise<string> {
  const name = `${tenant}-shop`;
  const metadata = { name, annotations: ALLOCATED };
  const body: Body = { apiVersion: 'v1', kind: 'Namespace', metadata };
  expect(await given.cluster.admin.create(body)).toMatchObject({ status: 201 });
  return name;
}

test('declaring a namespace of another system does not adopt it, and none of the tenant’s objects enter it', async () => {
  const { admin } = given.cluster;
  await deliver(given.cluster, uniqueName('first'), {});
  const tenant = uniqueName('taker');
  const namespace = await existing(tenant);
  const objects = desiredObjects(tenant, {});
  // The policy also applies to administrators and Argo CD, whom RBAC allows everything.
  for (const object of objects) {
    const words =
      object.kind === 'Namespace'
        ? `namespace ${namespace} exists and is no tenant's`
        : `must be in a namespace of the tenant, got ${namespace}, which is no tenant's`;
    expect([object.kind, await admin.apply(object, applying)]).toMatchObject([
      object.kind,
      refused(words),
    ]);
  }
});

test('a namespace that an administrator releases to a tenant is adopted, with all of its objects', async () => {
  const { admin } = given.cluster;
  await deliver(given.cluster, uniqueName('first'), {});
  const tenant = uniqueName('heir');
  const namespace = await existing(tenant);
  const kept = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept', namespace } };
  expect(await admin.create(kept)).toMatchObject({ status: 201 });
  const reference = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  await admin.patch(reference, { metadata: { labels: { [ADOPT_BY_LABEL]: tenant } } });
  const objects = desiredObjects(tenant, {});
  for (const object of objects) {
    await until(`${object.kind} is applied`, async () => {
      return (await admin.apply(object, applying)).status < 300;
    });
  }
  // OpenShift allocates this for the namespace; without it, pods lose their user and their volumes.
  expect(await admin.get(reference)).toMatchObject({
    body: { metadata: { annotations: ALLOCATED, labels: { [TENANT_LABEL]: tenant } } },
  });
  const { name, ...where } = kept.metadata;
  expect(await admin.get({ apiVersion: 'v1', kind: 'ConfigMap', name, ...where })).toMatchObject({
    status: 200,
  });
  // A second sync does not change the owner.
  expect(await admin.apply(objects[0]!, applying)).toMatchObject({ status: 200 });
});

test('declaring a namespace of another tenant does not adopt it', async () => {
  const { admin } = given.cluster;
  const owner = uniqueName('owner');
  const { namespace } = await deliver(given.cluster, owner, {});
  const patch = { metadata: { labels: { [TENANT_LABEL]: 'other' } } };
  const reference = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  expect(await admin.patch(reference, patch)).toMatchObject(
    refused(`namespace ${namespace} exists and is tenant ${owner}'s`),
  );
  for (const subresource of ['status', 'finalize']) {
    const { body } = await admin.get(reference);
    const labels = { ...body.metadata!.labels, [TENANT_LABEL]: 'other' };
    const whole = { ...body, metadata: { ...body.metadata, labels } };
    expect(await admin.put(reference, subresource, whole as Body)).toMatchObject(
      refused(`namespace ${namespace} exists and is tenant ${owner}'s`),
    );
  }
});
