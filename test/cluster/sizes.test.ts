import { expect } from '@jest/globals';
import { toTenantObject } from '../../model/declared-objects.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { MAX_OBJECT } from '../../model/rules/size.ts';
import { tenant, type TenantSpec } from '../../crds/tenant.ts';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

/** Returns many small keys, which cost the API server the most: it records the owner of each. */
const keys = (from: string) =>
  Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`${from}${i}`, '']));

const namespaces = Array.from({ length: 100 }, (_, i) => ({
  name: `n${i}`,
  labels: keys('a'),
  annotations: keys('b'),
  network: {
    policies: Array.from({ length: 1 }, (_, j) => ({
      name: `p${j}`,
      labels: keys('c'),
      annotations: keys('d'),
      spec: { podSelector: { matchLabels: keys('e') } },
    })),
  },
}));

function filled(name: string): { readonly object: Body; readonly isTaken: boolean }[] {
  const sizeOf = (spec: TenantSpec) => JSON.stringify({ metadata: { name }, spec }).length;
  const room = MAX_OBJECT - sizeOf({ namespaces, resources: [] });
  const manifest = (text: string, i: number) => ({
    manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m${i}` }, data: { text } },
  });
  const overhead = sizeOf({ resources: [manifest('', 0)] }) - sizeOf({ resources: [] }) + 2;
  const count = Math.ceil(room / 60_000);
  const each = Math.floor(room / count) - overhead;
  const resources = Array.from({ length: count }, (_, i) => manifest('x'.repeat(each), i));
  return [resources, [...resources, manifest('x'.repeat(1000), count)]].map((items) => {
    const declaration = { name, spec: { namespaces, resources: items } };
    const { findings } = desired(declaration, { name: 'standard', spec: {} }, resolvePlatform({}));
    const isTaken = !findings.some(({ rule }) => rule === 'object-size');
    return { object: toTenantObject(declaration) as unknown as Body, isTaken };
  });
}

test('the largest Tenant that validation accepts is stored, and can be applied again by another manager', async () => {
  const { admin } = given.cluster;
  await serve(admin, crdManifest(tenant));
  const [largest, larger] = filled(uniqueName('large'));
  expect([largest!.isTaken, larger!.isTaken]).toEqual([true, false]);
  for (const fieldManager of ['argocd-controller', 'kubectl']) {
    const { status, body } = await admin.apply(largest!.object, { fieldManager, force: true });
    expect({ status, message: body.message }).toMatchObject({ message: undefined });
    console.log(`${fieldManager}: ${JSON.stringify(body).length} bytes are kept`);
  }
  await admin.delete(toReference(largest!.object));
});

test('the API server accepts annotations of exactly 256 KiB in total', async () => {
  const namespace = await newNamespace(given.cluster, 'annotated');
  const annotated = (more: string): Body => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'a', namespace, annotations: { ab: 'ä'.repeat(131_071) + more } },
  });
  const ask = async (object: Body) =>
    (await given.cluster.admin.create(object, { dryRun: true })).status;
  expect([await ask(annotated('')), await ask(annotated('x'))]).toEqual([201, 422]);
});
