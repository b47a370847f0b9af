import { afterAll, expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildObjects, operatorParts } from '@tenantry/operator-kit/parts/parts';
import type { OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import { redisController } from '../../examples/redis/controller.ts';
import { manifestsOf } from '../../examples/redis/manifests.ts';
import { NAME, Redis } from '../../examples/redis/pods.ts';
import { leaseElectionAccess, type AccessRule } from '@tenantry/kube/access';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { allow } from '@tenantry/runtime/access/grant';
import { SharedCertificates } from '@tenantry/runtime/certificates/shared-certificates';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { eventAccess } from '@tenantry/runtime/events/events';
import { ValidatingWebhookConfiguration } from '@tenantry/runtime/kinds/admissionregistration';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { Namespace, Pod } from '@tenantry/runtime/kinds/core';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import { most, shop } from '../constructs/operator-specs.ts';
import { clientOf, closeClients } from '../examples/operator.ts';
import { RecordingLog } from '@tenantry/runtime/test/certificates/recording-log';
import { withoutKubectl } from '../kubectl.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account, ASKED_BY_ADMISSION, STREAMED } from './accounts.ts';

const given = await ownClusters();
const { test } = given;
const folder = mkdtempSync(join(tmpdir(), 'tenantry-packaged-'));
afterAll(() => {
  closeClients();
  rmSync(folder, { recursive: true, force: true });
});

const hasKubectl = withoutKubectl === undefined;

/**
 * Applies objects with kubectl, and returns its output. Without kubectl, applies each object in order through the
 * API.
 */
async function apply(cluster: Cluster, objects: readonly object[]): Promise<string> {
  if (!hasKubectl) {
    for (const object of objects) {
      const { status, body } = await cluster.admin.apply(
        object as KubeObject & { metadata: object },
        {
          fieldManager: 'kubectl',
          fieldValidation: 'Strict',
        },
      );
      if (status > 201) throw new Error(body.message);
    }
    return '';
  }
  const file = join(folder, 'operator.yaml');
  writeFileSync(file, emitYaml(objects as readonly KubeObject[]));
  const kubeconfig = cluster.kubeconfigFile('admin');
  const flags = ['--kubeconfig', kubeconfig, 'apply', '--validate=strict', '-f', file];
  const { stdout, stderr } = await promisify(execFile)('kubectl', flags);
  // kubectl prints warnings of the API server to standard error.
  expect(stderr).toBe('');
  return stdout;
}

/** A spec with everything that needs no third-party kinds. */
const spec: OperatorSpec = {
  ...most,
  metrics: { port: 9090 },
  priorityClass: 'system-cluster-critical',
  imagePullSecrets: [],
  // The nodes of this cluster have neither the label nor a zone.
  nodeSelector: {},
  topologySpreadConstraints: most.topologySpreadConstraints!.slice(1),
  access: most.access.filter(({ namespaces }) => namespaces === undefined),
  webhooks: { ...most.webhooks!, certificates: 'operator' },
};

test('kubectl applies an operator in its order, twice, and a namespace that enforces restricted accepts its pods', async () => {
  await using cluster = await startCluster({
    binaries: given.binaries,
    controllerManager: true,
    scheduler: true,
    readyPods: true,
  });
  const admin = clientOf(cluster.admin);
  const objects = Object.values(buildObjects(operatorParts(spec)));
  await apply(cluster, objects);
  const name = { name: 'shops', namespace: 'shops-system' };
  const { metadata } = await admin.get(Namespace, { name: name.namespace });
  expect(metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  await until('its replicas are ready', async () => {
    const { status } = await admin.get(Deployment, name);
    return status?.readyReplicas === spec.replicas;
  });

  // Uses the operator's own account, which has the rights to create the certificate.
  const { rights } = operatorParts(spec);
  const account = await Account.of(cluster, name, rights.certificates);
  const stop = new AbortController();
  const certificates = new SharedCertificates({
    client: clientOf(account.client),
    secret: { name: 'shops-webhooks', namespace: name.namespace },
    hosts: ['shops-webhooks.shops-system.svc'],
    targets: [
      { kind: 'CustomResourceDefinition', name: 'shops.example.com' },
      { kind: 'ValidatingWebhookConfiguration', name: 'shops' },
      { kind: 'MutatingWebhookConfiguration', name: 'shops' },
    ],
    log: new RecordingLog(),
    interval: 300,
  });
  const running = certificates.run(stop.signal);
  try {
    await until('each has the authority', async () => {
      const { spec: read } = await admin.get(CustomResourceDefinition, {
        name: `${shop.plural}.${shop.group}`,
      });
      const { webhooks = [] } = await admin.get(ValidatingWebhookConfiguration, {
        name: 'shops',
      });
      const bundles = [
        read.conversion?.webhook?.clientConfig?.caBundle,
        ...webhooks.map(({ clientConfig }) => clientConfig.caBundle),
      ];
      return bundles.every((one) => one !== undefined && one !== '');
    });
  } finally {
    stop.abort();
    await running;
  }
  await account.expectExactAccess([]);

  const again = await apply(cluster, objects);
  if (hasKubectl)
    expect(again.match(/ (created|unchanged|configured)$/gm)).not.toContain(' created');
  const { webhooks = [] } = await admin.get(ValidatingWebhookConfiguration, { name: 'shops' });
  expect(webhooks.map(({ clientConfig }) => clientConfig.caBundle === undefined)).toEqual([false]);
});

test('an operator rendered by Operator runs with exactly the rights that it grants, including its election', async () => {
  await using cluster = await startCluster({
    binaries: given.binaries,
    controllerManager: true,
    scheduler: true,
    readyPods: true,
  });
  await apply(cluster, manifestsOf(`registry.example.com/${NAME}:1.0.0`));
  const admin = clientOf(cluster.admin);
  const own = { name: NAME, namespace: NAME };
  const access: readonly AccessRule[] = [...redisController.access, ...leaseElectionAccess(own)];
  const account = await Account.of(cluster, own, access);
  const stop = new AbortController();
  const manager = new Manager({
    controllers: [redisController],
    client: clientOf(account.client),
    leaderElection: (deps) => leaseElection({ ...deps, lease: own, retryPeriod: 500 }),
    log: jsonLog({ clock: systemClock, write: () => {} }),
  });
  const running = manager.run(stop.signal);
  const place = 'caches';
  try {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await admin.create(Namespace, { metadata: { name: place, labels } });
    const sample = { name: 'sample', namespace: place };
    await admin.create(Redis, { metadata: sample, spec: { num: 2 } });
    await until('its status reports the pods as ready', async () => {
      const { status } = await admin.get(Redis, sample);
      return status?.ready === 2;
    });
    await admin.delete(Redis, sample);
    await until('its pods are gone', async () => {
      const { items } = await admin.list(Pod, { namespace: place });
      return items.length === 0;
    });
  } finally {
    stop.abort(new Error('the test is over'));
    await running;
  }
  await account.expectExactAccess([
    [allow(Redis, 'list'), STREAMED],
    [allow(Pod, 'list'), STREAMED],
    [allow(Redis, 'update').subresource('finalizers'), ASKED_BY_ADMISSION],
    ...eventAccess
      .map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb === 'patch') }))
      .map((rule) => [rule, 'only a repeated event is patched'] as const),
  ]);
});
