import { expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { certificateAccess } from '@tenantry/kube/access';
import type { InjectionTarget } from '../../certificates/injection.ts';
import { coversHosts } from '../../certificates/key-pair.ts';
import type { RotationStep } from '../../certificates/rotation.ts';
import { SharedCertificates } from '../../certificates/shared-certificates.ts';
import { loadX509 } from '../../certificates/certify.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { ApiError } from '../../errors/api-error.ts';
import { Unreachable } from '../../errors/client-errors.ts';
import { PretendCluster } from './pretend-cluster.ts';
import { RecordingLog } from './recording-log.ts';

// Loads the packages now, which takes longer than the steps below.
loadX509();

const secret = { namespace: 'shop', name: 'certificates' };
const definition: InjectionTarget = { kind: 'CustomResourceDefinition', name: 'boxes.example.com' };
const minute = 60_000;
const day = 24 * 60 * minute;

const crd = (clientConfig: object = {}) => ({
  metadata: { name: definition.name },
  spec: { conversion: { webhook: { clientConfig } } },
});

interface Given {
  readonly cluster?: PretendCluster;
  readonly clock?: VirtualClock;
  readonly hosts?: readonly string[];
  readonly targets?: readonly InjectionTarget[];
  readonly validFor?: number;
}

/** Starts a replica, and gives it time for its first steps. */
async function started(given: Given = {}) {
  const { cluster = new PretendCluster(), clock = new VirtualClock() } = given;
  const { hosts = ['hooks.shop.svc'], targets = [definition], validFor = 90 * day } = given;
  const log = new RecordingLog();
  const steps: [RotationStep, number][] = [];
  const observe = (step: RotationStep): void => void steps.push([step, clock.now()]);
  const { client } = cluster;
  const random = (): number => 0;
  const props = { client, secret, hosts, targets, validFor, log, clock, random, observe };
  const replica = new SharedCertificates(props);
  const stop = new AbortController();
  const ended = replica.run(stop.signal);
  await clock.advance(10_000);
  return { cluster, clock, log, steps, replica, stop: () => (stop.abort(), ended) };
}

const count = (bundle: string): number => bundle.split('BEGIN CERTIFICATE').length - 1;

function bundleIn(cluster: PretendCluster): string {
  const stored = cluster.objects.get(`customresourcedefinitions ${definition.name}`);
  const { spec } = stored as unknown as ReturnType<typeof crd>;
  const { caBundle = '' } = spec.conversion.webhook.clientConfig as { caBundle?: string };
  return Buffer.from(caBundle, 'base64').toString();
}

function dataIn(cluster: PretendCluster): Record<string, string> {
  return (
    cluster.objects.get('secrets certificates') as unknown as { data: Record<string, string> }
  ).data;
}

test('a certificate is created, stored, served and trusted by clients', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd({ url: 'x' }));
  const { replica, steps, stop } = await started({ cluster });
  const { certificate } = replica.current!;
  expect(coversHosts(certificate, ['hooks.shop.svc'])).toBe(true);
  const authority = new X509Certificate(bundleIn(cluster));
  expect(new X509Certificate(certificate).verify(authority.publicKey)).toBe(true);
  expect(cluster.objects.get('secrets certificates')).toMatchObject({ type: 'kubernetes.io/tls' });
  expect(Object.keys(dataIn(cluster))).toEqual(['tls.crt', 'tls.key', 'ca.crt']);
  expect([replica.isReady, steps.map(([step]) => step)]).toEqual([true, ['begun']]);
  await stop();
});

test('after two thirds of its validity the next certificate is trusted for a minute, then served, and then the old one is removed', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  const validFor = 120 * minute;
  const { replica, clock, steps, stop } = await started({ cluster, validFor });
  const first = replica.current;
  // The certificate is backdated by an hour.
  const due = ((validFor + 60 * minute) * 2) / 3 - 60 * minute;
  await clock.advance(due - clock.now() - minute);
  expect(steps).toHaveLength(1);
  await clock.advance(minute + 20_000);
  expect(steps.map(([step]) => step)).toEqual(['begun', 'announced']);
  expect([replica.current, count(bundleIn(cluster))]).toEqual([first, 2]);
  await clock.advance(2 * minute);
  expect(steps.map(([step]) => step)).toEqual(['begun', 'announced', 'switched']);
  expect(replica.current).not.toEqual(first);
  expect(count(bundleIn(cluster))).toBe(2);
  await clock.advance(11 * minute);
  const [, announced, switched, ended] = steps.map(([, at]) => at) as [
    number,
    number,
    number,
    number,
  ];
  expect(switched - announced).toBeGreaterThanOrEqual(minute);
  expect(ended - switched).toBeGreaterThanOrEqual(10 * minute);
  expect(count(bundleIn(cluster))).toBe(1);
  const authority = new X509Certificate(bundleIn(cluster));
  expect(new X509Certificate(replica.current!.certificate).verify(authority.publicKey)).toBe(true);
  await stop();
});

test('the next certificate is not served while one client does not trust it', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  const { replica, clock, steps, stop } = await started({ cluster });
  replica.rotate();
  await clock.advance(30_000);
  const old = bundleIn(cluster);
  // Another manager restores an older bundle again and again.
  for (let i = 0; i < 30; i += 1) {
    cluster.put('customresourcedefinitions', crd({ caBundle: '' }));
    await clock.advance(20_000);
  }
  expect(steps.map(([step]) => step)).toEqual(['begun', 'announced']);
  await clock.advance(2 * minute);
  expect(steps.map(([step]) => step)).toEqual(['begun', 'announced', 'switched']);
  expect(count(old)).toBe(2);
  await stop();
});

test('a change of caBundle is noticed, and reverted', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  const { clock, log, stop } = await started({ cluster });
  const bundle = bundleIn(cluster);
  cluster.put('customresourcedefinitions', crd({ caBundle: 'eA==' }));
  await clock.advance(12_000);
  expect(bundleIn(cluster)).toBe(bundle);
  expect(log.sentences('warn')).toEqual([
    'caBundle was changed by somebody else, and is written again',
  ]);
  await stop();
});

test('a target that a tool replaces gets its caBundle back within a second', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  const { clock, stop } = await started({ cluster });
  const bundle = bundleIn(cluster);
  for (const wait of [0, 400, 3000]) {
    await clock.advance(wait);
    cluster.put('customresourcedefinitions', crd());
    await clock.advance(1000);
    expect(bundleIn(cluster)).toBe(bundle);
  }
  await stop();
  expect(clock.waiting).toBe(0);
});

test('a conflict over caBundle costs at most one write a second', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  const { clock, stop } = await started({ cluster });
  cluster.asked.length = 0;
  for (let times = 0; times < 200; times += 1) {
    cluster.put('customresourcedefinitions', crd());
    await clock.advance(100);
  }
  const writes = cluster.asked.filter((one) => one.startsWith('patch')).length;
  expect([writes > 10, writes <= 21]).toEqual([true, true]);
  await stop();
});

test('a target that cannot be watched is polled, and this is logged once', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  cluster.unwatched = new ApiError({ code: 403, reason: 'Forbidden' });
  const { clock, log, stop } = await started({ cluster });
  const bundle = bundleIn(cluster);
  await clock.advance(5 * minute);
  cluster.put('customresourcedefinitions', crd());
  await clock.advance(10_000);
  expect(bundleIn(cluster)).toBe(bundle);
  const sentence = 'a target cannot be watched, and is looked at every so often';
  const lines = log.lines.filter((line) => line.sentence === sentence);
  expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
    ['warn', { ...definition, interval: 10_000, error: cluster.unwatched }],
  ]);
  cluster.unwatched = undefined;
  await clock.advance(20_000);
  cluster.put('customresourcedefinitions', crd());
  await clock.advance(1000);
  expect(bundleIn(cluster)).toBe(bundle);
  await stop();
});

test('replicas share the certificate in the Secret, even if two create one at the same time', async () => {
  const cluster = new PretendCluster();
  const clock = new VirtualClock();
  const targets: InjectionTarget[] = [];
  const both = [started({ cluster, clock, targets }), started({ cluster, clock, targets })];
  const [a, b] = (await Promise.all(both)) as [
    Awaited<(typeof both)[0]>,
    Awaited<(typeof both)[0]>,
  ];
  expect(a.replica.current).toEqual(b.replica.current);
  expect([...a.steps, ...b.steps]).toHaveLength(1);
  expect([...a.log.sentences('error'), ...b.log.sentences('error')]).toEqual([]);
  await Promise.all([a.stop(), b.stop()]);
});

test('a rotation step that another replica has taken meanwhile is not taken again', async () => {
  const { cluster, clock, replica, steps, stop } = await started({ targets: [] });
  const stored = cluster.objects.get('secrets certificates')!;
  cluster.meanwhile = () => cluster.put('secrets', { ...stored, extra: true });
  replica.rotate();
  await clock.advance(0);
  expect(steps).toHaveLength(1);
  expect(cluster.objects.get('secrets certificates')).toHaveProperty('extra', true);
  await clock.advance(12_000);
  expect(steps.map(([step]) => step)).toEqual(['begun', 'announced']);
  await stop();
});

test('missing targets are waited for, and logged once', async () => {
  const missing: InjectionTarget = { kind: 'MutatingWebhookConfiguration', name: 'a' };
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', { metadata: { name: definition.name }, spec: {} });
  const { clock, log, replica, stop } = await started({ cluster, targets: [definition, missing] });
  await clock.advance(minute);
  expect(log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toEqual([
    { secret: 'shop/certificates', ...definition, why: 'it has no webhook' },
    { secret: 'shop/certificates', ...missing, why: 'it is not there yet' },
  ]);
  expect(replica.current).toBeDefined();
  cluster.put('customresourcedefinitions', crd());
  await clock.advance(12_000);
  expect(count(bundleIn(cluster))).toBe(1);
  await stop();
});

test('only the named webhooks of a configuration are written', async () => {
  const cluster = new PretendCluster();
  const webhook = (name: string) => ({ name, clientConfig: { url: name } });
  const webhooks = [webhook('a'), webhook('b')];
  cluster.put('validatingwebhookconfigurations', { metadata: { name: 'x' }, webhooks });
  const kind = 'ValidatingWebhookConfiguration';
  const { stop } = await started({ cluster, targets: [{ kind, name: 'x', webhooks: ['b'] }] });
  expect(cluster.objects.get('validatingwebhookconfigurations x')).toMatchObject({
    webhooks: [
      { name: 'a', clientConfig: { url: 'a' } },
      { name: 'b', clientConfig: { url: 'b' } },
    ],
  });
  const stored = JSON.stringify(cluster.objects.get('validatingwebhookconfigurations x'));
  expect(stored.match(/caBundle/g)).toHaveLength(1);
  await stop();
});

test('a cluster that cannot be reached ends nothing, and the served certificate stays', async () => {
  const { cluster, clock, log, replica, stop } = await started({ targets: [] });
  const { current } = replica;
  cluster.fails = new Unreachable('nobody answers');
  await clock.advance(minute);
  expect([replica.current, replica.isReady]).toEqual([current, true]);
  expect(log.sentences('error')).toEqual(['the certificates cannot be kept; trying again']);
  cluster.fails = undefined;
  await clock.advance(12_000);
  cluster.fails = new ApiError({ code: 403 });
  await clock.advance(minute);
  expect(log.sentences('error')).toHaveLength(2);
  await stop();
});

test('a broken Secret is written again, and its other keys stay', async () => {
  const cluster = new PretendCluster();
  cluster.put('customresourcedefinitions', crd());
  const data = { 'tls.crt': 'eA==', 'tls.key': 'eA==', 'ca.crt': 'eA==', mine: 'eA==' };
  cluster.put('secrets', { metadata: secret, data });
  const { replica, stop } = await started({ cluster });
  expect(coversHosts(replica.current!.certificate, ['hooks.shop.svc'])).toBe(true);
  expect(dataIn(cluster)['mine']).toBe('eA==');
  expect(count(bundleIn(cluster))).toBe(1);
  await stop();
});

test('an expired certificate is replaced at once', async () => {
  const cluster = new PretendCluster();
  const clock = new VirtualClock();
  const first = await started({ cluster, clock, targets: [] });
  await first.stop();
  await clock.advance(91 * day);
  const second = await started({ cluster, clock, targets: [] });
  expect(second.steps.map(([step]) => step)).toEqual(['begun']);
  expect(second.replica.current).not.toEqual(first.replica.current);
  await second.stop();
});

test('replicas with different hosts agree on one certificate for all of them, and then stop writing', async () => {
  const cluster = new PretendCluster();
  const clock = new VirtualClock();
  const a = await started({ cluster, clock, targets: [], hosts: ['a.svc'] });
  const b = await started({ cluster, clock, targets: [], hosts: ['b.svc', '10.0.0.1'] });
  await clock.advance(60 * minute);
  expect(a.replica.current).toEqual(b.replica.current);
  expect(coversHosts(a.replica.current!.certificate, ['a.svc', 'b.svc', '10.0.0.1'])).toBe(true);
  expect([...a.steps, ...b.steps].map(([step]) => step).toSorted()).toEqual([
    'announced',
    'begun',
    'ended',
    'switched',
  ]);
  await Promise.all([a.stop(), b.stop()]);
});

test('durations that leave no room for a rotation are refused', () => {
  const made = (times: object) => () => {
    const { client } = new PretendCluster();
    const common = { client, secret, hosts: ['a'], targets: [], log: new RecordingLog() };
    new SharedCertificates({ ...common, ...times });
  };
  expect(made({})).not.toThrow();
  expect(made({ hosts: [] })).toThrow('certificates must serve at least one host, got none');
  expect(made({ overlap: 20_000 })).toThrow('overlap must be more than two intervals of 10000 ms');
  expect(made({ overlap: 20_001 })).not.toThrow();
  expect(made({ validFor: 1_980_000 })).toThrow('validFor must be more than three times settle');
  expect(made({ validFor: 1_980_001 })).not.toThrow();
});

test('the access covers the Secret and the targets, by name', () => {
  const targets: InjectionTarget[] = [
    { kind: 'ValidatingWebhookConfiguration', name: 'v' },
    { kind: 'CustomResourceDefinition', name: 'b' },
    { kind: 'CustomResourceDefinition', name: 'a' },
  ];
  const admission = { group: 'admissionregistration.k8s.io', verbs: ['get', 'patch', 'watch'] };
  const named = {
    group: '',
    resource: 'secrets',
    verbs: ['get', 'update'],
    resourceNames: ['certificates'],
    namespaces: ['shop'],
  };
  const others = [
    {
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
      verbs: ['get', 'patch', 'watch'],
      resourceNames: ['a', 'b'],
    },
    { ...admission, resource: 'validatingwebhookconfigurations', resourceNames: ['v'] },
  ];
  const create = { group: '', resource: 'secrets', verbs: ['create'], namespaces: ['shop'] };
  expect(certificateAccess({ secret, targets })).toEqual([named, create, ...others]);
  expect(certificateAccess({ secret, targets, mayCreate: false })).toEqual([named, ...others]);
});
