import { expect } from '@jest/globals';
import { hardenedClass } from '../../model/hardening/class.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { refusedBy, staffedTenant, type Staffed } from './people.ts';

const given = await sharedCluster();
const { test } = given;

const classes: readonly [name: string, klass: TenantClassSpec][] = [
  ['standard', {}],
  ['hardened', hardenedClass],
];

/** A pod that every class accepts, with more fields that concern other pods. */
const podSpec = (more: object = {}) => ({
  containers: [
    {
      name: 'c',
      image: 'example.com/c:1',
      imagePullPolicy: 'Always',
      resources: {
        requests: { cpu: '10m', memory: '10Mi' },
        limits: { cpu: '10m', memory: '10Mi' },
      },
      securityContext: {
        allowPrivilegeEscalation: false,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      },
    },
  ],
  ...more,
});
const pod = (namespace: string, more: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: uniqueName('pod'), namespace, labels: { app: 'own' } },
  spec: podSpec(more),
});
const deployment = (namespace: string, more: object): Body => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: uniqueName('own'), namespace },
  spec: {
    selector: { matchLabels: { app: 'own' } },
    template: { metadata: { labels: { app: 'own' } }, spec: podSpec(more) },
  },
});

const repelling = (...namespaces: string[]) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: {}, namespaces },
      ],
    },
  },
});
const outranking = { priorityClassName: 'system-node-critical' };

/** Creates a tenant, and waits until its quotas are counted, so that they refuse from now on. */
async function counted(spec: Parameters<typeof staffedTenant>[1], klass: TenantClassSpec) {
  const staffed = await staffedTenant(given.cluster, spec, klass);
  for (const quota of staffed.tenant.objects.filter(({ kind }) => kind === 'ResourceQuota')) {
    await until(`${quota.metadata!.name} is counted`, async () => {
      const { status } = (await given.cluster.admin.get(toReference(quota))).body;
      return (status as { used?: object } | undefined)?.used !== undefined;
    });
  }
  return staffed;
}

const overQuota = (name: string) => ({
  status: 403,
  body: { message: expect.stringContaining(`exceeded quota: ${name}`) },
});

/** Returns the error that a controller got when it created the pods of a workload. */
async function failureOf(admin: Client, namespace: string): Promise<string> {
  const sets = { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace };
  return until('the ReplicaSet is refused its pods', async () => {
    const { items = [] } = (await admin.list(sets)).body;
    type Conditions = { conditions?: readonly { type: string; message: string }[] } | undefined;
    return items
      .flatMap(({ status }) => (status as Conditions)?.conditions ?? [])
      .find(({ type }) => type === 'ReplicaFailure')?.message;
  });
}

for (const [name, klass] of classes) {
  test(`no pod of a tenant of class ${name} keeps others off nodes, or evicts them`, async () => {
    const { admin } = given.cluster;
    const { namespace, alice } = await counted({}, klass);
    expect(await alice.create(pod(namespace))).toMatchObject({ status: 201 });
    expect(await alice.create(pod(namespace, repelling('victim-prod')))).toMatchObject(
      overQuota('tenant-affinity'),
    );
    expect(await alice.create(pod(namespace, outranking))).toMatchObject(
      overQuota('tenant-priority'),
    );
    expect(await alice.create(deployment(namespace, outranking))).toMatchObject({ status: 201 });
    expect(await failureOf(admin, namespace)).toContain('exceeded quota: tenant-priority');
  });

  test(`no pod of a tenant of class ${name} tolerates a taint, regardless of its creator`, async () => {
    const { admin } = given.cluster;
    const { namespace, alice } = await counted({}, klass);
    const all = { tolerations: [{ operator: 'Exists' }] };
    const words = 'a pod must tolerate only taints that its class opens (none), got *';
    expect(await alice.create(pod(namespace, all))).toMatchObject(refusedBy('pods', words));
    const ages = { terminationGracePeriodSeconds: 999_999_999 };
    expect(await alice.create(pod(namespace, ages))).toMatchObject(
      refusedBy('pods', 'terminationGracePeriodSeconds of at most 3600, got 999999999'),
    );
    const gated = pod(namespace, { schedulingGates: [{ name: 'example.com/wait' }] });
    expect(await alice.create(gated)).toMatchObject({ status: 201 });
    const { tolerations } = (await alice.get(toReference(gated))).body.spec as {
      tolerations: readonly object[];
    };
    const added = { spec: { tolerations: [...tolerations, { operator: 'Exists' }] } };
    expect(await alice.patch(toReference(gated), added)).toMatchObject(refusedBy('pods', words));
    const labeled = { metadata: { labels: { seen: 'yes' } } };
    expect(await alice.patch(toReference(gated), labeled)).toMatchObject({ status: 200 });
    expect(await alice.create(deployment(namespace, all))).toMatchObject({ status: 201 });
    expect(await failureOf(admin, namespace)).toContain(words);
  });

  test(`no member of a tenant of class ${name} blocks the drain of a node with a disruption budget`, async () => {
    const { namespace, alice } = await counted({}, klass);
    const budget = (spec: object): Body => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: uniqueName('own'), namespace },
      spec: { selector: { matchLabels: { app: 'own' } }, ...spec },
    });
    for (const spec of [
      { minAvailable: '100%' },
      { maxUnavailable: 0 },
      { maxUnavailable: '0%' },
    ]) {
      expect(await alice.create(budget(spec))).toMatchObject(
        refusedBy('disruptionBudgets', 'must let at least one pod be evicted'),
      );
    }
    expect(await alice.create(budget({ selector: {}, minAvailable: 1 }))).toMatchObject(
      refusedBy('disruptionBudgets', 'must select some pods by label'),
    );
    expect(await alice.create(budget({ minAvailable: 5000 }))).toMatchObject(
      refusedBy('disruptionBudgets', 'got minAvailable 5000, where there are at most'),
    );
    expect(await alice.create(budget({ minAvailable: '50%' }))).toMatchObject({ status: 201 });
  });
}

test('a class that allows affinity to other namespaces lets one tenant keep the pods of another off a node', async () => {
  const { admin } = given.cluster;
  const tolerations = [{ key: 'example.com/only' }];
  const open = { allow: { crossNamespaceAffinity: 'Allow', tolerations } } as const;
  const [mallory, victim] = [
    await counted({}, open),
    await counted({}, { allow: { tolerations } }),
  ];
  const node = uniqueName('node');
  const there = {
    nodeSelector: { 'example.com/only': node },
    tolerations: [{ key: 'example.com/only', operator: 'Exists' }],
  };
  expect(await admin.create(nodeOf(node))).toMatchObject({ status: 201 });
  await ready(admin, node);
  const scheduled = async (by: Staffed, body: Body) => {
    expect(await by.alice.create(body)).toMatchObject({ status: 201 });
    return until(`${body.metadata!.name} is scheduled or unschedulable`, async () => {
      type Status = { conditions?: readonly { type: string; status: string; message?: string }[] };
      const { status } = (await admin.get(toReference(body))).body as { status?: Status };
      return status?.conditions?.find(({ type }) => type === 'PodScheduled');
    });
  };
  const first = pod(victim.namespace, there);
  expect(await scheduled(victim, first)).toMatchObject({ status: 'True' });
  await admin.delete(toReference(first), { gracePeriodSeconds: 0 });
  const repel = { ...there, ...repelling(victim.namespace) };
  expect(await scheduled(mallory, pod(mallory.namespace, repel))).toMatchObject({ status: 'True' });
  expect(await scheduled(victim, pod(victim.namespace, there))).toMatchObject({
    status: 'False',
    message: expect.stringContaining('anti-affinity'),
  });
  await admin.delete({ apiVersion: 'v1', kind: 'Node', name: node });
});

const nodeOf = (name: string): Body => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'example.com/only': name, 'kubernetes.io/hostname': name } },
  spec: { taints: [only] },
});
/** The taint that keeps the pods of other tests away. */
const only = { key: 'example.com/only', value: 'neighbors', effect: 'NoSchedule' };

/** Marks a node as ready, as a kubelet would. */
async function ready(admin: Client, name: string): Promise<void> {
  const resources = { cpu: '4', memory: '8Gi', pods: '50', 'ephemeral-storage': '10Gi' };
  const status = {
    capacity: resources,
    allocatable: resources,
    conditions: [{ type: 'Ready', status: 'True', reason: 'Test', message: 'Test' }],
  };
  const reference = { apiVersion: 'v1', kind: 'Node', name };
  await until('the node accepts pods', async () => {
    await admin.patch(reference, { status }, { subresource: 'status' });
    await admin.patch(reference, { spec: { taints: [only] } });
    const { spec } = (await admin.get(reference)).body;
    return ((spec as { taints?: readonly object[] } | undefined)?.taints ?? []).length === 1;
  });
}

test('Kubernetes counts every key of the default object counts that it serves', async () => {
  const { tenant } = await counted({}, {});
  const quota = tenant.objects.find(({ metadata }) => metadata!.name === 'tenant-objects')!;
  const { hard } = quota.spec as { hard: Record<string, string> };
  const used = await until('all is counted', async () => {
    const { status } = (await given.cluster.admin.get(toReference(quota))).body;
    return (status as { used?: Record<string, string> }).used;
  });
  const uncounted = Object.keys(hard).filter((key) => !Object.hasOwn(used, key));
  // These kinds are served only with a feature gate.
  const optional = new Set([
    'count/leasecandidates.coordination.k8s.io',
    'count/podcertificaterequests.certificates.k8s.io',
    'count/podgroups.scheduling.k8s.io',
    'count/workloads.scheduling.k8s.io',
  ]);
  expect(uncounted.filter((key) => !optional.has(key))).toEqual([]);
});

test('objects of a kind that no quota listed are counted', async () => {
  const quota = { hard: { 'count/deployments.apps': 2 } };
  const { namespace, alice } = await counted({ quota }, {});
  const own = () => deployment(namespace, {});
  expect(await alice.create(own())).toMatchObject({ status: 201 });
  expect(await alice.create(own())).toMatchObject({ status: 201 });
  expect(await alice.create(own())).toMatchObject(overQuota('tenant-quota'));
  const set = (name: string): Body => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name, namespace },
    template: { spec: podSpec() },
  });
  const statuses = [];
  for (let i = 0; i < 11; i += 1) statuses.push(await given.cluster.admin.create(set(`t${i}`)));
  expect(statuses.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(statuses[10]).toMatchObject(overQuota('tenant-objects'));
});

const declaredWeb = {
  resources: [
    {
      manifest: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'web' } },
          template: { metadata: { labels: { app: 'web' } }, spec: podSpec() },
        },
      },
    },
  ],
};

test('nobody scales or budgets the platform’s objects by name or selector', async () => {
  const { namespace, alice } = await counted(declaredWeb, {});
  const scaler = (name: string): Body => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: uniqueName('own'), namespace },
    spec: {
      maxReplicas: 9,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    },
  });
  const words =
    'must not scale what the platform declares in this namespace, got Deployment.apps web';
  expect(await alice.create(scaler('web'))).toMatchObject(refusedBy('names', words));
  const own = scaler('other');
  expect(await alice.create(own)).toMatchObject({ status: 201 });
  const target = { spec: { scaleTargetRef: { name: 'web' } } };
  expect(await alice.patch(toReference(own), target)).toMatchObject(refusedBy('names', words));
  const budget: Body = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: uniqueName('own'), namespace },
    spec: { minAvailable: 1, selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
  };
  expect(await alice.create(budget)).toMatchObject(
    refusedBy('disruptionBudgets', 'must select no pods that the platform declares, got app=web'),
  );
});

test('a DaemonSet of a tenant gets its pods, with the fields that the controller adds to each', async () => {
  const { namespace, alice } = await counted({}, {});
  const daemons: Body = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: uniqueName('own'), namespace },
    spec: {
      selector: { matchLabels: { app: 'own' } },
      template: { metadata: { labels: { app: 'own' } }, spec: podSpec() },
    },
  };
  expect(await alice.create(daemons)).toMatchObject({ status: 201 });
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace };
  const made = await until('it has a pod', async () => {
    return (await given.cluster.admin.list(pods)).body.items?.[0];
  });
  const { tolerations } = made.spec as { tolerations: readonly { key: string }[] };
  expect(tolerations.map(({ key }) => key)).toContain('node.kubernetes.io/unschedulable');
});

test('no controller passes a label of the platform on to the objects that it creates', async () => {
  const { admin } = given.cluster;
  const { tenant, namespace, alice } = await counted({}, {});
  const stateful = (labels: Record<string, string>): Body => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: uniqueName('own'), namespace },
    spec: {
      serviceName: 'own',
      selector: { matchLabels: { app: 'own' } },
      template: { metadata: { labels: { app: 'own' } }, spec: podSpec() },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data', labels },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
        },
      ],
    },
  });
  const forged = { 'tenantry.dev/tenant': 'victim' };
  expect(await alice.create(stateful(forged))).toMatchObject(
    refusedBy('templates', 'a template must have no labels or annotations of Tenantry'),
  );
  expect(await alice.create(stateful({ team: 'own' }))).toMatchObject({ status: 201 });
  // An object from before the policies, or one that evaded them; an administrator may create it here.
  const events = { apiVersion: 'v1', kind: 'Event', namespace };
  for (const holder of ['victim', tenant.name]) {
    const labels = { 'tenantry.dev/tenant': holder };
    const old = stateful(labels);
    expect(await admin.create(old)).toMatchObject({ status: 201 });
    const message = await until('the controller is refused the claim', async () => {
      const { items = [] } = (await admin.list(events)).body;
      return items
        .filter(({ involvedObject }) => {
          return (involvedObject as { name: string }).name === old.metadata!.name;
        })
        .map((event) => String(event['message']))
        .find((message) => message.includes('denied'));
    });
    // Two policies refuse it, and either may be reported first.
    expect(message).toMatch(
      new RegExp(
        `an object of tenant victim must be in a namespace of the tenant|must not have the label tenantry.dev/tenant, got ${holder}`,
      ),
    );
    const claims = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace };
    const { items = [] } = (await admin.list(claims)).body;
    expect(items.filter(({ metadata }) => metadata!.labels?.['tenantry.dev/tenant'])).toEqual([]);
  }
});
