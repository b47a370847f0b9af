import { afterAll, expect } from '@jest/globals';
import { conversions } from '@tenantry/crd/conversion';
import { define } from '@tenantry/crd/define';
import { crdManifest } from '@tenantry/crd/definition';
import { certificateAccess } from '@tenantry/kube/access';
import type { InjectionTarget } from '@tenantry/runtime/certificates/injection';
import type { RotationStep } from '@tenantry/runtime/certificates/rotation';
import { SharedCertificates } from '@tenantry/runtime/certificates/shared-certificates';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import type { Client } from '@tenantry/runtime/client/client';
import { Transport } from '@tenantry/runtime/connection/transport';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ValidatingWebhookConfiguration } from '@tenantry/runtime/kinds/admissionregistration';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Secret } from '@tenantry/runtime/kinds/core';
import { kindOf } from '@tenantry/runtime/kinds/kind';
import {
  mutatingWebhook,
  validatingWebhook,
} from '@tenantry/runtime/webhooks/admission/admission-webhook';
import { allowed, changed, denied } from '@tenantry/runtime/webhooks/admission/verdict';
import { conversionWebhook } from '@tenantry/runtime/webhooks/conversion-webhook';
import { WebhookServer } from '@tenantry/runtime/webhooks/webhook-server';
import type { Webhook } from '@tenantry/runtime/webhooks/webhook';
import { integer, object, required, string } from '@tenantry/crd/schema/language';
import type { Body } from '@tenantry/testing/controlplane/objects';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { Account } from './accounts.ts';
import { RecordingLog } from '@tenantry/runtime/test/certificates/recording-log';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';

const given = await sharedCluster();
const { test } = given;
const stop = new AbortController();
const running: Promise<void>[] = [];
const transports: Transport[] = [];
afterAll(async () => {
  stop.abort();
  await Promise.all(running);
  for (const one of transports) one.close();
});

function clientOf(user = given.cluster.admin): Client {
  const transport = new Transport(connectionOfUser(user), { qps: Infinity });
  transports.push(transport);
  return new ApiClient(transport);
}

/** Starts replicas that share one Secret and use short times; the first one serves. */
async function serving(
  webhooks: readonly Webhook[],
  targets: readonly InjectionTarget[],
  {
    client = clientOf(),
    replicas = 1,
    namespace = '',
    requestsPerConnection = 0,
    pause = 1500,
  } = {},
) {
  const where = namespace || (await newNamespace(given.cluster, 'hooks'));
  const secret = { namespace: where, name: 'webhook-certificates' };
  const steps: RotationStep[] = [];
  const log = new RecordingLog();
  const times = { settle: pause, overlap: pause, interval: 300 };
  const all = Array.from({ length: replicas }, () => {
    const observe = (step: RotationStep): void => void steps.push(step);
    const hosts = ['127.0.0.1'];
    return new SharedCertificates({ client, secret, hosts, targets, log, ...times, observe });
  });
  const [first, ...others] = all as [SharedCertificates, ...SharedCertificates[]];
  const server = new WebhookServer({
    certificates: first,
    webhooks,
    log,
    requestsPerConnection,
    port: 0,
    host: '127.0.0.1',
  });
  running.push(server.run(stop.signal), ...others.map((one) => one.run(stop.signal)));
  const port = await until('the webhooks are served', () => server.port);
  return { client, secret, steps, log, replicas: all, url: `https://127.0.0.1:${port}` };
}

const group = `${uniqueName('hooks')}.example.com`;

const boxesOf = (kind: string) =>
  define({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
    versions: {
      v1: {
        storage: true,
        schema: object('A box.', {
          spec: required(
            object('', { width: required(integer('')), large: integer(''), colour: string('') }),
          ),
        }),
      },
      v1beta1: {
        schema: object('A box.', {
          spec: required(
            object('', { size: required(integer('')), large: integer(''), colour: string('') }),
          ),
        }),
      },
    },
  });

type Boxes = ReturnType<typeof boxesOf>;

const conversionsOf = (boxes: Boxes) =>
  conversions(boxes, 'v1', {
    v1beta1: {
      toHub: ({ spec: { size, ...spec } }) => ({ spec: { width: size, ...spec } }),
      fromHub: ({ spec: { width, ...spec } }) => ({ spec: { size: width, ...spec } }),
    },
  });

/** Returns the definition, converted by the webhook, without a caBundle. */
const converted = (boxes: Boxes, url: string): Body => {
  const { path } = conversionWebhook(conversionsOf(boxes));
  const clientConfig = { url: `${url}${path}` };
  const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
  const manifest = crdManifest({ ...boxes, conversion: { strategy: 'Webhook', webhook } });
  return { ...manifest, spec: { ...manifest.spec } };
};

const targetOf = (boxes: Boxes): InjectionTarget => ({
  kind: 'CustomResourceDefinition',
  name: `${boxes.plural}.${group}`,
});

/** Installs the definition before its webhook can convert, and waits until its objects are converted. */
async function installed(boxes: Boxes, url: string, client: Client, namespace: string) {
  const { admin } = given.cluster;
  const created = await admin.create(converted(boxes, url));
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  const [v1, v1beta1] = [kindOf(boxes, 'v1'), kindOf(boxes, 'v1beta1')];
  const metadata = { namespace, name: 'a' };
  await until('an object can be created', () =>
    client.create(v1beta1, { metadata, spec: { size: 3 } }),
  );
  return { v1, v1beta1, metadata };
}

test('a definition is installed before its webhook is trusted, and its versions are converted after that', async () => {
  const boxes = boxesOf('Box');
  const hook = conversionWebhook(conversionsOf(boxes));
  const { client, url, secret, log } = await serving([hook], [targetOf(boxes)]);
  const { v1, v1beta1, metadata } = await installed(boxes, url, client, secret.namespace);
  expect((await client.get(v1, metadata)).spec).toEqual({ width: 3 });
  const updated = await client.patch(v1, metadata, { spec: { width: 4 } });
  const older = await client.get(v1beta1, metadata);
  expect([older.spec, older.metadata.uid]).toEqual([{ size: 4 }, updated.metadata.uid]);
  const { status } = await client.get(CustomResourceDefinition, { name: targetOf(boxes).name });
  expect(status?.storedVersions).toEqual(['v1']);
  expect(log.sentences('warn')).toEqual([]);
});

test('without a working webhook, objects of the stored version are read and written, and other versions fail', async () => {
  const { admin } = given.cluster;
  const client = clientOf();
  const boxes = boxesOf('Carton');
  const namespace = await newNamespace(given.cluster, 'hooks');
  const created = await admin.create(converted(boxes, 'https://127.0.0.1:1'));
  expect(created.status).toBe(201);
  const [v1, v1beta1] = [kindOf(boxes, 'v1'), kindOf(boxes, 'v1beta1')];
  const metadata = { namespace, name: 'a' };
  await until('an object can be created', () =>
    client.create(v1, { metadata, spec: { width: 1 } }),
  );
  const patched = await client.patch(v1, metadata, { spec: { width: 2 } });
  expect(patched.spec.width).toBe(2);
  const failed = await client.get(v1beta1, metadata).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    status: 500,
    message: expect.stringContaining('conversion webhook for'),
  });
});

test('certificates rotate twice under load, and no request fails', async () => {
  const boxes = boxesOf('Crate');
  const hook = conversionWebhook(conversionsOf(boxes));
  // Each request opens a connection of its own, since a rotation would go unnoticed over kept connections. A busy API
  // server needs some time to trust an announced authority.
  const often = { replicas: 2, requestsPerConnection: 1, pause: 3000 };
  const made = await serving([hook], [targetOf(boxes)], often);
  const { client, url, secret, steps, replicas } = made;
  const { v1, v1beta1, metadata } = await installed(boxes, url, client, secret.namespace);
  await until('all is quiet', () => replicas.every((one) => one.isReady));
  const failures: string[] = [];
  let count = 0;
  const over = new AbortController();
  const load = async (write: boolean): Promise<void> => {
    while (!over.signal.aborted) {
      const patch = { spec: { size: (count % 9) + 1 } };
      const asked = write ? client.patch(v1beta1, metadata, patch) : client.get(v1beta1, metadata);
      await asked.catch((error: Error) => failures.push(error.message));
      count += 1;
      await systemClock.sleep(20);
    }
  };
  const loads = [load(true), load(false), load(false)];
  const served = new Set<string>();
  for (const turn of [1, 2]) {
    served.add(replicas[0]!.current!.certificate);
    replicas[0]!.rotate();
    await until('it has rotated', () => steps.filter((step) => step === 'ended').length === turn);
    served.add(replicas[0]!.current!.certificate);
  }
  over.abort();
  await Promise.all(loads);
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(50);
  expect(served.size).toBe(3);
  const rotation = ['announced', 'switched', 'ended'];
  expect(steps).toEqual(['begun', ...rotation, ...rotation]);
  expect((await client.get(v1, metadata)).kind).toBe('Crate');
});

test('replicas that start at once share one certificate', async () => {
  const { steps, replicas } = await serving([], [], { replicas: 3 });
  await until('all serve', () => replicas.every((one) => one.current !== undefined));
  expect(new Set(replicas.map((one) => one.current?.certificate)).size).toBe(1);
  expect(steps).toEqual(['begun']);
});

test('handlers refuse and change writes', async () => {
  const { admin } = given.cluster;
  const boxes = boxesOf('Case');
  const kind = kindOf(boxes, 'v1');
  const name = uniqueName('hooks');
  const validating = validatingWebhook({
    kind,
    validate: ({ object, warn, audit, operation, oldObject }) => {
      audit('seen', operation);
      if (object && object.spec.width > 5) {
        return denied(`spec.width must be at most 5, got ${object.spec.width}`);
      }
      if (operation === 'DELETE' && oldObject.spec.colour === 'red') return denied('red ones stay');
      if (object?.spec.width === 5) warn('5 is much');
      if (object?.spec.width === 4) throw new Error('a mistake');
      return allowed;
    },
  });
  const mutating = mutatingWebhook({
    kind,
    schema: boxes.versions.v1.schema,
    mutate: ({ object }) =>
      object && object.spec.colour === undefined
        ? changed({
            ...object,
            metadata: { ...object.metadata, annotations: { 'example.com/c': 'd' } },
            spec: { ...object.spec, colour: 'red' },
          })
        : allowed,
  });
  const hooks = [conversionWebhook(conversionsOf(boxes)), validating, mutating];
  const configurations = [
    'ValidatingWebhookConfiguration',
    'MutatingWebhookConfiguration',
  ] as const;
  const targets = [
    targetOf(boxes),
    ...configurations.map((kind): InjectionTarget => ({ kind, name })),
  ];
  const { client, url, secret } = await serving(hooks, targets);
  for (const [i, config] of configurations.entries()) {
    const webhook = {
      name: `${name}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: `${url}${[validating, mutating][i]!.path}` },
      rules: [
        {
          apiGroups: [group],
          apiVersions: ['v1'],
          resources: [boxes.plural],
          operations: ['CREATE', 'UPDATE', 'DELETE'],
        },
      ],
    };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const created = await admin.create({
      apiVersion,
      kind: config,
      metadata: { name },
      webhooks: [webhook],
    });
    expect(created.status).toBe(201);
  }
  const { metadata } = await installed(boxes, url, client, secret.namespace);
  const made = await client.get(kind, metadata);
  expect(made.spec).toEqual({ width: 3, colour: 'red' });
  expect(made.metadata.annotations).toEqual({ 'example.com/c': 'd' });

  const refused = async (asked: Promise<unknown>) => {
    const error = await asked.catch((error: unknown) => error);
    return error instanceof ApiError ? [error.status, error.message] : error;
  };
  const by = `admission webhook "${name}.example.com" denied the request: `;
  const patched = (spec: object) => refused(client.patch(kind, metadata, { spec }));
  expect(await patched({ width: 6 })).toEqual([403, `${by}spec.width must be at most 5, got 6`]);
  expect(await patched({ width: 4 })).toEqual([
    500,
    expect.stringMatching(`^${by}the webhook failed; see its log under the uid .+`),
  ]);
  expect(await patched({ width: 'x' })).toEqual([422, expect.stringContaining('spec.width')]);
  expect(await refused(client.delete(kind, metadata))).toEqual([403, `${by}red ones stay`]);
  const much = await admin.patch(
    { apiVersion: `${group}/v1`, kind: 'Case', ...metadata },
    { spec: { width: 5, colour: 'blue' } },
  );
  expect(much).toMatchObject({ status: 200, warnings: ['5 is much'] });
  expect(await refused(client.delete(kind, metadata))).toBeUndefined();
});

test('caBundle has a field manager of its own: an apply of the other fields does not conflict with it, and may remove its webhook', async () => {
  const client = clientOf();
  const name = uniqueName('hooks');
  const kind = ValidatingWebhookConfiguration;
  const webhook = (name: string) => ({
    name: `${name}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None' as const,
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [
      {
        apiGroups: [group],
        apiVersions: ['v1'],
        resources: ['nothings'],
        operations: ['CREATE' as const],
      },
    ],
  });
  const apply = (...names: string[]) =>
    client.apply(
      kind,
      { metadata: { name }, webhooks: names.map(webhook) },
      { fieldManager: 'argocd-controller', force: false },
    );
  await apply('a', 'b');
  await serving([], [{ kind: 'ValidatingWebhookConfiguration', name }], { client });
  const bundles = async () => {
    const { webhooks = [] } = await client.get(kind, { name });
    return webhooks.map(({ name, clientConfig }) => `${name} ${!!clientConfig.caBundle}`);
  };
  const both = ['a.example.com true', 'b.example.com true'];
  await until('caBundle is there', async () => String(await bundles()) === String(both));
  await apply('a', 'b');
  expect(await bundles()).toEqual(both);
  await apply('a');
  expect(await bundles()).toEqual(['a.example.com true']);
  const { metadata } = await client.get(kind, { name });
  const ours = metadata.managedFields?.find(({ manager }) => manager === 'tenantry-cabundle');
  expect(ours?.fieldsV1).toEqual({
    'f:webhooks': {
      'k:{"name":"a.example.com"}': { 'f:clientConfig': { 'f:caBundle': {} } },
    },
  });
});

test('the declared access is sufficient and all of it is needed, and without the right to create Secrets an existing Secret suffices', async () => {
  const boxes = boxesOf('Chest');
  const namespace = await newNamespace(given.cluster, 'hooks');
  const secret = { namespace, name: 'webhook-certificates' };
  const targets = [targetOf(boxes)];
  const access = certificateAccess({ secret, targets, mayCreate: false });
  const account = await Account.make(given.cluster, namespace, access);
  await clientOf().create(Secret, { metadata: secret, type: 'Opaque', data: { other: 'eA==' } });
  const hook = conversionWebhook(conversionsOf(boxes));
  const client = clientOf(account.client);
  const { url } = await serving([hook], targets, { client, namespace });
  await installed(boxes, url, clientOf(), namespace);
  const { data } = await clientOf().get(Secret, secret);
  expect(Object.keys(data ?? {}).toSorted()).toEqual(['ca.crt', 'other', 'tls.crt', 'tls.key']);
  await account.expectExactAccess();
});
