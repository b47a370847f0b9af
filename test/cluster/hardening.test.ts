import { expect } from '@jest/globals';
import { listPodSecurityRefusals } from '../../model/pod-admission/pod-security.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { dryRun, hardenedCluster, inForce, namespaceWith, pod, refused } from './hardened.ts';
import { clusterMinor } from './minor.ts';
import { generatePods } from './pod-security-pods.ts';

const given = await ownClusters();
const { test } = given;
const older = hardenedCluster(given, '1.35');
/** Its controller manager checks the types of the policies. */
const current = hardenedCluster(given, clusterMinor, { controllerManager: true });

const always = { imagePullPolicy: 'Always' };

test('every image must come from an allowed registry: of containers of each kind, and of volumes', async () => {
  const cluster = await older();
  const { admin } = cluster;
  const namespace = await namespaceWith(cluster, { imagePullPolicy: 'Always' });
  await inForce(() => admin.create(pod(namespace), dryRun));
  const tried = (container: object, spec?: object) =>
    admin.create(pod(namespace, container, spec), dryRun);
  const other = { name: 'other', image: 'example.com/other:1' };
  for (const imagePullPolicy of [undefined, 'IfNotPresent', 'Never']) {
    const fields = imagePullPolicy && { imagePullPolicy };
    expect(await tried({ ...fields })).toMatchObject(refused('each of spec.containers must'));
    const initContainers = [{ ...other, ...fields }];
    expect(await tried(always, { initContainers })).toMatchObject(
      refused('each of spec.initContainers must'),
    );
  }
  const image = (pullPolicy: string) => ({
    volumes: [{ name: 'model', image: { reference: 'example.com/model:1', pullPolicy } }],
  });
  expect(await tried(always, image('Never'))).toMatchObject(refused('spec.volumes'));
  expect(await tried(always, image('Always'))).toMatchObject({ status: 201 });
  expect(await tried(always, { initContainers: [{ ...other, ...always }] })).toMatchObject({
    status: 201,
  });

  expect(await admin.create(pod(namespace, always))).toMatchObject({ status: 201 });
  const reference = { apiVersion: 'v1', kind: 'Pod', name: 'shop', namespace };
  const debug = (more: object) =>
    admin.patch(
      reference,
      { spec: { ephemeralContainers: [{ ...other, ...more }] } },
      { type: 'strategic', subresource: 'ephemeralcontainers', ...dryRun },
    );
  expect(await debug({})).toMatchObject(refused('each of spec.ephemeralContainers must'));
  expect(await debug(always)).toMatchObject({ status: 200 });
});

test('volumes are claims, or short-lived', async () => {
  const cluster = await older();
  const { admin } = cluster;
  const namespace = await namespaceWith(cluster, { storage: 'Claims' });
  const tried = (source: object) =>
    admin.create(pod(namespace, {}, { volumes: [{ name: 'v', ...source }] }), dryRun);
  const inline = { csi: { driver: 'csi.example.com' } };
  await inForce(() => tried(inline));
  const claimed = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const refusal = refused('each of spec.volumes must be one of configMap');
  for (const source of [
    inline,
    { ephemeral: { volumeClaimTemplate: { spec: claimed } } },
    { hostPath: { path: '/etc' } },
    { nfs: { server: 'nfs.example.com', path: '/' } },
    { iscsi: { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:x', lun: 0 } },
  ]) {
    expect([source, await tried(source)]).toMatchObject([source, refusal]);
  }
  for (const source of [
    { configMap: { name: 'x' } },
    { secret: { secretName: 'x' } },
    { emptyDir: {} },
    { downwardAPI: {} },
    { projected: { sources: [] } },
    { persistentVolumeClaim: { claimName: 'data' } },
  ]) {
    expect([source, (await tried(source)).status]).toEqual([source, 201]);
  }
});

const mutates = Number(clusterMinor.split('.')[1]) >= 36;
const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };

const testWhereFilledIn = mutates ? test : () => {};
testWhereFilledIn(
  'a pod without security settings is accepted at restricted, and a pod with settings is checked',
  async () => {
    const cluster = await current();
    const { admin } = cluster;
    const hardening = { imagePullPolicy: 'Always', podDefaults: 'Restricted' } as const;
    const namespace = await namespaceWith(cluster, hardening, restricted);
    const init = { name: 'init', image: 'example.com/init:1', imagePullPolicy: 'Never' };
    const plain = pod(namespace, {}, { initContainers: [init] });
    const { body } = await until('the policies are in force', async () => {
      const reply = await admin.create(plain, dryRun);
      return reply.status === 201 && reply;
    });
    const security = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    const filled = { imagePullPolicy: 'Always', securityContext: security };
    expect(body.spec).toMatchObject({
      containers: [filled],
      initContainers: [filled],
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });

    const add = ['NET_BIND_SERVICE'];
    const bound = { securityContext: { capabilities: { add }, readOnlyRootFilesystem: true } };
    const kept = await admin.create(pod(namespace, bound), dryRun);
    expect(kept.body.spec).toMatchObject({
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { add, drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          },
        },
      ],
    });
    for (const securityContext of [
      { runAsNonRoot: false },
      { allowPrivilegeEscalation: true },
      { capabilities: { drop: ['CHOWN'] } },
      { capabilities: { add: ['SETPCAP'] } },
      { privileged: true, allowPrivilegeEscalation: true },
      { seccompProfile: { type: 'Unconfined' } },
    ]) {
      const reply = await admin.create(pod(namespace, { securityContext }), dryRun);
      expect([securityContext, reply]).toMatchObject([
        securityContext,
        refused('violates PodSecurity "restricted'),
      ]);
    }
    const ofPod = { securityContext: { runAsNonRoot: false } };
    expect(await admin.create(pod(namespace, {}, ofPod), dryRun)).toMatchObject(
      refused('runAsNonRoot != true'),
    );
    const windows = { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } };
    const { body: untouched } = await admin.create(pod(namespace, {}, windows), dryRun);
    const [shop] = untouched.spec!['containers'] as object[];
    expect(shop).not.toHaveProperty('securityContext');
  },
);

testWhereFilledIn('a pod whose settings are filled in is refused for what it sets', async () => {
  const { admin } = await current();
  const namespace = await namespaceWith(await current(), { podDefaults: 'Restricted' }, restricted);
  await until('the policy is in force', async () => {
    return (await admin.create(pod(namespace), dryRun)).status === 201;
  });
  const bounds = {
    level: 'restricted',
    minor: Number(clusterMinor.split('.')[1]),
    hasDefaults: true,
  } as const;
  const seen = { admitted: 0, refused: 0 };
  const different: object[] = [];
  const pods = generatePods({ seed: 1, numRuns: 400 }).filter((_, i) => i % 8 === 0);
  for (const { metadata, spec } of pods) {
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'x', namespace } };
    const reply = await admin.create({ ...body, spec } as Body, dryRun);
    // Other rules of the API server refuse the pod before its level is checked.
    if (reply.status === 422) continue;
    const refusals = listPodSecurityRefusals({ metadata, spec }, bounds);
    const isAdmitted = reply.status === 201;
    seen[isAdmitted ? 'admitted' : 'refused'] += 1;
    if (isAdmitted === (refusals.length === 0)) continue;
    different.push({ metadata, spec, refusals, server: reply.body.message });
  }
  expect(different.slice(0, 5)).toEqual([]);
  expect({ seen, isEnough: Math.min(seen.admitted, seen.refused) > 50 }).toMatchObject({
    isEnough: true,
  });
});

test('the API server reports no type warnings for the policies', async () => {
  const cluster = await current();
  const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };
  type Status = { observedGeneration?: number; typeChecking?: object } | undefined;
  const statuses = await until('all policies are checked', async () => {
    const { items = [] } = (await cluster.admin.list(kind)).body;
    const found = items.map(({ status }) => status as Status);
    return found.every((status) => status?.observedGeneration) && found;
  });
  expect(statuses).toHaveLength(5);
  expect(statuses.map((status) => status?.typeChecking)).toEqual([{}, {}, {}, {}, {}]);
});
