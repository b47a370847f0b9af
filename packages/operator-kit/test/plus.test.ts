import { expect, test } from '@jest/globals';
import { Chart, JsonPatch, Testing } from 'cdk8s';
import * as plus from 'cdk8s-plus-28';
import fc from 'fast-check';
import { Operator } from '../operator.ts';
import type { OperatorSpec } from '../parts/spec.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { operatorSpec } from '@tenantry/test-tools/constructs/arbitrary-operator';
import {
  least,
  most,
  objectsOfSpec,
  type Fields,
} from '@tenantry/test-tools/constructs/operator-specs';

const chart = (): Chart => new Chart(Testing.app(), 'test');

const rendered = (scope: Chart): Fields[] => Testing.synth(scope) as Fields[];

const ofKind = (objects: readonly Fields[], kind: string): Fields =>
  objects.find((one) => one['kind'] === kind)!;

test('without cdk8s-plus each object is an ApiObject, under its key and in order', () => {
  const scope = chart();
  const operator = new Operator(scope, 'operator', most);
  expect(rendered(scope)).toEqual(Object.values(objectsOfSpec(most)));
  expect(operator.node.children.map(({ node }) => node.id)).toEqual(
    Object.keys(objectsOfSpec(most)),
  );
  operator.deployment.addJsonPatch(JsonPatch.replace('/spec/replicas', 7));
  expect(ofKind(rendered(scope), 'Deployment')['spec'].replicas).toBe(7);
  expect(operator.webhookService?.name).toBe('shops-webhooks');
  expect(operator.clusterRole?.name).toBe('shops');
  expect([...operator.roles.keys()]).toEqual(['shops-system', 'vault']);
  const small = new Operator(chart(), 'operator', { ...least, metrics: false });
  expect([small.metricsService, small.webhookService, small.clusterRole]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

/** Fields that cdk8s-plus adds, and that the API server would default to the same values. */
const defaults: readonly (readonly [path: string, value: unknown])[] = [
  ['spec/minReadySeconds', 0],
  ['spec/progressDeadlineSeconds', 600],
  ['spec/template/spec/restartPolicy', 'Always'],
  ['spec/template/spec/dnsPolicy', 'ClusterFirst'],
  ['spec/template/spec/hostNetwork', false],
  ['spec/template/spec/setHostnameAsFQDN', false],
  ...[0, 1, 2].map(
    (i) => [`spec/template/spec/containers/${i}/imagePullPolicy`, 'IfNotPresent'] as const,
  ),
  ['spec/template/metadata/labels/cdk8s.io~1metadata.addr', undefined],
  ['spec/type', 'ClusterIP'],
  ['spec/externalIPs', []],
];

/** Removes fields with default values from an object. */
function plain(object: Fields): Fields {
  const copy = structuredClone(object);
  for (const [path, value] of defaults) {
    const parts = path.split('/').map((part) => part.replaceAll('~1', '/'));
    const last = parts.pop()!;
    const at = parts.reduce<Fields | undefined>((one, part) => one?.[part], copy);
    if (!at || !(last in at)) continue;
    if (value !== undefined) expect(at[last]).toEqual(value);
    delete at[last];
  }
  if (copy['rules']) copy['rules'] = linesOf(copy['rules']);
  for (const subject of copy['subjects'] ?? [])
    if (subject.apiGroup === '') delete subject.apiGroup;
  const ports = copy['kind'] === 'Service' ? copy['spec'].ports : [];
  for (const port of ports) delete port.targetPort;
  return copy;
}

const linesOf = (rules: readonly Fields[]): string[] =>
  rules
    .flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      apiGroups.flatMap((group: string) =>
        resources.flatMap((resource: string) =>
          // An empty list means all names.
          (resourceNames?.length > 0 ? resourceNames : ['']).flatMap((name: string) =>
            verbs.map((verb: string) => `${verb} ${resource}.${group} ${name}`),
          ),
        ),
      ),
    )
    .toSorted();

const bothWays = (spec: OperatorSpec): [Fields[], Fields[]] => {
  const scope = chart();
  new Operator(scope, 'operator', { ...spec, plus });
  return [rendered(scope).map(plain), Object.values(objectsOfSpec(spec)).map(plain)];
};

test('with cdk8s-plus the objects are equivalent, in the same order', () => {
  const [made, expected] = bothWays(most);
  expect(made).toEqual(expected);
  fc.assert(
    fc.property(operatorSpec, (spec) => {
      const [one, other] = bothWays(spec);
      expect(one).toEqual(other);
    }),
    runs(60),
  );
});

test('Services of cdk8s-plus target the ports of the container', () => {
  const scope = chart();
  new Operator(scope, 'operator', { ...most, plus });
  const services = rendered(scope).filter(({ kind }) => kind === 'Service');
  const ports = services.flatMap(({ spec }) => spec.ports);
  expect(ports).toEqual([
    { name: 'metrics', port: 9090, targetPort: 9090 },
    { name: 'webhooks', port: 443, targetPort: 9443 },
  ]);
});

test('the objects are constructs of cdk8s-plus, and changes by their methods are rendered', () => {
  const scope = chart();
  const operator = new Operator(scope, 'operator', { ...most, plus });
  const { deployment, serviceAccount, roles } = operator;
  expect(deployment).toBeInstanceOf(plus.Deployment);
  expect(serviceAccount).toBeInstanceOf(plus.ServiceAccount);
  const child = (id: string) => operator.node.findChild(id);
  expect(child('cluster-role')).toBeInstanceOf(plus.ClusterRole);
  expect(child('cluster-role-binding')).toBeInstanceOf(plus.ClusterRoleBinding);
  expect(child('role-vault')).toBeInstanceOf(plus.Role);
  expect(child('rolebinding-vault')).toBeInstanceOf(plus.RoleBinding);
  expect(child('webhook-service')).toBeInstanceOf(plus.Service);
  deployment.podMetadata.addLabel('team', 'caches');
  deployment.containers[0]!.env.addVariable('MORE', plus.EnvValue.fromValue('1'));
  const volume = plus.Volume.fromEmptyDir(scope, 'more', 'more');
  deployment.containers[0]!.mount('/more', volume);
  deployment.containers[1]!.env.addVariable('MORE', plus.EnvValue.fromValue('2'));
  const more = plus.ConfigMap.fromConfigMapName(scope, 'more-variables', 'more');
  deployment.containers[1]!.env.copyFrom(plus.Env.fromConfigMap(more));
  deployment.addContainer({ name: 'side', image: 'side:1' });
  roles.get('vault')!.allowRead(plus.ApiResource.CONFIG_MAPS);
  operator.clusterRole!.allowList(plus.ApiResource.NODES);
  operator.webhookService!.bind(8443, { name: 'more' });
  const objects = rendered(scope);
  const { template } = ofKind(objects, 'Deployment')['spec'];
  expect(template.metadata.labels).toMatchObject({ team: 'caches', 'example.com/tier': 'control' });
  expect(template.spec.containers[0]).toMatchObject({
    env: expect.arrayContaining([{ name: 'MORE', value: '1' }]),
    volumeMounts: expect.arrayContaining([{ name: 'more', mountPath: '/more' }]),
    securityContext: { capabilities: { drop: ['ALL'] } },
    resources: most.resources,
  });
  const [, proxy, ...rest] = template.spec.containers as readonly Fields[];
  expect(proxy).toMatchObject({
    name: 'proxy',
    env: expect.arrayContaining([{ name: 'MORE', value: '2' }]),
    envFrom: [
      { configMapRef: { name: 'proxy', optional: true } },
      { prefix: 'P_', secretRef: { name: 'proxy' } },
      { configMapRef: { name: 'more' } },
    ],
  });
  expect(rest.map(({ name }) => name as string)).toEqual(['logs', 'side']);
  const volumes = new Map(template.spec.volumes.map((one: Fields) => [one['name'], one]));
  expect([...volumes.keys()]).toContain('more');
  expect(volumes.get('cache')).toEqual({ name: 'cache', emptyDir: { sizeLimit: '1Gi' } });
  expect(volumes.get('vault')).toMatchObject({ projected: { sources: [{}] } });
  expect(template.spec.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
  expect(linesOf(ofKind(objects, 'ClusterRole')['rules'])).toContain('list nodes. ');
  expect(JSON.stringify(objects)).toContain('"port":8443');
});

test('selectors of cdk8s-plus use the name of the operator, and not the path of the construct', () => {
  const selectorIn = (id: string): unknown => {
    const scope = chart();
    const { deployment } = new Operator(scope, id, { ...least, plus });
    deployment.exposeViaService({ name: 'more', ports: [{ port: 8080 }] });
    const service = rendered(scope).find(({ metadata }) => metadata.name === 'more');
    return service!['spec'].selector;
  };
  expect(selectorIn('one')).toEqual({ 'cdk8s.io/metadata.addr': 'shops' });
  expect(selectorIn('two')).toEqual(selectorIn('one'));
});

const ofTree = (scope: Chart): string[] =>
  scope.node.findAll().flatMap((one) => one.node.validate());

test.each([[undefined], [plus]])(
  'all errors of operators are reported at synthesis, at once',
  (module) => {
    const scope = chart();
    const access = [{ group: '', resource: '*', verbs: ['get' as const] }];
    const wrong = { ...least, name: 'A', access, ...(module && { plus: module }) };
    new Operator(scope, 'one', wrong);
    new Operator(scope, 'other', { ...least, image: 'a', ...(module && { plus: module }) });
    expect(ofTree(scope).map((message) => message.split(' ')[0])).toEqual([
      'name',
      'access[0]',
      'image',
    ]);
    new Operator(scope, 'fine', { ...least, ...(module && { plus: module }) });
    expect(ofTree(scope)).toHaveLength(3);
  },
);

test("what cdk8s-plus itself refuses is reported with Tenantry's message", () => {
  const ports = [{ name: 'a', port: 8080 }];
  expect(() => new Operator(chart(), 'operator', { ...least, ports, plus })).toThrow(
    'ports[0].port must be a port of its own, got 8080, which is that of metrics',
  );
});
