import { expect, test } from '@jest/globals';
import { Testing, type ApiObject } from 'cdk8s';
import { listGrantAccess, listOperatorAccess } from '../../model/operator/access.ts';
import { buildMonitoringObjects } from '../../model/operator/monitoring/objects.ts';
import { buildOperatorInstallation } from '../../model/operator/operator-objects.ts';
import { computePlatformDigest } from '../../model/operator/platform-config-map.ts';
import { TenantOperator } from '../../constructs/operator/tenant-operator.ts';
import type { Platform, PlatformSpec } from '../../model/declaration.ts';
import { Fleet } from '../../model/fleet.ts';
import { applyPlatformDefaults, resolvePlatform } from '../../model/platform.ts';
import { platform as platformKind } from '../../crds/platform.ts';
import { readDeclarations } from '../../crds/declarations.ts';
import { leaseElectionAccess, buildRoles } from '@tenantry/kube/access';
import { operatorManager } from '../../operator/main.ts';
import { readSettings, resolveCluster } from '../../operator/settings/read-settings.ts';
import { formatFlag, settingNames } from '../../operator/settings/settings.ts';
import { ownPlatform } from '../cluster/tenants.ts';

/** Reads the objects without types; tests in test/cluster check what the API server makes of the fields. */
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = Record<string, any>;

const objectsOf = (platform: Platform, cluster = platform.clusters[0]!.name): Fields =>
  buildOperatorInstallation(platform, cluster, []);

const image = 'registry.example.com/tenantry:0.1.0';
/** Returns the objects of a platform that runs the operator. */
const ofSpec = (spec: PlatformSpec = {}) =>
  objectsOf(resolvePlatform({ ...spec, operator: { image, ...spec.operator } }));
const podOf = (objects: ReturnType<typeof objectsOf>) => objects['deployment'].spec.template.spec;

/** Parses the arguments of a container into settings. */
function settingsOf(args: readonly string[]) {
  const [command, ...flags] = args;
  expect(command).toBe('serve');
  const given = flags.map((flag) => {
    const [, name = '', value = ''] = /^--([a-z-]+)=(.*)$/.exec(flag)!;
    return [settingNames.find((one) => formatFlag(one) === name)!, value];
  });
  return readSettings({
    flags: Object.fromEntries(given),
    environment: {},
    readFile: () => {
      throw new Error('no file is named');
    },
  });
}

test('the pods get a cluster and a Platform with which the operator can start', () => {
  for (const { name } of ownPlatform().clusters) {
    const objects = objectsOf(ownPlatform(), name);
    const { args, volumeMounts } = podOf(objects).containers[0];
    const read = settingsOf(args);
    expect(read.problems).toEqual([]);
    expect(read.settings.platform).toBe(`${volumeMounts[0].mountPath}/platform.yaml`);
    const text = objects['platform'].data['platform.yaml'];
    const { cluster, problems } = resolveCluster(read, { platform: ownPlatform(), text });
    expect([cluster, problems]).toEqual([name, []]);
    // The kubelet waits longer than the operator takes to stop.
    const { terminationGracePeriodSeconds } = podOf(objects);
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(read.settings.gracefulStop);
  }
});

test('the ConfigMap has the Platform of the file, without the fields that refer to files', () => {
  const text = objectsOf(ownPlatform())['platform'].data['platform.yaml'];
  const { declared, problems } = readDeclarations('platform.yaml', text, [platformKind], () => {
    throw new Error('it includes nothing');
  });
  expect(problems).toEqual([]);
  const { spec } = declared[0]!;
  expect(Object.keys(spec)).not.toContain('crdFiles');
  expect(Object.keys(spec)).not.toContain('delegation');
  const { declared: _, delegation: __, definitions: ___, ...read } = applyPlatformDefaults(spec);
  expect(ownPlatform()).toMatchObject(read);
  expect(read.kinds).toEqual(ownPlatform().kinds);
  expect(read.kinds.get('rail.wagonlark.example.com/TrackFeed')).toBe('Namespaced');
});

test('a change of the Platform restarts the pods', () => {
  const [one, same, other] = [[], [], ['velero']].map((protectedNamespaces) =>
    ofSpec({ protectedNamespaces }),
  );
  expect(podOf(one!)).toEqual(podOf(same!));
  expect(podOf(one!)).not.toEqual(podOf(other!));
  expect(computePlatformDigest('a')).not.toBe(computePlatformDigest('b'));
});

const line = ({ apiGroups, resources, verbs, resourceNames = [] }: Fields) =>
  verbs.flatMap((verb: string) =>
    resources.flatMap((resource: string) =>
      apiGroups.map((group: string) => `${verb} ${resource}.${group} ${resourceNames}`),
    ),
  );

test.each(['Observe', 'Create', 'Heal'] as const)(
  'under %s its rights are exactly those of its clients, its election and its grants',
  (driftPolicy) => {
    const { settings } = settingsOf(['serve']);
    const platform = resolvePlatform({ operator: { driftPolicy } });
    const clusterRoles = ['edit', 'view'];
    const manager = operatorManager({ settings, platform, cluster: 'in-cluster' });
    const lease = { name: settings.leaseName, namespace: platform.operatorNamespace };
    const lines = (access: Parameters<typeof buildRoles>[0]) => {
      const { cluster, namespaces } = buildRoles(access);
      const everywhere = cluster.flatMap(line);
      const there = [...namespaces].map(([name, rules]) => [name, rules.flatMap(line).toSorted()]);
      return [everywhere.toSorted(), there];
    };
    const given = listGrantAccess(driftPolicy, clusterRoles);
    const declared = [...manager.access, ...leaseElectionAccess(lease), ...given];
    const rights = listOperatorAccess(platform.operatorNamespace, {
      policy: driftPolicy,
      clusterRoles,
    });
    expect(lines(rights)).toEqual(lines(declared));
    const verbs = rights.flatMap((rule) => rule.verbs.map((verb) => `${verb} ${rule.resource}`));
    const isReading = (one: string) => /^(get|list|watch) /.test(one);
    const own = /^(create|patch|update) (events|leases|tenants|tenants\/status)$/;
    expect(verbs.includes('patch tenants')).toBe(driftPolicy !== 'Observe');
    const writes = verbs.filter((one) => !isReading(one) && !own.test(one));
    const ofPolicy = {
      Observe: [],
      Create: ['bind', 'create', 'escalate', 'patch'],
      Heal: ['bind', 'create', 'delete', 'escalate', 'patch'],
    };
    expect([...new Set(writes.map((one) => one.split(' ')[0]))].toSorted()).toEqual(
      ofPolicy[driftPolicy],
    );
    // Under Create, it patches only accounts that a controller creates first, by name.
    if (driftPolicy === 'Create') {
      const patching = rights.filter(({ verbs }) => verbs.includes('patch'));
      const ofTenants = patching.filter(({ group }) => group === '');
      expect(ofTenants).toEqual([
        {
          group: '',
          resource: 'serviceaccounts',
          verbs: ['patch'],
          resourceNames: ['default', 'builder', 'deployer', 'pipeline'],
        },
      ]);
    }
    expect(writes.filter((one) => one.startsWith('delete'))).toEqual(
      driftPolicy === 'Heal' ? ['delete rolebindings', 'delete accessrequests'] : [],
    );
  },
);

const bound = (objects: Fields) =>
  objects['cluster-role'].rules.filter(({ resources }: Fields) => resources[0] === 'clusterroles');

test('it may bind exactly the roles that classes allow, also of later classes, and never cluster-admin', () => {
  const fleet = new Fleet(resolvePlatform({ operator: { driftPolicy: 'Heal' } }));
  const chart = Testing.chart();
  const operator = new TenantOperator(chart, 'operator', { fleet });
  fleet.classes.add({ name: 'default', spec: { allow: { clusterRoles: ['reader'] } } });
  const base = { admins: 'site-admin', editors: 'edit', viewers: 'view' };
  fleet.classes.add({ name: 'site', spec: { roles: base } });
  const excepted = { tenants: ['pay'], reason: 'moves', allow: { clusterRoles: ['mover'] } };
  fleet.classes.add({ name: 'shop', spec: { extends: 'site', exceptions: [excepted] } });
  const only = (names: readonly string[]) => ({
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['clusterroles'],
    verbs: ['bind'],
    resourceNames: names,
  });
  const all = ['admin', 'edit', 'mover', 'reader', 'site-admin', 'view'];
  expect(
    bound({ 'cluster-role': (operator.node.findChild('cluster-role') as ApiObject).toJson() }),
  ).toEqual([only(all)]);
  expect(JSON.stringify((operator.node.findChild('write-policy') as ApiObject).toJson())).toContain(
    JSON.stringify(JSON.stringify(all)).slice(1, -1),
  );
  // All classes replace the role for admins.
  const alone = new Fleet(resolvePlatform({ operator: { driftPolicy: 'Create' } }));
  alone.classes.add({ name: 'default', spec: { roles: base } });
  alone.classes.add({ name: 'shop', spec: { extends: 'default' } });
  expect(alone.classes.clusterRoles).toEqual(['edit', 'site-admin', 'view']);
  expect(
    bound(buildOperatorInstallation(alone.platform, 'in-cluster', alone.classes.clusterRoles)),
  ).toEqual([only(['edit', 'site-admin', 'view'])]);
  expect(bound(buildOperatorInstallation(alone.platform, 'in-cluster', []))).toEqual([]);
});

test('the image is the one of the platform, and without one no pod is rendered', () => {
  const own = `registry.example.com:5000/a/b@sha256:${'0'.repeat(64)}`;
  expect(podOf(ofSpec({ operator: { image: own } })).containers[0].image).toBe(own);
  const kinds = ['PrometheusRule', 'ServiceMonitor'].map((kind) => ({
    group: 'monitoring.coreos.com',
    kind,
    scope: 'Namespaced' as const,
  }));
  const platform = resolvePlatform({ kinds, operator: { monitoring: { dashboard: true } } });
  const there = Object.values(objectsOf(platform)).map(({ kind }: Fields) => kind as string);
  expect([...new Set(there)].toSorted()).toEqual([
    'ClusterRole',
    'ClusterRoleBinding',
    'ConfigMap',
    'Namespace',
    'Role',
    'RoleBinding',
    'ServiceAccount',
  ]);
  expect(buildMonitoringObjects(platform)).toEqual({});
});

test.each([
  'tenantry',
  'tenantry:latest',
  'Registry.example.com/a',
  'registry.example.com/a:',
  'registry.example.com/a@sha256:12',
  'registry.example.com/a b',
])('%s is not a valid image', (image) => {
  expect(() => resolvePlatform({ operator: { image } })).toThrow(
    /must be an image with its regist/,
  );
});

test('memory and priority are those of the platform', () => {
  const pod = podOf(ofSpec({ operator: { memory: '2Gi', priorityClass: 'platform' } }));
  expect(pod.containers[0].resources.limits).toEqual({ memory: '2Gi' });
  expect(pod.containers[0].resources.requests).toMatchObject({ memory: '2Gi' });
  expect(pod.priorityClassName).toBe('platform');
  expect(podOf(ofSpec({}))).not.toHaveProperty('priorityClassName');
});

test('a ServiceMonitor is rendered only where the platform has the kind', () => {
  const group = 'monitoring.coreos.com';
  const monitor = (kind: string) =>
    ofSpec({ kinds: [{ group, kind, scope: 'Namespaced' }] })['service-monitor'];
  expect(monitor('ServiceMonitor')).toMatchObject({ spec: { endpoints: [{ port: 'metrics' }] } });
  expect(monitor('PodMonitor')).toBeUndefined();
  const labels = { release: 'prometheus' };
  const kinds = [{ group, kind: 'ServiceMonitor', scope: 'Namespaced' as const }];
  const chosen = ofSpec({ kinds, operator: { monitoring: { labels } } })['service-monitor'];
  expect(chosen?.metadata.labels).toMatchObject(labels);
});

test('Service, ServiceMonitor, policy and budget select the pods of the Deployment', () => {
  const objects = objectsOf(ownPlatform());
  const { labels } = objects['deployment'].spec.template.metadata;
  const selectors = [
    objects['deployment'].spec.selector.matchLabels,
    objects['service'].spec.selector,
    objects['network-policy'].spec.podSelector.matchLabels,
    objects['disruption-budget'].spec.selector.matchLabels,
  ];
  for (const selector of selectors) {
    expect(Object.keys(selector).length).toBeGreaterThan(0);
    expect(labels).toMatchObject(selector);
  }
  const monitored = objects['service-monitor'].spec.selector.matchLabels;
  expect(objects['service'].metadata.labels).toMatchObject(monitored);
});

test('the cluster sets who may scrape and which DNS is reachable; an empty list allows nobody', () => {
  const policy = (spec: Parameters<typeof resolvePlatform>[0]) =>
    ofSpec(spec)['network-policy'].spec;
  const server = 'https://api.example.com:8443';
  const peers = (name: string) => [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
  ];
  const [monitoring, dns] = [peers('watching'), peers('naming')];
  const open = policy({ clusters: [{ name: 'a', server, monitoring, dns, dnsPorts: [5353] }] });
  expect(open.ingress).toEqual([{ from: monitoring, ports: [{ port: 8080, protocol: 'TCP' }] }]);
  expect(open.egress).toEqual([
    {
      to: dns,
      ports: [
        { port: 5353, protocol: 'UDP' },
        { port: 5353, protocol: 'TCP' },
      ],
    },
    { ports: [443, 6443, 8443].map((port) => ({ port, protocol: 'TCP' })) },
  ]);
  const closed = policy({ clusters: [{ name: 'a', monitoring: [], dns: [] }] });
  expect(closed).not.toHaveProperty('ingress');
  expect(closed.egress).toEqual([
    { ports: [443, 6443].map((port) => ({ port, protocol: 'TCP' })) },
  ]);
  expect(closed.policyTypes).toEqual(['Ingress', 'Egress']);
});

test('its construct has each object as a child, all of them in its namespace', () => {
  const chart = Testing.chart();
  const platform = resolvePlatform({ operator: { namespace: 'ops', image } });
  const operator = new TenantOperator(chart, 'operator', { platform });
  expect(operator.node.children.map(({ node }) => node.id)).toEqual(
    Object.keys(objectsOf(platform)),
  );
  const manifests = Testing.synth(chart) as { metadata: { namespace?: string } }[];
  const places = manifests.map(({ metadata }) => metadata.namespace).filter(Boolean);
  expect(new Set(places)).toEqual(new Set(['ops']));
  expect(() => new TenantOperator(chart, 'other', { platform, cluster: 'b' })).toThrow(
    "cluster must be one of the platform (in-cluster), got 'b'",
  );
});

const hook = (name: string, url: string, clusters?: readonly string[]) => ({
  name,
  events: ['Onboarded' as const],
  secret: `secret-of-${name}`,
  webhook: { url },
  ...(clusters && { clusters }),
});

test('credentials of hooks are mounted where the operator reads them, and a missing one does not block a pod', () => {
  const hooks = [
    hook('cmdb', 'https://cmdb.example.com'),
    hook('chat', 'https://chat.example.com:8443', ['us']),
  ];
  const clusters = [{ name: 'eu' }, { name: 'us' }];
  const platform = resolvePlatform({ clusters, operator: { image, hooks } });
  const { volumes, containers } = podOf(objectsOf(platform, 'eu'));
  expect(volumes.slice(1)).toEqual([
    { name: 'hook-cmdb', secret: { secretName: 'secret-of-cmdb', optional: true } },
  ]);
  const { settings } = settingsOf(containers[0].args);
  expect(containers[0].volumeMounts.slice(1)).toEqual([
    { name: 'hook-cmdb', mountPath: `${settings.hookCredentials}/cmdb`, readOnly: true },
  ]);
  expect(podOf(objectsOf(platform, 'us')).volumes).toHaveLength(3);
});

test('its network policy allows calls of its hooks, at their ports', () => {
  const portsOf = (...urls: string[]): number[] => {
    const hooks = urls.map((url, i) => ({ ...hook(`h${i}`, url), plainHttp: true }));
    const { egress } = ofSpec({ operator: { hooks } })['network-policy'].spec;
    return egress.at(-1).ports.map(({ port }: Fields) => port);
  };
  expect(portsOf()).toEqual([443, 6443]);
  expect(portsOf('https://a.example.com')).toEqual([443, 6443]);
  expect(portsOf('https://a.example.com:8443', 'http://b.example.com')).toEqual([
    80, 443, 6443, 8443,
  ]);
});

test('the operator runs a hook controller where its cluster has hooks', () => {
  const { settings } = settingsOf(['serve']);
  const namesOf = (cluster: string): string[] => {
    const hooks = [hook('cmdb', 'https://cmdb.example.com', ['eu'])];
    const clusters = [{ name: 'eu' }, { name: 'us' }];
    const platform = resolvePlatform({ clusters, operator: { hooks } });
    const { access } = operatorManager({ settings, platform, cluster });
    return access
      .filter(({ resource, verbs }) => resource === 'tenants' && verbs.includes('patch'))
      .map(({ resource }) => resource);
  };
  expect([namesOf('eu'), namesOf('us')]).toEqual([['tenants'], []]);
});

test('with hooks, the operator may write finalizers of Tenants, and a policy restricts it to that', () => {
  const { settings } = settingsOf(['serve']);
  const hooks = [hook('cmdb', 'https://cmdb.example.com', ['eu'])];
  const clusters = [{ name: 'eu' }, { name: 'us' }];
  const platform = resolvePlatform({ clusters, operator: { hooks } });
  const of = (cluster: string) => {
    const objects = objectsOf(platform, cluster);
    const { access } = operatorManager({ settings, platform, cluster });
    const asked = buildRoles(access).cluster.flatMap(line).toSorted();
    const given = objects['cluster-role'].rules.flatMap(line).toSorted();
    expect(given).toEqual(asked);
    return [given.includes('patch tenants.tenantry.dev '), 'write-policy' in objects];
  };
  expect([of('eu'), of('us')]).toEqual([
    [true, true],
    [false, false],
  ]);
});
