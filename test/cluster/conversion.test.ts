import { afterAll, expect } from '@jest/globals';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { KEPT_ANNOTATION } from '@tenantry/crd/conversion/kept-annotation';
import { convertReview } from '@tenantry/crd/conversion';
import { crdManifest } from '@tenantry/crd/definition';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { conversionsOf, redisOf } from '@tenantry/crd/test/conversion/redis';
import { serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

const redis = redisOf('conversion.example.com');
const reviewed = conversionsOf(redis);

const authority = new Authority();
const { certificate: cert, key } = authority.issue({
  commonName: 'conversions',
  hosts: ['127.0.0.1'],
});
/** Exceeds the 90 s that the API server keeps idle connections, so that no connection closes during a request. */
const keepAliveTimeout = 120_000;
const webhook = createServer({ cert, key, keepAliveTimeout }, async (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(convertReview(reviewed, await json(request))));
});
await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  webhook.closeAllConnections();
  webhook.close();
});

/** Builds the definition of the kind, with the server above as its conversion webhook. */
function converted() {
  const { port } = webhook.address() as AddressInfo;
  const caBundle = Buffer.from(authority.pair.certificate).toString('base64');
  return crdManifest({
    ...redis,
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { url: `https://127.0.0.1:${port}/convert`, caBundle },
        conversionReviewVersions: ['v1'],
      },
    },
  });
}

const { v1, v1beta1, v1alpha1 } = redis.versions;

const cache = (name: string, namespace: string, spec: Record<string, unknown>) => ({
  apiVersion: v1.apiVersion,
  kind: redis.kind,
  metadata: { name, namespace, labels: { app: 'shop' } },
  spec,
});

test('a client of an older version changes an object, and fields that it cannot see are kept', async () => {
  const { admin } = given.cluster;
  await serve(admin, converted());
  const namespace = await newNamespace(given.cluster, 'conversion');
  const spec = {
    replicas: 2,
    mode: 'Disk',
    image: { repository: 'docker.io/redis', tag: '8.2' },
    tolerations: [{ key: 'spot', effect: 'NoSchedule' }],
    ports: [
      { name: 'tls', port: 6380 },
      { name: 'redis', port: 6379 },
    ],
  };
  const created = await admin.create(cache('cache', namespace, spec));
  expect(created.status).toBe(201);

  const older = { apiVersion: v1beta1.apiVersion, kind: redis.kind, name: 'cache', namespace };
  const seen = await admin.get(older);
  expect(seen.body).toMatchObject({
    apiVersion: v1beta1.apiVersion,
    metadata: { uid: created.body.metadata?.uid, labels: { app: 'shop' } },
    spec: { size: 2, image: 'docker.io/redis:8.2', ports: spec.ports },
  });
  expect(seen.body.metadata?.annotations).toHaveProperty([KEPT_ANNOTATION]);

  const written = await admin.replace({
    ...seen.body,
    spec: { ...(seen.body.spec as object), size: 5 },
  });
  expect(written.status).toBe(200);
  const oldest = { ...older, apiVersion: v1alpha1.apiVersion };
  const patched = await admin.patch(oldest, { spec: { port: 7000 } });
  expect(patched.body).toMatchObject({ spec: { size: 5, port: 7000 } });

  const now = await admin.get({ ...older, apiVersion: v1.apiVersion });
  expect(now.body.metadata?.annotations).toBeUndefined();
  expect(now.body.spec).toEqual({
    ...spec,
    replicas: 5,
    ports: [
      { name: 'tls', port: 6380 },
      { name: 'redis', port: 7000 },
    ],
  });
});

test('a list in each version contains the objects of all versions', async () => {
  const { admin } = given.cluster;
  await serve(admin, converted());
  const namespace = await newNamespace(given.cluster, 'conversion');
  await admin.create(cache('a', namespace, { replicas: 1, mode: 'Disk' }));
  const b = cache('b', namespace, { size: 2, debug: 'Much', port: 6379 });
  await admin.create({ ...b, apiVersion: v1alpha1.apiVersion });
  const path = `/apis/${v1alpha1.apiVersion}/namespaces/${namespace}/${redis.plural}`;
  const { body } = await admin.request({ method: 'GET', path });
  const specs = (body['items'] as { spec: object }[]).map(({ spec }) => spec);
  expect(specs).toEqual([{ size: 1 }, { size: 2, debug: 'Much', port: 6379 }]);
});

test('the client that made the request gets the message of a failed conversion', async () => {
  const { admin } = given.cluster;
  await serve(admin, converted());
  const namespace = await newNamespace(given.cluster, 'conversion');
  const entries = Array.from({ length: 3000 }, (_, i) => [`key-${i}`, 'x'.repeat(99)]);
  const large = cache('large', namespace, { replicas: 1, settings: Object.fromEntries(entries) });
  expect((await admin.create(large)).status).toBe(201);
  const oldest = { apiVersion: v1alpha1.apiVersion, kind: redis.kind, name: 'large', namespace };
  const { status, body } = await admin.get(oldest);
  expect(status).toBe(500);
  expect(body.message).toContain(
    `Redis ${namespace}/large annotations must have at most 262144 bytes together`,
  );
});
