import { expect } from '@jest/globals';
import fc from 'fast-check';
import { completePod, listLimitRefusals } from '../../model/pod-admission/limit-range.ts';
import { listQuotaRefusals, type PodQuota } from '../../model/pod-admission/pod-quota.ts';
import { readPodDemand } from '../../model/pod-admission/workload-demand.ts';
import { listLimitFaults } from '../../model/rules/limits.ts';
import { listScopeFaults } from '../../model/rules/quota.ts';
import type { LimitItem } from '../../crds/quota.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';

const given = await sharedCluster();

const isLong = process.env['TENANTRY_LONG'] === '1';
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);

const amount = {
  cpu: fc.constantFrom('10m', '50m', '100m', '500m', '1', '1500m', '2'),
  memory: fc.constantFrom('16Mi', '64Mi', '100M', '128Mi', '1Gi', '1.5Gi'),
  'ephemeral-storage': fc.constantFrom('1Gi', '2Gi', '10G'),
};
const small = {
  cpu: fc.constantFrom('10m', '50m', '100m'),
  memory: fc.constantFrom('16Mi', '100M', '128Mi'),
};
const large = {
  cpu: fc.constantFrom('100m', '2', '8', '16'),
  memory: fc.constantFrom('128Mi', '1.5Gi', '8Gi', '20G'),
  'ephemeral-storage': fc.constantFrom('1Gi', '20Gi'),
};
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });
const rarely = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });
const amounts = some(amount);
const ratio = fc.constantFrom('1', '1500m', '2', '4', '10');
const ratios = some({ cpu: ratio, memory: ratio });
/** Most namespaces have defaults that fit most bounds. */
const defaults = (cpu: string, memory: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({ cpu, memory }) },
    { weight: 1, arbitrary: amounts },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

const items = fc
  .record({
    container: fc.record({
      min: rarely(some(small)),
      max: rarely(some(large)),
      default: defaults('200m', '256Mi'),
      defaultRequest: defaults('100m', '128Mi'),
      maxLimitRequestRatio: rarely(ratios),
    }),
    pod: fc.record({
      min: rarely(some(small)),
      max: rarely(some(large)),
      maxLimitRequestRatio: rarely(ratios),
    }),
  })
  .map(({ container, pod }): LimitItem[] => [
    withoutUndefined({ type: 'Container', ...container }),
    withoutUndefined({ type: 'Pod', ...pod }),
  ])
  .filter((all) => all.every((item) => listLimitFaults(item).length === 0));

const withoutUndefined = (item: object): LimitItem => JSON.parse(JSON.stringify(item)) as LimitItem;

const hard = fc
  .record({
    cpu: rarely(large.cpu),
    memory: rarely(large.memory),
    'requests.cpu': rarely(large.cpu),
    'limits.cpu': rarely(large.cpu),
    'requests.memory': rarely(large.memory),
    'limits.memory': rarely(large.memory),
    'requests.ephemeral-storage': rarely(large['ephemeral-storage']),
    'limits.ephemeral-storage': rarely(large['ephemeral-storage']),
    pods: fc.constantFrom('0', '1', '1', '5', '5'),
  })
  .map((all) => JSON.parse(JSON.stringify(all)) as PodQuota['hard']);

const scope = fc.constantFrom(
  'Terminating' as const,
  'NotTerminating' as const,
  'BestEffort' as const,
  'NotBestEffort' as const,
);

const quotas = fc
  .tuple(hard, hard, scope)
  .map(([all, others, one]): PodQuota[] => [
    { name: 'all', hard: all },
    { name: 'some', hard: others, scopes: [one] },
  ])
  .map(([all, scoped]) =>
    listScopeFaults({ ...scoped!, scopes: scoped!.scopes! }).length > 0 ? [all!] : [all!, scoped!],
  );

const resources = fc.record({ requests: rarely(amounts), limits: rarely(amounts) });
const container = (prefix: string) =>
  fc.array(resources, { maxLength: 2 }).map((list) =>
    list.map((one, i) => ({
      name: `${prefix}${i}`,
      image: 'example.com/c:1',
      resources: JSON.parse(JSON.stringify(one)) as object,
    })),
  );

const pods = fc
  .record({
    first: resources,
    containers: container('c'),
    init: container('i'),
    sidecars: container('s'),
    deadline: fc.boolean(),
    sidecarsFirst: fc.boolean(),
  })
  .map(({ first, containers, init, sidecars, deadline, sidecarsFirst }) => {
    const running = sidecars.map((one) => ({ ...one, restartPolicy: 'Always' }));
    const { resources: _none, ...plain } = {
      name: 'first',
      image: 'example.com/c:1',
      resources: first,
    };
    return {
      containers: [
        { ...plain, resources: JSON.parse(JSON.stringify(first)) as object },
        ...containers,
      ],
      initContainers: sidecarsFirst ? [...running, ...init] : [...init, ...running],
      ...(deadline && { activeDeadlineSeconds: 60 }),
    };
  });

const blank = { containers: [{ name: 'blank', image: 'example.com/c:1' }] };

/** Creates a namespace with these bounds that is ready for pods. */
async function boundedNamespace(
  cluster: ClusterAccess,
  limits: readonly LimitItem[],
  of: readonly PodQuota[],
): Promise<string> {
  const namespace = await newNamespace(cluster, 'bounds');
  const { admin } = cluster;
  const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'own', namespace } };
  expect(await admin.create({ ...range, spec: { limits } } as Body)).toMatchObject({ status: 201 });
  for (const { name, ...spec } of of) {
    const metadata = { name, namespace };
    const quota: Body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec };
    expect(await admin.create(quota)).toMatchObject({ status: 201 });
    await until('the quota is counted', async () => {
      const { body } = await admin.get(toReference(quota));
      const counted = (body as { status?: { used?: object } }).status?.used ?? {};
      return Object.keys(counted).length === Object.keys(spec.hard).length;
    });
  }
  await until('the namespace has its service account', async () => {
    const pod = podOf(namespace, blank);
    const { body } = await admin.create(pod, { dryRun: true });
    return !String(body.message).includes('serviceaccount');
  });
  return namespace;
}

const podOf = (namespace: string, spec: Record<string, unknown>): Body => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'x', namespace },
  spec,
});

given.test(
  'the API server admits exactly the pods that the LimitRange and the quotas admit here',
  async () => {
    const { cluster } = given;
    const cases = fc.sample(fc.tuple(items, quotas), { seed, numRuns: isLong ? 400 : 30 });
    const seen = { admitted: 0, refused: 0 };
    const different: object[] = [];
    for (const [i, [limits, of]] of cases.entries()) {
      const namespace = await boundedNamespace(cluster, limits, of);
      const specs = [blank, ...fc.sample(pods, { seed: seed + i, numRuns: 8 })];
      for (const spec of specs) {
        const { status, body } = await cluster.admin.create(podOf(namespace, spec), {
          dryRun: true,
        });
        const pod = completePod(readPodDemand(spec), limits);
        const ours = [
          ...listLimitRefusals(pod, limits),
          ...of.flatMap((quota) => listQuotaRefusals(quota, pod)),
        ].map(({ words }) => words);
        seen[status === 201 ? 'admitted' : 'refused'] += 1;
        if ((status === 201) === (ours.length === 0)) continue;
        different.push({ limits, of, spec, ours, server: body.message ?? status });
      }
      await cluster.admin.delete(
        toReference({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
      );
    }
    expect(different).toEqual([]);
    expect({ seen, isEnough: Math.min(seen.admitted, seen.refused) > 20 }).toMatchObject({
      isEnough: true,
    });
  },
  3_600_000,
);
