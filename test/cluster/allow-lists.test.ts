import { expect } from '@jest/globals';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { ALLOW_LISTS } from '../../model/allow-lists/lists.ts';
import { imageVersion } from '../../model/hardening/policies.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { staffedTenant } from './people.ts';

type Allow = NonNullable<TenantClassSpec['allow']>;

const given = await sharedCluster();
const { test } = given;

const dry = { dryRun: true } as const;
const refused = (policy: string, words: string) => ({
  status: 403,
  body: {
    reason: 'Forbidden',
    message: expect.stringContaining(`'tenant-${policy}.tenantry.dev'`),
    details: {
      causes: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining(words) }),
      ]),
    },
  },
});

/** Creates a tenant of a class with these lists, and waits until their policies apply. */
async function bounded(allow: Allow, probe: (namespace: string, by: Client) => Promise<Reply>) {
  const staffed = await staffedTenant(given.cluster, {}, { allow });
  await until('the policy is in force', async () => {
    return (await probe(staffed.namespace, given.cluster.admin)).status === 403;
  });
  return staffed;
}

const OWN = 'ghcr.io/acme/web:1';
const OTHER = 'evil.io/web:1';
const container = (image: string, name = 'c') => ({ name, image });
const labels = { app: 'own' };
const of = (apiVersion: string, kind: string, namespace: string, more: object = {}): Body => ({
  apiVersion,
  kind,
  metadata: { name: uniqueName('own'), namespace },
  ...more,
});
const pod = (namespace: string, spec: object): Body => of('v1', 'Pod', namespace, { spec });

/** Every kind that runs pods, with a pod spec in it. */
const workloads: readonly ((namespace: string, spec: object) => Body)[] = [
  pod,
  (namespace, spec) =>
    of('v1', 'PodTemplate', namespace, { template: { metadata: { labels }, spec } }),
  (namespace, spec) =>
    of('v1', 'ReplicationController', namespace, {
      spec: { replicas: 0, selector: labels, template: { metadata: { labels }, spec } },
    }),
  ...(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'] as const).map(
    (kind) => (namespace: string, spec: object) =>
      of('apps/v1', kind, namespace, {
        spec: {
          ...(kind !== 'DaemonSet' && { replicas: 0 }),
          ...(kind === 'StatefulSet' && { serviceName: 'own' }),
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec },
        },
      }),
  ),
  (namespace, spec) =>
    of('batch/v1', 'Job', namespace, {
      spec: { suspend: true, template: { spec: { restartPolicy: 'Never', ...spec } } },
    }),
  (namespace, spec) =>
    of('batch/v1', 'CronJob', namespace, {
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', ...spec } } } },
      },
    }),
];

/** Every place of an image in a new pod. */
const imagePlaces: readonly ((image: string) => object)[] = [
  (image) => ({ containers: [container(image)] }),
  (image) => ({ containers: [container(OWN)], initContainers: [container(image, 'i')] }),
  (image) => ({
    containers: [container(OWN)],
    volumes: [{ name: 'v', image: { reference: image, pullPolicy: 'IfNotPresent' } }],
  }),
];

const images: Allow = { images: ['ghcr.io/acme/*'] };
const probeImage = (namespace: string, by: Client) =>
  by.create(pod(namespace, { containers: [container(OTHER)] }), dry);

test('nobody runs an image of another registry, through any kind and any field', async () => {
  const { admin } = given.cluster;
  const { namespace, alice } = await bounded(images, probeImage);
  const words = `allow.images (ghcr.io/acme/*), got ${OTHER}`;
  for (const build of workloads) {
    for (const place of imagePlaces) {
      const { status, body } = await admin.create(build(namespace, place(OWN)), dry);
      expect([body.message, status]).toEqual([undefined, 201]);
      const other = build(namespace, place(OTHER));
      // Kubernetes' own role has no rights on PodTemplates.
      for (const by of other.kind === 'PodTemplate' ? [admin] : [alice, admin]) {
        const reply = await by.create(other, dry);
        expect([other.kind, reply]).toMatchObject([other.kind, refused('images', words)]);
      }
    }
  }
});

test('an image does not change to another registry by an update, a patch or an apply', async () => {
  const { namespace, alice } = await bounded(images, probeImage);
  const words = `got ${OTHER}`;
  const running = pod(namespace, { containers: [container(OWN)] });
  expect(await alice.create(running)).toMatchObject({ status: 201 });
  const changed = { spec: { containers: [container(OTHER)] } };
  const reference = toReference(running);
  expect(await alice.patch(reference, changed, { type: 'strategic' })).toMatchObject(
    refused('images', words),
  );
  const applied = { fieldManager: 'alice', force: true };
  expect(await alice.apply({ ...running, ...changed }, applied)).toMatchObject(
    refused('images', words),
  );
  const debug = (image: string) => ({ spec: { ephemeralContainers: [container(image, 'debug')] } });
  const by = { type: 'strategic', subresource: 'ephemeralcontainers' } as const;
  const { admin } = given.cluster;
  expect(await admin.patch(reference, debug(OTHER), by)).toMatchObject(refused('images', words));
  expect(await admin.patch(reference, debug('ghcr.io/acme/debug:1'), by)).toMatchObject({
    status: 200,
  });
});

test('what ran before the class had the list can be labeled and scaled, and gets no other image', async () => {
  const { admin } = given.cluster;
  const staffed = await staffedTenant(given.cluster, {}, {});
  const { namespace, alice } = staffed;
  const template = { metadata: { labels }, spec: { containers: [container(OTHER)] } };
  const deployment = of('apps/v1', 'Deployment', namespace, {
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
  expect(await alice.create(deployment)).toMatchObject({ status: 201 });
  const sets = { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace };
  await until('the Deployment has its ReplicaSet', async () => {
    return (await admin.list(sets)).body.items?.length === 1;
  });
  const key = 'policy.tenantry.dev/images';
  const listed = {
    metadata: { labels: { [key]: 'Listed' }, annotations: { [key]: 'ghcr.io/acme/*' } },
  };
  const home = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  expect(await admin.patch(home, listed)).toMatchObject({ status: 200 });
  await until('the policy is in force', async () => {
    return (await probeImage(namespace, alice)).status === 403;
  });
  const reference = toReference(deployment);
  const seen = { metadata: { labels: { seen: 'yes' } } };
  expect(await alice.patch(reference, seen)).toMatchObject({ status: 200 });
  const scaled = { spec: { replicas: 1 } };
  expect(await alice.patch(reference, scaled, { subresource: 'scale' })).toMatchObject({
    status: 200,
  });
  // The pods of the controller are refused.
  type Conditions = { conditions?: readonly { type: string; message: string }[] } | undefined;
  const failure = await until('the ReplicaSet is refused its pods', async () => {
    const { items = [] } = (await admin.list(sets)).body;
    return items
      .flatMap(({ status }) => (status as Conditions)?.conditions ?? [])
      .find(({ type }) => type === 'ReplicaFailure')?.message;
  });
  expect(failure).toContain(`allow.images (ghcr.io/acme/*), got ${OTHER}`);
  const third = { spec: { template: { spec: { containers: [container('evil.io/third')] } } } };
  expect(await alice.patch(reference, third, { type: 'strategic' })).toMatchObject(
    refused('images', 'got evil.io/third'),
  );
});

const claim = (namespace: string, spec: object, annotations: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: uniqueName('own'), namespace, annotations: { ...annotations } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const ingress = (namespace: string, spec: object, annotations: object = {}): Body => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: uniqueName('own'), namespace, annotations: { ...annotations } },
  spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } }, ...spec },
});
const devices = (deviceClassName: string) => ({
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName } }] },
});

/** Objects that name `slow` where the class lists `gold` and `fast-*`. */
const naming: readonly (readonly [
  policy: string,
  field: keyof Allow,
  build: (namespace: string, name: string) => Body,
])[] = [
  ['storage-classes', 'storageClasses', (at, storageClassName) => claim(at, { storageClassName })],
  [
    'storage-classes',
    'storageClasses',
    (at, name) => claim(at, {}, { 'volume.beta.kubernetes.io/storage-class': name }),
  ],
  [
    'volume-attributes-classes',
    'volumeAttributesClasses',
    (at, volumeAttributesClassName) => claim(at, { volumeAttributesClassName }),
  ],
  [
    'ingress-classes',
    'ingressClasses',
    (at, ingressClassName) => ingress(at, { ingressClassName }),
  ],
  [
    'ingress-classes',
    'ingressClasses',
    (at, name) => ingress(at, {}, { 'kubernetes.io/ingress.class': name }),
  ],
  [
    'device-classes',
    'deviceClasses',
    (at, name) => of('resource.k8s.io/v1', 'ResourceClaim', at, { spec: devices(name) }),
  ],
  [
    'device-classes',
    'deviceClasses',
    (at, name) =>
      of('resource.k8s.io/v1', 'ResourceClaimTemplate', at, { spec: { spec: devices(name) } }),
  ],
  [
    'schedulers',
    'schedulers',
    (at, schedulerName) => pod(at, { containers: [container(OWN)], schedulerName }),
  ],
  [
    'runtime-classes',
    'runtimeClasses',
    (at, runtimeClassName) => workloads[3]!(at, { containers: [container(OWN)], runtimeClassName }),
  ],
];

test('objects name only classes and schedulers that the class lists', async () => {
  const names = ['gold', 'fast-*'];
  const allow = Object.fromEntries(
    ALLOW_LISTS.filter(({ field }) => field !== 'images').map(({ field }) => [field, names]),
  );
  const probe = (namespace: string, by: Client) =>
    by.create(claim(namespace, { storageClassName: 'slow' }), dry);
  const { namespace } = await bounded(allow, probe);
  // The tenant's people have no rights on some of these kinds, and the policies exempt nobody.
  const { admin } = given.cluster;
  for (const [policy, field, build] of naming) {
    const words = `allow.${field} (fast-*, gold), got slow`;
    await until(`the policy ${policy} is in force`, async () => {
      return (await admin.create(build(namespace, 'slow'), dry)).status === 403;
    });
    expect(await admin.create(build(namespace, 'slow'), dry)).toMatchObject(refused(policy, words));
    for (const name of ['gold', 'fast-ssd']) {
      const reply = await admin.create(build(namespace, name), dry);
      expect([policy, name, reply.status, reply.body.message]).toEqual([
        policy,
        name,
        201,
        undefined,
      ]);
    }
  }
});

test('the default class of the cluster is filled in first, and must be listed', async () => {
  const { admin } = given.cluster;
  const fallback = uniqueName('fallback');
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const storage: Body = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: fallback, annotations: isDefault },
    provisioner: 'example.com/none',
  };
  expect(await admin.create(storage as Body)).toMatchObject({ status: 201 });
  try {
    const probe = (namespace: string, by: Client) =>
      by.create(claim(namespace, { storageClassName: 'slow' }), dry);
    const closed = await bounded({ storageClasses: ['gold'] }, probe);
    await until('the default is filled in', async () => {
      const { status } = await closed.alice.create(claim(closed.namespace, {}), dry);
      return status === 403;
    });
    expect(await closed.alice.create(claim(closed.namespace, {}), dry)).toMatchObject(
      refused('storage-classes', `(gold), got ${fallback}`),
    );
    const open = await bounded({ storageClasses: ['gold', fallback] }, probe);
    expect(await open.alice.create(claim(open.namespace, {}), dry)).toMatchObject({ status: 201 });
    const without = claim(open.namespace, { storageClassName: '' });
    expect(await open.alice.create(without, dry)).toMatchObject(
      refused('storage-classes', "got ''"),
    );
  } finally {
    await admin.delete(toReference(storage));
  }
});

test('an Ingress without a class is refused, because a controller may serve it anyway', async () => {
  const probe = (namespace: string, by: Client) => by.create(ingress(namespace, {}), dry);
  const { namespace, alice } = await bounded({ ingressClasses: ['gold'] }, probe);
  expect(await alice.create(ingress(namespace, {}), dry)).toMatchObject(
    refused('ingress-classes', 'an IngressClass must be named'),
  );
});

test('the longest lists and the largest pods stay within the costs of the API server', async () => {
  const path = 'x'.repeat(20);
  const long = Array.from({ length: 100 }, (_, i) => `registry-${i}.example.com/${path}/${i}/*`);
  const { namespace, alice } = await bounded({ images: long }, probeImage);
  const last = `registry-99.example.com/${path}/99/web@sha256:${'0'.repeat(64)}`;
  const many = (image: string) => ({
    containers: Array.from({ length: 100 }, (_, i) => ({
      ...container(image, `c${i}`),
      resources: { requests: { cpu: '1m', memory: '1Mi' }, limits: { memory: '1Mi' } },
    })),
  });
  const { status, body } = await alice.create(pod(namespace, many(last)), dry);
  expect([body.message, status]).toEqual([undefined, 201]);
  expect(await alice.create(pod(namespace, many(OTHER)), dry)).toMatchObject(
    refused('images', `got ${OTHER}`),
  );
});

test('nobody but the platform changes the list of a namespace', async () => {
  const { namespace, alice } = await bounded(images, probeImage);
  const key = 'policy.tenantry.dev/images';
  const home = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  for (const metadata of [{ labels: { [key]: null } }, { annotations: { [key]: '*' } }])
    expect(await alice.patch(home, { metadata })).toMatchObject({ status: 403 });
});

test('every image must have a tag or a digest where the class requires it', async () => {
  const { admin } = given.cluster;
  for (const object of imageVersion)
    await admin.apply(object as unknown as Body, { fieldManager: 'platform', force: true });
  for (const [least, enough, short] of [
    ['Tag', 'nginx:1', 'nginx:latest'],
    ['Digest', `nginx@sha256:${'0'.repeat(64)}`, 'nginx:1'],
  ] as const) {
    const klass = { hardening: { imageVersion: least } };
    const { namespace } = await staffedTenant(given.cluster, {}, klass);
    const run = (build: (typeof workloads)[number], image: string) =>
      admin.create(build(namespace, { containers: [container(image)] }), dry);
    await until('the policy is in force', async () => {
      return (await run(pod, short)).status === 403;
    });
    for (const build of workloads) {
      expect(await run(build, short)).toMatchObject(refused('image-version', `got ${short}`));
      expect((await run(build, enough)).status).toBe(201);
    }
  }
});
