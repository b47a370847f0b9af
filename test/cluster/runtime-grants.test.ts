import { afterAll, expect } from '@jest/globals';
import { certificateAccess, leaseElectionAccess } from '@tenantry/kube/access';
import type { InjectionTarget } from '@tenantry/runtime/certificates/injection';
import type { RotationStep } from '@tenantry/runtime/certificates/rotation';
import { SharedCertificates } from '@tenantry/runtime/certificates/shared-certificates';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { eventAccess, Events } from '@tenantry/runtime/events/events';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { scrapeAccess, ScrapeAccess } from '@tenantry/runtime/metrics/scrape-access';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { RecordingLog } from '@tenantry/runtime/test/certificates/recording-log';
import { silent } from '@tenantry/runtime/test/leader/candidate';
import { Account } from './accounts.ts';
import { RuntimeClients } from './runtime-clients.ts';

const given = await sharedCluster();
const { test } = given;
const clients = new RuntimeClients();
afterAll(() => clients.close());

const deps = { clock: systemClock, random: Math.random };

test('a lease election creates, reads and writes its Lease, and needs no other right', async () => {
  const namespace = await newNamespace(given.cluster, 'grants');
  const lease = { name: 'operator', namespace };
  const account = await Account.make(given.cluster, namespace, leaseElectionAccess(lease));
  const client = clients.of(account.client);
  const election = leaseElection({ ...deps, log: silent, client, lease });
  const stop = new AbortController();
  let hasLed = false;
  await election.run(async () => {
    hasLed = true;
    stop.abort();
  }, stop.signal);
  expect(hasLed).toBe(true);
  await account.expectExactAccess();
});

test('events are created and counted, and need no other right', async () => {
  const namespace = await newNamespace(given.cluster, 'grants');
  const account = await Account.make(given.cluster, namespace, eventAccess);
  const { promise: isWritten, resolve, reject } = Promise.withResolvers<void>();
  const events = new Events({
    ...deps,
    client: clients.of(account.client),
    instance: 'pod-1',
    observer: { written: () => resolve(), lost: ({ error }) => reject(error) },
  });
  const fields = { type: 'Normal', reason: 'A', action: 'B', note: 'c' } as const;
  const metadata = { name: 'web', namespace };
  const regarding = { apiVersion: 'v1', kind: 'Pod', metadata };
  const recorder = events.recorder('shops');
  recorder.record({ ...fields, regarding });
  await isWritten;
  recorder.record({ ...fields, regarding });
  await events.stop();
  await account.expectExactAccess();
});

test('scrape access is reviewed, and needs no other right', async () => {
  const namespace = await newNamespace(given.cluster, 'grants');
  const account = await Account.make(given.cluster, namespace, scrapeAccess);
  const { token } = account.client.credentials;
  const access = new ScrapeAccess({ client: clients.of(account.client) });
  expect(await access.decide(`Bearer ${token}`, '/metrics')).toBe('forbidden');
  await account.expectExactAccess();
});

test('shared certificates write their Secret and their targets, and need no other right', async () => {
  const namespace = await newNamespace(given.cluster, 'grants');
  const secret = { namespace, name: 'certificates' };
  const name = uniqueName('grants');
  const kinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;
  const targets = kinds.map((kind): InjectionTarget => ({ kind, name }));
  for (const kind of kinds) {
    const resources = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['nothings'] };
    const webhook = {
      name: `${name}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ ...resources, operations: ['CREATE'] }],
    };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const object = { apiVersion, kind, metadata: { name }, webhooks: [webhook] };
    expect((await given.cluster.admin.create(object)).status).toBe(201);
  }
  const access = certificateAccess({ secret, targets });
  const account = await Account.make(given.cluster, namespace, access);
  const steps: RotationStep[] = [];
  const certificates = new SharedCertificates({
    client: clients.of(account.client),
    secret,
    hosts: ['127.0.0.1'],
    targets,
    log: new RecordingLog(),
    settle: 1000,
    overlap: 1000,
    interval: 100,
    observe: (step) => steps.push(step),
  });
  const stop = new AbortController();
  const run = certificates.run(stop.signal);
  await until('the targets trust the certificate', () => certificates.isReady);
  certificates.rotate();
  await until('the next authority is announced', () => steps.includes('announced'));
  stop.abort();
  await run;
  await account.expectExactAccess();
});
