import { afterAll, expect } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NginxV1alpha1, NginxV1alpha2 } from '../../examples/nginx/kinds.ts';
import { type Live, scaleOf } from '@tenantry/runtime/kinds/kind';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import { Pod } from '@tenantry/runtime/kinds/core';
import { Event } from '@tenantry/runtime/kinds/events';
import { freePorts } from '@tenantry/testing/controlplane/launch';
import { until } from '@tenantry/testing/waiting/until';
import type { RunningProgram } from '../cluster/operator-program.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { EtcdStore } from '@tenantry/testing/test/controlplane/etcd-store';
import type { OwnCluster } from '@tenantry/testing/test/controlplane/lender';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { installed, whileReleaseRuns, type WebhookPlace } from './nginx-program.ts';
import { clientOf, closeClients } from './operator.ts';

const given = await ownClusters();
const { test } = given;
const folder = await mkdtemp(join(tmpdir(), 'tenantry-nginx-'));
afterAll(async () => {
  closeClients();
  await rm(folder, { recursive: true, force: true });
});

/** A pod that the Pod Security Standard "restricted" allows. */
const restricted = {
  serviceAccountName: 'nginx-operator',
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: 'operator',
      image: 'operator:1',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
} as const;

const sample = { name: 'sample', namespace: 'default' };

async function page(program: RunningProgram, served: string, path: string): Promise<string> {
  const { port } = await program.logged(served);
  const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`);
  return `${answer.status} ${await answer.text()}`;
}
const health = (program: RunningProgram, path: string) => page(program, 'health is served', path);
const METRICS = 'metrics are served to everybody who can reach the port';

/** Returns the object as etcd stores it. */
async function storedIn({ details }: OwnCluster, name = 'sample'): Promise<KubeObject> {
  const entries = await new EtcdStore(join(details.folder, 'etcd.sock')).entries();
  const entry = entries.find(({ key }) =>
    Buffer.from(key, 'base64').toString().endsWith(`/nginxoperators/default/${name}`),
  );
  return JSON.parse(Buffer.from(entry!.value, 'base64').toString()) as KubeObject;
}

const isDefinition = ({ kind }: Body): boolean => kind === 'CustomResourceDefinition';

/** Returns the definitions as an InstallPlan of OLM writes them. */
function withoutConversion(manifests: readonly Body[]): readonly Body[] {
  return manifests.map((object) => {
    if (!isDefinition(object)) return object;
    return { ...object, spec: { ...object.spec, conversion: { strategy: 'None' } } };
  });
}

test('an object goes through three releases and back, and its pods are never replaced', async () => {
  await using cluster = await given.newCluster();
  const admin = clientOf(cluster.admin);
  const { authority, certificate, key } = cluster.servingCertificate(['127.0.0.1']);
  await writeFile(join(folder, 'tls.crt'), certificate);
  await writeFile(join(folder, 'tls.key'), key);
  const place: WebhookPlace = { port: (await freePorts(1))[0]!, authority };
  const flags = [
    `--certificate-folder=${folder}`,
    `--webhook-port=${place.port}`,
    '--migration-settle=100',
  ];
  const deployment = () => admin.get(Deployment, sample);
  const storedVersions = async () => {
    const name = 'nginxoperators.operator.example.com';
    const { status } = await admin.get(CustomResourceDefinition, { name });
    return status?.storedVersions;
  };

  // 0.0.1 knows one version.
  const first = installed('0.0.1', place);
  let before: Live<typeof Deployment> | undefined;
  await whileReleaseRuns(
    { cluster, version: '0.0.1', manifests: first, flags: [] },
    async (program) => {
      await until('there can be one', () => {
        return admin.create(NginxV1alpha1, { metadata: sample, spec: { port: 8080, replicas: 2 } });
      });
      before = await until('it has a Deployment', () => deployment().catch(ifGone));
      expect(await health(program, '/readyz')).toBe('200 ok');
    },
  );

  // 0.1.0 adds a version, and reads objects in it through its own webhook.
  const second = {
    cluster,
    version: '0.1.0',
    manifests: installed('0.1.0', place),
    flags,
  } as const;
  const named = [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'tls', containerPort: 8443, protocol: 'TCP' },
    { containerPort: 9000, protocol: 'TCP' },
  ] as const;
  const ports = [{ ...named[0], containerPort: 9090 }, named[1], named[2]];
  let template: unknown;
  await whileReleaseRuns(second, async (program) => {
    const ready = '/readyz?exclude=caches';
    await until('pods are ready', async () => (await health(program, ready)) === '200 ok');
    await until('all is read', async () => (await health(program, '/readyz')) === '200 ok');
    expect(await health(program, '/healthz')).toBe('200 ok');
    const counts = await until('it was looked at', async () => {
      const text = await page(program, METRICS, '/metrics');
      const isDone = /^controller_runtime_reconcile_total\{.*"nginxoperator".*\} [1-9]/m;
      return isDone.test(text) && text;
    });
    expect(counts).toMatch(/^reconciles_total [1-9]/m);
    expect((await admin.get(NginxV1alpha2, sample)).spec.ports).toEqual([
      { containerPort: 8080, protocol: 'TCP' },
    ]);
    const { metadata } = await deployment();
    expect([metadata.uid, metadata.generation]).toEqual([before!.metadata.uid, 1]);

    // One client sets three ports, and another edits the single port of the old version.
    await admin.patch(NginxV1alpha2, sample, { spec: { ports: [...named] } });
    const old = await admin.get(NginxV1alpha1, sample);
    expect(old.spec.port).toBe(8080);
    await admin.update(NginxV1alpha1, { ...old, spec: { ...old.spec, port: 9090 } });
    expect((await admin.get(NginxV1alpha2, sample)).spec).toEqual({ ports, replicas: 2 });
    template = await until('the pods have all three', async () => {
      const { spec } = await deployment();
      const containerPorts = spec!.template.spec!.containers[0]!.ports;
      return (
        containerPorts?.length === 3 && containerPorts[0]?.containerPort === 9090 && spec!.template
      );
    });
    expect(await storedVersions()).toEqual(['v1alpha1']);
  });

  // Before an upgrade OLM removes the conversion; it restores it together with the pods of the next version.
  const stored = await storedIn(cluster);
  expect(stored).toMatchObject({
    apiVersion: 'operator.example.com/v1alpha1',
    spec: { port: 9090 },
  });
  const made = (await deployment()).metadata.generation;
  const nowhere = { ...second, manifests: withoutConversion(second.manifests) };
  await whileReleaseRuns(nowhere, async () => {
    await until('an event reports it', async () => {
      const { items } = await admin.list(Event, { namespace: 'default' });
      return items.some(({ type, reason }) => `${type} ${reason}` === 'Warning NotConverted');
    });
    // Nobody else can write the operator's fields either, for example a client that read the object while it was
    // converted.
    const status = { replicas: 7 };
    const refused = { message: expect.stringContaining('is not converted at present') };
    await expect(
      admin.patch(NginxV1alpha2, sample, { status }, { subresource: 'status' }),
    ).rejects.toMatchObject(refused);
    await expect(
      admin.patch(scaleOf(NginxV1alpha2), sample, { spec: { replicas: 3 } }),
    ).rejects.toMatchObject(refused);
    expect(await storedIn(cluster)).toEqual(stored);
    expect((await deployment()).metadata.generation).toBe(made);

    // Users can write, and lose the fields that they did not see.
    const edited = { name: 'edited', namespace: 'default' };
    await admin.create(NginxV1alpha1, { metadata: edited, spec: { port: 9090 } });
    await admin.patch(NginxV1alpha2, edited, { metadata: { labels: { team: 'web' } } });
    expect((await storedIn(cluster, edited.name))['spec']).toEqual({});
    await admin.delete(NginxV1alpha1, edited);

    // It continues by itself when objects are converted again, although that changes no object.
    await admin.patch(Deployment, sample, { spec: { replicas: 5 } } as never);
    for (const manifest of second.manifests.filter(isDefinition)) {
      expect((await cluster.admin.apply(manifest, { fieldManager: 'test' })).status).toBe(200);
    }
    await until('the operator does its work', async () => {
      return (await deployment()).spec?.replicas === 2;
    });
    expect((await admin.get(NginxV1alpha2, sample)).spec).toEqual({ ports, replicas: 2 });
  });
  expect((await deployment()).spec!.template).toEqual(template);

  // 0.2.0 migrates the stored version; a leader holds the lease for the life of its pod.
  const pod = { name: 'nginx-operator-0', namespace: 'nginx-operator' };
  await admin.create(Pod, { metadata: pod, spec: restricted });
  const third = {
    cluster,
    version: '0.2.0',
    manifests: installed('0.2.0', place, { election: 'for-life' }),
    flags,
    environment: { POD_NAME: pod.name },
  } as const;
  await whileReleaseRuns(third, async () => {
    await until('all objects are stored in the new version', async () => {
      return (await storedVersions())?.join() === 'v1alpha2';
    });
    const lease = await admin.get(Lease, { name: 'nginx-operator', namespace: pod.namespace });
    expect(lease.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', name: pod.name }]);
    expect((await admin.get(NginxV1alpha2, sample)).spec).toEqual({ ports, replicas: 2 });
  });

  // Back to the previous release: it knows how objects are stored, and stores them in its own version.
  await whileReleaseRuns(second, async () => {
    await until('all objects are stored in the old version', async () => {
      return (await storedVersions())?.join() === 'v1alpha1';
    });
    expect((await admin.get(NginxV1alpha2, sample)).spec).toEqual({ ports, replicas: 2 });
  });
  expect((await deployment()).spec!.template).toEqual(template);
});
