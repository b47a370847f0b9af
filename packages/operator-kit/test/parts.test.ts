import { expect, test } from '@jest/globals';
import { buildRoles } from '@tenantry/kube/access';
import { InvalidInput, formatProblem } from '@tenantry/kube/problem';
import { crdManifest } from '@tenantry/crd/definition';
import { operatorParts } from '../parts/parts.ts';
import type { OperatorNetwork, OperatorSpec } from '../parts/spec.ts';
import {
  least,
  most,
  objectsOfSpec,
  podOf,
  region,
  rule,
  shop,
  type Fields,
} from '@tenantry/test-tools/constructs/operator-specs';

const kindsOf = (spec: OperatorSpec): string[] =>
  Object.values(objectsOfSpec(spec)).map(({ kind }: Fields) => kind as string);

test('a minimal operator has what every operator needs, in the order of application', () => {
  expect(kindsOf(least)).toEqual([
    'Namespace',
    'ServiceAccount',
    'Role',
    'RoleBinding',
    'Deployment',
    'Service',
    'NetworkPolicy',
    'PodDisruptionBudget',
  ]);
  expect(kindsOf({ ...least, makesNamespace: false, metrics: false, network: false })).toEqual([
    'ServiceAccount',
    'Role',
    'RoleBinding',
    'Deployment',
    'PodDisruptionBudget',
  ]);
});

test('a full operator begins with its namespace and definitions, and ends with the webhooks that call it', () => {
  expect(kindsOf(most)).toEqual([
    'Namespace',
    'CustomResourceDefinition',
    'CustomResourceDefinition',
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'Role',
    'RoleBinding',
    'Issuer',
    'Certificate',
    'Deployment',
    'Service',
    'Service',
    'ServiceMonitor',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'ValidatingWebhookConfiguration',
    'MutatingWebhookConfiguration',
  ]);
  const objects = objectsOfSpec(most);
  const places = Object.values(objects).map(({ metadata }: Fields) => metadata.namespace as string);
  expect(new Set(places.filter(Boolean))).toEqual(new Set(['shops-system', 'vault']));
  for (const { metadata } of Object.values(objects) as Fields[]) {
    expect(metadata.labels).toMatchObject({ 'example.com/team': 'shops' });
  }
});

test('every selector uses the same label of the pods, which does not change with the version', () => {
  const objects = objectsOfSpec(most);
  const selector = { 'app.kubernetes.io/name': 'shops' };
  const { spec, metadata } = objects['deployment'];
  expect(spec.selector.matchLabels).toEqual(selector);
  expect(spec.template.metadata.labels).toEqual({ ...selector, 'example.com/tier': 'control' });
  expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/version': '1.2.3' });
  expect(objects['service'].spec.selector).toEqual(selector);
  expect(objects['webhook-service'].spec.selector).toEqual(selector);
  expect(objects['service-monitor'].spec.selector.matchLabels).toEqual(selector);
  expect(objects['service'].metadata.labels).toMatchObject(selector);
  expect(objects['network-policy'].spec.podSelector.matchLabels).toEqual(selector);
  expect(objects['disruption-budget'].spec.selector.matchLabels).toEqual(selector);
});

test('the pods have no privileges, and can write only to their own empty volumes', () => {
  const pod = podOf(most);
  expect(pod['securityContext']).toEqual({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  const [container] = pod['containers'];
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  });
  expect(container.volumeMounts).toEqual([
    { name: 'config', mountPath: '/etc/shops', readOnly: true },
    { name: 'keys', mountPath: '/etc/keys', readOnly: true },
    { name: 'scratch', mountPath: '/tmp/shops' },
    { name: 'vault', mountPath: '/run/vault', readOnly: true },
    {
      name: 'webhook-certificates',
      mountPath: '/tmp/k8s-webhook-server/serving-certs',
      readOnly: true,
    },
  ]);
  expect(pod['volumes'].slice(0, 5)).toEqual([
    { name: 'config', configMap: { name: 'shops' } },
    { name: 'keys', secret: { secretName: 'keys', optional: true } },
    { name: 'scratch', emptyDir: { sizeLimit: '1500k' } },
    {
      name: 'vault',
      projected: {
        sources: [
          { serviceAccountToken: { audience: 'vault', expirationSeconds: 600, path: 'token' } },
        ],
      },
    },
    { name: 'webhook-certificates', secret: { secretName: 'shops-webhooks' } },
  ]);
});

test('pods run on the nodes of the spec, on Linux, and spread over nodes by default', () => {
  const own = { labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'shops' } } };
  const { nodeSelector, tolerations, affinity, topologySpreadConstraints } = podOf(most);
  expect(nodeSelector).toEqual({ 'kubernetes.io/os': 'linux', memory: 'large' });
  expect({ tolerations, affinity }).toEqual({
    tolerations: most.tolerations,
    affinity: most.affinity,
  });
  const [first, second] = most.topologySpreadConstraints!;
  expect(topologySpreadConstraints).toEqual([{ ...first, ...own }, second]);
  expect(podOf(least)).not.toHaveProperty('tolerations');
  expect(podOf(least)['topologySpreadConstraints']).toEqual([
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      ...own,
    },
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      ...own,
    },
  ]);
  expect(podOf({ ...least, replicas: 1 })).not.toHaveProperty('topologySpreadConstraints');
  expect(podOf({ ...least, topologySpreadConstraints: [] })).not.toHaveProperty(
    'topologySpreadConstraints',
  );
});

test("annotations of the pods are added to Tenantry's own", () => {
  const { metadata } = objectsOfSpec(most)['deployment'].spec.template;
  expect(metadata.annotations).toEqual({
    'kubectl.kubernetes.io/default-container': 'operator',
    'prometheus.io/scrape': 'true',
  });
});

test('the container gets the settings of the spec', () => {
  const [container] = podOf(most)['containers'];
  expect(container).toMatchObject({
    image: most.image,
    command: ['/bin/shops'],
    args: ['run', '--level=info'],
    envFrom: [
      { configMapRef: { name: 'shops' } },
      { prefix: 'SECRET_', secretRef: { name: 'shops', optional: true } },
    ],
    env: [
      { name: 'LEVEL', value: 'info' },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'shops', key: 'token' } } },
      {
        name: 'MODE',
        valueFrom: { configMapKeyRef: { name: 'shops', key: 'mode', optional: true } },
      },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'GOMEMLIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } },
      {
        name: 'CPU',
        valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } },
      },
    ],
    ports: [
      { name: 'metrics', containerPort: 9090 },
      { name: 'webhooks', containerPort: 9443 },
      { name: 'grpc', containerPort: 5000 },
    ],
    livenessProbe: { httpGet: { path: '/live', port: 'grpc' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'grpc' } },
    // 92 seconds after the first five.
    startupProbe: {
      httpGet: { path: '/live', port: 'grpc' },
      periodSeconds: 5,
      failureThreshold: 19,
    },
    resources: most.resources,
  });
  expect(podOf({ ...least, probes: false })['containers'][0]).not.toHaveProperty('livenessProbe');
  expect(podOf(least)['containers'][0]).not.toHaveProperty('startupProbe');
  expect(podOf(least)['containers'][0]).toMatchObject({
    ports: [
      { name: 'metrics', containerPort: 8080 },
      { name: 'health', containerPort: 8081 },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' } },
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  });
});

test('sidecars have the same restrictions as the operator, and share a volume by name', () => {
  const { containers, volumes } = podOf(most);
  expect(containers.map(({ name }: Fields) => name)).toEqual(['operator', 'proxy', 'logs']);
  const [operator, proxy, logs] = containers;
  expect(proxy).toEqual({
    name: 'proxy',
    image: 'registry.example.com/proxy:0.20.0',
    command: ['/proxy'],
    args: ['--upstream=http://127.0.0.1:9090'],
    env: [{ name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
    envFrom: [
      { configMapRef: { name: 'proxy', optional: true } },
      { prefix: 'P_', secretRef: { name: 'proxy' } },
    ],
    ports: [{ name: 'secure', containerPort: 8443 }],
    readinessProbe: {
      httpGet: { path: '/ready', port: 'secure' },
      periodSeconds: 10,
      timeoutSeconds: 5,
    },
    resources: { requests: { cpu: '5m', memory: '20Mi' }, limits: { memory: '64Mi' } },
    securityContext: operator.securityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'scratch', mountPath: '/run/shops' },
      { name: 'proxy', mountPath: '/etc/proxy', readOnly: true },
      { name: 'cache', mountPath: '/cache' },
    ],
  });
  expect(logs).toEqual({
    name: 'logs',
    image: `registry.example.com/logs@sha256:${'1'.repeat(64)}`,
    resources: podOf(least)['containers'][0].resources,
    securityContext: operator.securityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
  });
  expect(volumes.map(({ name }: Fields) => name)).toEqual([
    'config',
    'keys',
    'scratch',
    'vault',
    'webhook-certificates',
    'proxy',
    'cache',
  ]);
});

test('an operator with conversion is ready before its caches: API servers call only ready pods', () => {
  const readyOf = (spec: OperatorSpec) => podOf(spec)['containers'][0].readinessProbe;
  const converting = {
    ...least,
    owned: [shop],
    webhooks: { certificates: 'operator', conversion: [{ kind: shop }] },
  } as const;
  expect(readyOf(least)).toMatchObject({ httpGet: { path: '/readyz' } });
  expect(readyOf(converting)).toMatchObject({ httpGet: { path: '/readyz?exclude=caches' } });
  const probes = { ready: '/ready' };
  expect(readyOf({ ...converting, probes })).toMatchObject({ httpGet: { path: '/ready' } });
});

test('without an election one replica runs, and the next one starts after it has ended', () => {
  const { deployment, ...others } = objectsOfSpec({ ...least, leaderElection: 'None' });
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(deployment.spec.template.spec).not.toHaveProperty('topologySpreadConstraints');
  expect(Object.keys(others)).toEqual([
    'namespace',
    'service-account',
    'service',
    'network-policy',
  ]);
  const elected = objectsOfSpec(least)['deployment'].spec;
  expect(elected).toMatchObject({
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } },
  });
});

const granted = (spec: OperatorSpec): Record<string, string[]> => {
  const { roles } = operatorParts(spec);
  const all = Object.entries(roles).filter(([, { kind }]) => !kind.endsWith('Binding'));
  return Object.fromEntries(
    all.map(([id, role]) => [
      id,
      (role as Fields)['rules'].flatMap(({ verbs, resources, resourceNames }: Fields) =>
        resources.map(
          (resource: string) =>
            `${verbs.join()} ${resource}${resourceNames ? ` ${resourceNames.join()}` : ''}`,
        ),
      ),
    ]),
  );
};

test('its rights are those declared, and those for its election', () => {
  expect(granted({ ...least, access: most.access })).toEqual({
    'cluster-role': [
      'list,watch,create configmaps',
      'get regions eu,us',
      'list,watch shops',
      'patch shops/status',
    ],
    'role-shops': ['create leases', 'get,update leases shops'],
    'role-vault': ['get secrets'],
  });
  expect(granted({ ...least, leaderElection: 'None' })).toEqual({});
  expect(granted({ ...least, leaderElection: 'ForLife' })['role-shops']).toContain('get pods');
});

test('where it watches some namespaces, rights for namespaced kinds are granted only there', () => {
  const access = most.access;
  const watching = (watch: OperatorSpec['watch']): OperatorSpec => ({
    ...least,
    leaderElection: 'None',
    owned: [shop],
    required: [region],
    access,
    ...(watch && { watch }),
  });
  const here = ['list,watch,create configmaps', 'list,watch shops', 'patch shops/status'];
  expect(granted(watching({ mode: 'MultiNamespace', namespaces: ['a', 'b'] }))).toEqual({
    'cluster-role': ['get regions eu,us'],
    'role-a': here,
    'role-b': here,
    'role-vault': ['get secrets'],
  });
  const single = watching({ mode: 'SingleNamespace', namespace: 'vault' });
  expect(granted(single)['role-vault']).toEqual(
    expect.arrayContaining(['get secrets', 'list,watch shops']),
  );
  expect(Object.keys(granted(watching({ mode: 'OwnNamespace' })))).toContain('role-shops');
  const watched = (spec: OperatorSpec) => podOf(spec)['containers'][0].env;
  expect(watched(single)).toEqual([{ name: 'WATCH_NAMESPACE', value: 'vault' }]);
  expect(watched(watching({ mode: 'AllNamespaces' }))).toBeUndefined();
});

test('rights for built-in kinds are granted according to their scope', () => {
  const one = (group: string, resource: string): string[] =>
    Object.keys(
      granted({
        ...least,
        leaderElection: 'None',
        watch: { mode: 'SingleNamespace', namespace: 'a' },
        access: [{ group, resource, verbs: ['create'] }],
      }),
    );
  expect(one('', 'namespaces')).toEqual(['cluster-role']);
  expect(one('rbac.authorization.k8s.io', 'clusterroles')).toEqual(['cluster-role']);
  expect(one('', 'pods/eviction')).toEqual(['role-a']);
  expect(one('', 'bindings')).toEqual(['role-a']);
  expect(one('authentication.k8s.io', 'tokenreviews')).toEqual(['cluster-role']);
});

test('rights are grouped by the part that needs them', () => {
  const { rights } = operatorParts({
    ...most,
    webhooks: { certificates: 'operator', conversion: [{ kind: shop }] },
  });
  expect(rights.declared).toEqual(most.access);
  expect(buildRoles(rights.election).cluster).toEqual([]);
  expect(rights.certificates).toEqual([
    {
      group: '',
      resource: 'secrets',
      verbs: ['get', 'update'],
      resourceNames: ['shops-webhooks'],
      namespaces: ['shops-system'],
    },
    {
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
      verbs: ['get', 'patch', 'watch'],
      resourceNames: ['shops.example.com'],
    },
  ]);
});

test('cert-manager issues a certificate for the Service, and its CA is injected everywhere', () => {
  const objects = objectsOfSpec(most);
  expect(objects['webhook-certificate']).toMatchObject({
    metadata: { name: 'shops-webhooks', namespace: 'shops-system' },
    spec: {
      secretName: 'shops-webhooks',
      dnsNames: [
        'shops-webhooks.shops-system.svc',
        'shops-webhooks.shops-system.svc.cluster.local',
      ],
      issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'shops-webhooks' },
    },
  });
  for (const id of ['shops.example.com', 'validating-webhooks', 'mutating-webhooks']) {
    expect(objects[id].metadata.annotations).toMatchObject({
      'cert-manager.io/inject-ca-from': 'shops-system/shops-webhooks',
    });
  }
  expect(JSON.stringify(objects['regions.example.com'])).not.toContain('cert-manager');
  const issuer = { name: 'site', kind: 'ClusterIssuer' } as const;
  const given = objectsOfSpec({
    ...most,
    webhooks: { ...most.webhooks, certificates: { issuer } },
  });
  expect(given['webhook-issuer']).toBeUndefined();
  expect(given['webhook-certificate'].spec.issuerRef).toMatchObject(issuer);
});

test('an operator that issues its own certificate has an empty Secret for it, and mounts none', () => {
  const spec = { ...most, webhooks: { ...most.webhooks, certificates: 'operator' as const } };
  const objects = objectsOfSpec(spec);
  const { data, stringData, kind, metadata } = objects['webhook-secret'];
  expect([kind, metadata.name, data, stringData]).toEqual([
    'Secret',
    'shops-webhooks',
    undefined,
    undefined,
  ]);
  expect(JSON.stringify(objects)).not.toContain('cert-manager');
  expect(JSON.stringify(podOf(spec))).not.toContain('serving-certs');
});

test('only the definitions that the spec lists are converted by the webhook', () => {
  const objects = objectsOfSpec(most);
  expect(objects['shops.example.com'].spec.conversion).toEqual({
    strategy: 'Webhook',
    webhook: {
      clientConfig: {
        service: {
          name: 'shops-webhooks',
          namespace: 'shops-system',
          path: '/convert/shops.example.com',
          port: 443,
        },
      },
      conversionReviewVersions: ['v1'],
    },
  });
  expect(objects['regions.example.com'].spec).not.toHaveProperty('conversion');
  expect(objects['regions.example.com'].spec).toEqual(crdManifest(region).spec);
  const read = objectsOfSpec({ ...most, owned: [crdManifest(shop), region] });
  expect(read).toEqual(objects);
});

const webhookOf = (spec: Partial<OperatorSpec>, one: object = {}): Fields =>
  objectsOfSpec({
    ...least,
    owned: [shop],
    ...spec,
    webhooks: {
      certificates: 'operator',
      validating: [{ name: 'owners.shops.example.com', rules: [rule], ...one }],
    },
  })['validating-webhooks'].webhooks[0] as Fields;

test('a webhook is called at the path of the runtime, and refuses requests while it is down', () => {
  expect(webhookOf({})).toEqual({
    name: 'owners.shops.example.com',
    clientConfig: {
      service: {
        name: 'shops-webhooks',
        namespace: 'shops',
        path: '/validate/shops.example.com',
        port: 443,
      },
    },
    rules: [
      {
        apiGroups: ['example.com'],
        apiVersions: ['v1'],
        resources: ['shops'],
        operations: ['CREATE', 'UPDATE'],
        scope: '*',
      },
    ],
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: 10,
  });
  expect(webhookOf({}, { rules: [{ ...rule, groups: [''], resources: ['pods'] }] })).toMatchObject({
    clientConfig: { service: { path: '/validate/pods' } },
  });
});

test('a webhook covers the namespaces of its operator, and for foreign kinds never its own namespace', () => {
  const only = (operator: string, ...values: string[]) => ({
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }],
  });
  const pods = { rules: [{ ...rule, groups: [''], resources: ['pods'] }] };
  expect(webhookOf({})).not.toHaveProperty('namespaceSelector');
  expect(webhookOf({}, pods)['namespaceSelector']).toEqual(only('NotIn', 'shops'));
  const watch = { mode: 'MultiNamespace', namespaces: ['a', 'b'] } as const;
  expect(webhookOf({ watch })['namespaceSelector']).toEqual(only('In', 'a', 'b'));
  const own = { namespaceSelector: { matchLabels: { a: 'b' } } };
  expect(webhookOf({ watch }, { ...pods, ...own })).toMatchObject(own);
});

test('a ServiceMonitor is rendered only where the spec declares the kind', () => {
  expect(objectsOfSpec({ ...least, metrics: { monitor: {} } })['service-monitor'].spec).toEqual({
    selector: { matchLabels: { 'app.kubernetes.io/name': 'shops' } },
    endpoints: [{ port: 'metrics', path: '/metrics' }],
  });
  expect(objectsOfSpec({ ...least, metrics: {} })).not.toHaveProperty('service-monitor');
});

test('an empty list of peers allows nobody, except that everybody may call webhooks', () => {
  const policy = (spec: Partial<OperatorSpec>): Fields =>
    objectsOfSpec({ ...least, ...spec })['network-policy'].spec as Fields;
  const tcp = (port: number) => ({ port, protocol: 'TCP' });
  const servers = { ports: [tcp(443), tcp(6443)] };
  const closed = policy({ network: { monitoring: [], dns: [] } });
  expect(closed).not.toHaveProperty('ingress');
  expect(closed['egress']).toEqual([servers]);
  expect(policy({ metrics: false })).not.toHaveProperty('ingress');
  const open = policy(most);
  expect(open['ingress']).toEqual([
    {
      from: [
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
      ],
      ports: [tcp(9090)],
    },
    { ports: [tcp(9443)] },
  ]);
  expect(open['egress'].slice(1)).toEqual([
    servers,
    { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [tcp(5432)] },
  ]);
});

test('a port of the operator or of a sidecar is closed until the spec allows a peer', () => {
  const from = [{ namespaceSelector: { matchLabels: { team: 'audit' } } }];
  const spec: OperatorSpec = {
    ...least,
    metrics: false,
    ports: [{ name: 'grpc', port: 5000 }],
    sidecars: [
      {
        name: 'audit',
        image: 'registry.example.com/audit:2.1.0',
        ports: [{ name: 'audit', port: 5001 }],
      },
    ],
  };
  const ingress = (network: OperatorNetwork): unknown =>
    objectsOfSpec({ ...spec, network })['network-policy'].spec.ingress;
  expect(ingress({})).toBeUndefined();
  expect(ingress({ clients: [{ from, ports: ['audit'] }] })).toEqual([
    { from, ports: [{ port: 5001, protocol: 'TCP' }] },
  ]);
  expect(ingress({ clients: [{ from, ports: ['grpc', 'audit'] }] })).toEqual([
    {
      from,
      ports: [
        { port: 5000, protocol: 'TCP' },
        { port: 5001, protocol: 'TCP' },
      ],
    },
  ]);
});

/** Returns all errors of a spec. */
function collectErrors(spec: OperatorSpec): string[] {
  try {
    operatorParts(spec);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error.problems.map(formatProblem);
  }
}

const webhooks = { certificates: 'operator' as const };
const asked = { name: 'owners.shops.example.com', rules: [rule] };
const validating = (...all: object[]) =>
  ({ webhooks: { ...webhooks, validating: all } }) as unknown as Partial<OperatorSpec>;

const side = { name: 'side', image: least.image };
const sidecar = (...all: object[]): Partial<OperatorSpec> => ({
  sidecars: all.map((one) => ({ ...side, ...one })),
});

const refused: readonly (readonly [what: Partial<OperatorSpec>, message: string])[] = [
  [
    { name: 'Shops' },
    "name must be a DNS label: lower-case letters, digits and '-', starting with a letter, at most 63 characters, got 'Shops'",
  ],
  [{ name: '1shop' }, 'name must be a DNS label'],
  [
    { name: 'a'.repeat(60), ...validating(asked) },
    'name must have at most 54 characters where there are webhooks',
  ],
  [{ version: 'v1.2.3' }, "version must be a version such as '1.2.3', got 'v1.2.3'"],
  [{ version: '1.2.3+a' }, 'version must be a label value'],
  [
    { image: 'registry.example.com/shops' },
    "image must be an image with a tag that stays, or a digest, such as 'registry.example.com/shops:1.0.0', got 'registry.example.com/shops'",
  ],
  [{ image: 'registry.example.com:5000/shops' }, 'image must be'],
  [{ image: 'registry.example.com/shops:latest' }, 'image must be'],
  [{ image: 'registry.example.com/shops@sha256:12' }, 'image must be'],
  [{ image: 'registry.example.com/Shops:1' }, 'image must be'],
  [
    { namespace: 'a.b' },
    "namespace must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got 'a.b'",
  ],
  [{ labels: { 'a b': 'c' } }, 'labels["a b"] must have a name'],
  [
    { labels: { a: 'b c' } },
    "labels.a must be a label value: letters, digits, '-', '_' and '.', at most 63 characters, got 'b c'",
  ],
  [
    { podLabels: { 'app.kubernetes.io/name': 'x' } },
    'podLabels["app.kubernetes.io/name"] must be left out: the pods are found by it',
  ],
  [
    { owned: [shop], required: [shop] },
    "required[0] must be a kind of its own, got 'shops.example.com' again, which is owned already",
  ],
  [
    { watch: { mode: 'MultiNamespace', namespaces: [] } },
    'watch.namespaces must name the namespaces that are watched, got an empty list',
  ],
  [
    { watch: { mode: 'MultiNamespace', namespaces: ['a', 'a'] } },
    "watch.namespaces[1] must be named once, got 'a' again",
  ],
  [{ watch: { mode: 'SingleNamespace', namespace: '' } }, 'watch.namespace must be a DNS label'],
  [
    { access: [{ group: '', resource: '*', verbs: ['get'] }] },
    "access[0] must be a valid access rule: access to '*': the resource must be a plural, or one with a subresource such as 'pods/status', got '*'",
  ],
  [
    { access: [{ group: '*', resource: 'pods', verbs: ['get'] }] },
    'access[0] must be a valid access rule',
  ],
  [
    { access: [{ group: '', resource: 'pods', verbs: [] }] },
    'access[0] must be a valid access rule',
  ],
  [
    { access: [{ group: '', resource: 'pods', verbs: ['get'], namespaces: ['A'] }] },
    'access[0].namespaces[0] must be a DNS label',
  ],
  [
    {
      watch: { mode: 'OwnNamespace' },
      access: [{ group: 'a.example.com', resource: 'boxes', verbs: ['get'] }],
    },
    'access[0] must be of a kind in owned or required, or name namespaces: the scope of boxes.a.example.com is not known',
  ],
  [{ replicas: -1 }, 'replicas must be a whole number of at least 0, got -1'],
  [
    { replicas: 2, leaderElection: 'None' },
    'replicas must be at most 1 without a leader election, got 2: all of them would do the same work',
  ],
  [
    { resources: { requests: { cpu: 'half' } } },
    "resources.requests.cpu must be a quantity such as '500m' or '128Mi', got 'half'",
  ],
  [
    { resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } },
    "resources.limits.memory must be at least what is requested (2Gi), got '1Gi'",
  ],
  [{ environment: { '1A': 'x' } }, 'environment["1A"] must have a name of letters'],
  [
    { environment: { A: { secret: { name: 'S', key: 'k' } } } },
    'environment.A.secret.name must be a DNS subdomain',
  ],
  [
    { environment: { A: { configMap: { name: 's', key: 'a/b' } } } },
    "environment.A.configMap.key must be a key of letters, digits, '-', '_' and '.', got 'a/b'",
  ],
  [
    { environment: { WATCH_NAMESPACE: 'a' }, watch: { mode: 'OwnNamespace' } },
    'environment.WATCH_NAMESPACE must be left out: watch sets it',
  ],
  [
    { environmentFrom: [{ configMap: 'A' }] },
    'environmentFrom[0].configMap must be a DNS subdomain',
  ],
  [{ environmentFrom: [{ secret: '' }] }, 'environmentFrom[0].secret must be a DNS subdomain'],
  [
    { environmentFrom: [{ secret: 'a', configMap: 'b' }] },
    'environmentFrom[0] must be of a ConfigMap or of a Secret, got both',
  ],
  [
    { environmentFrom: [{ secret: 'a', prefix: '1_' }] },
    "environmentFrom[0].prefix must begin a name of letters, digits, '-', '_' and '.', not with a digit, got '1_'",
  ],
  [
    sidecar({ name: 'operator' }),
    "sidecars[0].name must be a name of its own, got 'operator' again",
  ],
  [sidecar({}, {}), "sidecars[1].name must be a name of its own, got 'side' again"],
  [sidecar({ name: 'a.b' }), 'sidecars[0].name must be a DNS label'],
  [sidecar({ image: 'side' }), 'sidecars[0].image must be an image with a tag that stays'],
  [
    sidecar({ environment: { '1A': 'x' } }),
    'sidecars[0].environment["1A"] must have a name of letters',
  ],
  [
    sidecar({ environmentFrom: [{ secret: 'A' }] }),
    'sidecars[0].environmentFrom[0].secret must be a DNS subdomain',
  ],
  [
    sidecar({ resources: { limits: { cpu: 'half' } } }),
    "sidecars[0].resources.limits.cpu must be a quantity such as '500m' or '128Mi', got 'half'",
  ],
  [
    sidecar({ ports: [{ name: 'metrics', port: 8443 }] }),
    "sidecars[0].ports[0].name must be a name of its own, got 'metrics' again",
  ],
  [
    sidecar(
      { ports: [{ name: 'a', port: 8443 }] },
      { name: 'b', ports: [{ name: 'b', port: 8443 }] },
    ),
    'sidecars[1].ports[0].port must be a port of its own, got 8443, which is that of a',
  ],
  [
    sidecar({ ports: [{ name: 'a', port: 80 }] }),
    'sidecars[0].ports[0].port must be a port from 1024 to 65535, got 80',
  ],
  [
    sidecar({ probes: { port: 'metrics', live: '/' } }),
    "sidecars[0].probes.port must be a port of the sidecar (none is declared), got 'metrics'",
  ],
  [
    sidecar({ ports: [{ name: 'a', port: 8443 }], probes: { port: 'a', ready: 'ready' } }),
    "sidecars[0].probes.ready must be a path from '/' on, got 'ready'",
  ],
  [
    sidecar({ files: [{ name: 'webhook-certificates', path: '/a', from: { secret: 's' } }] }),
    "sidecars[0].files[0].name must be a name of its own, got 'webhook-certificates' again",
  ],
  [
    {
      files: [{ name: 'a', path: '/a', from: { secret: 's' } }],
      ...sidecar({ files: [{ name: 'a', path: '/b', from: { secret: 'other' } }] }),
    },
    "sidecars[0].files[0].from must be what the volume 'a' is of in the other container, got another one",
  ],
  [
    sidecar(
      { files: [{ name: 'a', path: '/a', from: { emptyDir: {} } }] },
      { name: 'b', files: [{ name: 'a', path: '/a', from: { emptyDir: { sizeLimit: '1Mi' } } }] },
    ),
    "sidecars[1].files[0].from must be what the volume 'a' is of in the other container, got another one",
  ],
  [
    { files: [{ name: 'a.b', path: '/a', from: { secret: 's' } }] },
    'files[0].name must be a DNS label',
  ],
  [
    { files: [{ name: 'webhook-certificates', path: '/a', from: { secret: 's' } }] },
    "files[0].name must be a name of its own, got 'webhook-certificates' again",
  ],
  [
    { files: [{ name: 'a', path: 'a', from: { secret: 's' } }] },
    'files[0].path must be the path of a folder',
  ],
  [
    {
      files: [
        { name: 'a', path: '/a', from: { secret: 's' } },
        { name: 'b', path: '/a', from: { secret: 's' } },
      ],
    },
    "files[1].path must be a path of its own, got '/a' again",
  ],
  [
    { files: [{ name: 'a', path: '/a', from: { secret: 'S' } }] },
    'files[0].from.secret must be a DNS subdomain',
  ],
  [
    { files: [{ name: 'a', path: '/a', from: { configMap: 'S' } }] },
    'files[0].from.configMap must be a DNS subdomain',
  ],
  [
    { files: [{ name: 'a', path: '/a', from: { emptyDir: { sizeLimit: 'big' } } }] },
    'files[0].from.emptyDir.sizeLimit must be a quantity',
  ],
  [{ priorityClass: 'A' }, 'priorityClass must be a DNS subdomain'],
  [{ podAnnotations: { 'a b': 'c' } }, 'podAnnotations["a b"] must have a name'],
  [
    { nodeSelector: { 'kubernetes.io/os': 'windows' } },
    `nodeSelector["kubernetes.io/os"] must be 'linux', or be left out, got 'windows'`,
  ],
  [{ probes: { startup: 0 } }, 'probes.startup must be a whole number of seconds of at least 1'],
  [
    { environment: { A: { resource: 'limits.cpu', divisor: '1Mi' } } },
    "environment.A.divisor must be one of 1m, 1, got '1Mi'",
  ],
  [
    { files: [{ name: 'a', path: '/a', from: { token: { audience: '' } } }] },
    'files[0].from.token.audience must say whom the token is for, got an empty text',
  ],
  [
    { files: [{ name: 'a', path: '/a', from: { token: { audience: 'a', lifetime: 599 } } }] },
    'files[0].from.token.lifetime must be a whole number of seconds from 600 to 4294967296, got 599',
  ],
  [
    { tolerations: [{ operater: 'Exists' }] as unknown as [] },
    "tolerations[0].operater must be a known field, got 'operater'; did you mean 'operator'?",
  ],
  [
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'a/b/c', whenUnsatisfiable: 'ScheduleAnyway' },
      ],
    },
    'topologySpreadConstraints[0].topologyKey must be a name of letters',
  ],
  [
    { tolerations: [{ effect: 'NoSchedule' }] },
    "tolerations[0].operator must be 'Exists' without a key, which tolerates every taint, got 'Equal'",
  ],
  [
    {
      topologySpreadConstraints: [
        most.topologySpreadConstraints![0]!,
        { ...most.topologySpreadConstraints![0]!, maxSkew: 3 },
      ],
    },
    "topologySpreadConstraints[1].topologyKey must be unique for its whenUnsatisfiable, got 'topology.kubernetes.io/zone' again",
  ],
  [{ imagePullSecrets: ['A'] }, 'imagePullSecrets[0] must be a DNS subdomain'],
  [
    { imagePullSecrets: ['a', 'b', 'a'] },
    "imagePullSecrets[2] must be a name of its own, got 'a' again",
  ],
  [{ gracePeriod: 0 }, 'gracePeriod must be a whole number of seconds of at least 1, got 0'],
  [{ metrics: { port: 80 } }, 'metrics.port must be a port from 1024 to 65535, got 80'],
  [
    { metrics: { port: 8081 } },
    'probes.port must be a port of its own, got 8081, which is that of metrics',
  ],
  [{ metrics: { path: 'metrics' } }, "metrics.path must be a path from '/' on, got 'metrics'"],
  [
    { ports: [{ name: 'Web', port: 9000 }] },
    "ports[0].name must be a name of at most 15 lower-case letters, digits and single '-', got 'Web'",
  ],
  [
    { ports: [{ name: 'metrics', port: 9000 }] },
    "ports[0].name must be a name of its own, got 'metrics' again",
  ],
  [{ probes: { port: 'web' } }, "probes.port must be a declared port (one of metrics), got 'web'"],
  [
    { probes: { port: 'web' }, metrics: false },
    "probes.port must be a declared port (none is declared), got 'web'",
  ],
  [{ probes: { live: 'live' } }, "probes.live must be a path from '/' on, got 'live'"],
  [
    { network: { apiServerPorts: [0] } },
    'network.apiServerPorts[0] must be a port from 1 to 65535, got 0',
  ],
  [
    { network: { dnsPorts: [70_000] } },
    'network.dnsPorts[0] must be a port from 1 to 65535, got 70000',
  ],
  [
    { network: { destinations: [{ ports: [] }] } },
    'network.destinations[0].ports must name ports, got an empty list: that is all of them',
  ],
  [
    { network: { destinations: [{ ports: [1], to: [] }] } },
    'network.destinations[0].to must name peers or be left out, got an empty list',
  ],
  [
    { network: { destinations: [{ ports: [1], to: [{}] }] } },
    'network.destinations[0].to[0] must have a peer, got an empty one',
  ],
  [
    { network: { monitoring: [{ ipBlock: { cidr: '10.1.2.3/16' } }] } },
    "network.monitoring[0].ipBlock.cidr must be a block of addresses such as '10.0.0.0/8', beginning at its first address, got '10.1.2.3/16'; did you mean '10.1.0.0/16'?",
  ],
  [
    { network: { dns: [{ podSelector: { matchLabels: { app: 'a b' } } }] } },
    'network.dns[0].podSelector.matchLabels.app must be a label value',
  ],
  [
    { network: { clients: [{ from: [], ports: ['metrics'] }] } },
    'network.clients[0].from must name peers, got an empty list: that is everybody',
  ],
  [
    { network: { clients: [{ from: [{}], ports: ['metrics'] }] } },
    'network.clients[0].from[0] must have a peer, got an empty one',
  ],
  [
    { network: { clients: [{ from: [{ podSelector: {} }], ports: [] }] } },
    'network.clients[0].ports must name ports, got an empty list: that is all of them',
  ],
  [
    { network: { clients: [{ from: [{ podSelector: {} }], ports: ['grcp'] }] } },
    "network.clients[0].ports[0] must be a declared port (one of metrics, health), got 'grcp'",
  ],
  [{ webhooks }, 'webhooks must contain a webhook, got none; leave the field out without webhooks'],
  [
    { webhooks: { certificates: { issuer: { name: 'A' } }, validating: [asked] } },
    'webhooks.certificates.issuer.name must be a DNS subdomain',
  ],
  [
    { webhooks: { ...webhooks, conversion: [{ kind: shop }] } },
    "webhooks.conversion[0].kind must be one of owned, got 'shops.example.com'",
  ],
  [
    { owned: [shop], webhooks: { ...webhooks, conversion: [{ kind: shop }, { kind: shop }] } },
    "webhooks.conversion[1].kind must be named once, got 'shops.example.com' again",
  ],
  [
    validating({ ...asked, name: 'owners' }),
    "webhooks.validating[0].name must be a DNS name with two dots or more, such as 'owners.shops.example.com', got 'owners'",
  ],
  [
    validating(asked, asked),
    "webhooks.validating[1].name must be a name of its own, got 'owners.shops.example.com' again",
  ],
  [
    validating({ ...asked, path: 'x' }),
    "webhooks.validating[0].path must be a path from '/' on, got 'x'",
  ],
  [
    validating({ ...asked, timeout: 31 }),
    'webhooks.validating[0].timeout must be a whole number of seconds from 1 to 30, got 31',
  ],
  [
    validating({ ...asked, rules: [] }),
    'webhooks.validating[0].rules must name the requests that it handles, got an empty list',
  ],
  [
    validating({ ...asked, rules: [{ ...rule, operations: [] }] }),
    'webhooks.validating[0].rules[0].operations must not be an empty list',
  ],
  [
    validating({ ...asked, rules: [{ ...rule, resources: ['*'] }] }),
    "webhooks.validating[0].rules[0].resources must name each of them, got '*': while the operator does not answer, no matching object could be written",
  ],
  [
    { webhooks: { ...webhooks, port: 443, mutating: [asked] } },
    'webhooks.port must be a port from 1024 to 65535, got 443',
  ],
];

test.each(refused)('an operator with %j is refused for exactly that reason', (what, message) => {
  const found = collectErrors({ ...least, ...what });
  expect(found).toHaveLength(1);
  expect(found[0]!.startsWith(message)).toBe(true);
});

test('all errors are reported at once', () => {
  const wrong = { ...least, name: 'A', image: 'a', replicas: -1, probes: { live: 'x' } };
  expect(collectErrors(wrong).map((one) => one.split(' ')[0])).toEqual([
    'name',
    'image',
    'replicas',
    'probes.live',
  ]);
});

const fine: readonly Partial<OperatorSpec>[] = [
  {},
  most,
  { image: 'redis:7' },
  { image: `redis@sha256:${'a'.repeat(64)}` },
  { image: `registry.example.com:5000/a/b:latest@sha256:${'a'.repeat(64)}` },
  { version: '1.2.3-rc.1' },
  { replicas: 0, leaderElection: 'None' },
  { metrics: { port: 65_535 }, ports: [{ name: 'a', port: 1024 }] },
  { resources: { requests: { cpu: '1' }, limits: { cpu: '1000m' } } },
  { name: 'a'.repeat(54), ...validating(asked) },
  { probes: { port: 'metrics' } },
  validating({ ...asked, timeout: 30 }),
  validating({ ...asked, failurePolicy: 'Ignore', rules: [{ ...rule, resources: ['*'] }] }),
  { network: { destinations: [{ ports: [1, 65_535] }] } },
  { environment: { WATCH_NAMESPACE: 'a' } },
  {
    watch: { mode: 'OwnNamespace' },
    access: [{ group: 'a.example.com', resource: 'boxes', verbs: ['get'], namespaces: ['a'] }],
  },
];

test.each(fine)('an operator with %j is accepted', (what) => {
  expect(collectErrors({ ...least, ...what })).toEqual([]);
});

test('a spec is rendered to the same bytes each time', () => {
  const text = JSON.stringify(objectsOfSpec(most));
  expect(JSON.stringify(objectsOfSpec({ ...most }))).toBe(text);
});
