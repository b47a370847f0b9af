import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allowsToleration } from '../../model/classes/allowances.ts';
import type { Concern } from '../../model/ownership.ts';
import { buildAdoptionPolicy } from '../../model/policies/ownership.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { ofKind, collectFindings, type Given } from './given.ts';
import { refusal, refusalBy, type Asked, type PolicySpec } from './policy-request.ts';

const namespaceOf = (given: Given = {}) => ofKind(given, 'Namespace')[0]!;
const evaluatePolicy = (concern: Concern, asked: Asked, given?: Given) =>
  refusal(concern, namespaceOf(given), asked);
const of = (apiVersion: string, kind: string, more: object): Asked['object'] =>
  ({ apiVersion, kind, metadata: { name: 'own' }, ...more }) as Asked['object'];
const pod = (spec: object, metadata: object = {}): Asked => ({
  object: of('v1', 'Pod', { metadata, spec }),
});
const tolerating = (...tolerations: object[]): Asked => pod({ tolerations });

const everything = { operator: 'Exists' };
const controlPlane = { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' };
const daemons = { user: 'system:serviceaccount:kube-system:daemon-set-controller' };

test.each<[what: string, asked: Asked, refused?: string]>([
  ['no taint', pod({})],
  ['every taint', tolerating(everything), '(none), got *'],
  ['the control plane', tolerating(controlPlane), 'got node-role.kubernetes.io/control-plane'],
  [
    'the nodes of another tenant',
    tolerating({ key: 'dedicated', value: 'victim', effect: 'NoSchedule' }),
    'got dedicated=victim',
  ],
  [
    'what the API server fills in',
    tolerating(
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists' },
    ),
  ],
  ['cordoned nodes', tolerating({ key: 'node.kubernetes.io/unschedulable' }), 'unschedulable'],
])('a pod tolerates %s', (...[, asked, refused]) => {
  const message = evaluatePolicy('pods', asked);
  if (refused === undefined) expect(message).toBeUndefined();
  else expect(message).toContain(refused);
});

test('a toleration that the DaemonSet controller adds is accepted only for pods of a DaemonSet', () => {
  const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }];
  const ownedBy = (kind: string) => ({ ownerReferences: [{ kind, controller: true }] });
  const made = (kind: string) => pod({ tolerations }, ownedBy(kind));
  expect(evaluatePolicy('pods', { ...made('DaemonSet'), ...daemons })).toBeUndefined();
  expect(evaluatePolicy('pods', { ...made('ReplicaSet'), ...daemons })).toContain(
    'got node.kubernetes.io',
  );
  expect(evaluatePolicy('pods', made('DaemonSet'))).toContain('got node.kubernetes.io');
  const all = pod({ tolerations: [everything] }, ownedBy('DaemonSet'));
  expect(evaluatePolicy('pods', { ...all, ...daemons })).toContain('got *');
});

test('a toleration added to a pending pod is checked, and its earlier tolerations are not', () => {
  const before = { oldObject: { metadata: {}, spec: { tolerations: [everything] } } };
  const added = { ...tolerating(everything, controlPlane), ...before };
  expect(evaluatePolicy('pods', added)).toContain('got node-role.kubernetes.io/control-plane');
  expect(evaluatePolicy('pods', { ...tolerating(everything), ...before })).toBeUndefined();
});

test('the grace period of a pod is at most an hour, or what the class sets', () => {
  const ending = (terminationGracePeriodSeconds: number) => pod({ terminationGracePeriodSeconds });
  expect(evaluatePolicy('pods', ending(3600))).toBeUndefined();
  expect(evaluatePolicy('pods', ending(3601))).toContain('at most 3600, got 3601');
  const klass = { ceilings: { terminationSeconds: 7200 } };
  expect(evaluatePolicy('pods', ending(7200), { klass })).toBeUndefined();
  expect(evaluatePolicy('pods', ending(7201), { klass })).toContain('at most 7200, got 7201');
});

const opened = fc.uniqueArray(
  fc.oneof(
    fc.record({ key: fc.constantFrom('a', 'b', 'e.com/a', 'e.com/*', '*') }),
    fc.record({
      key: fc.constantFrom('a', 'e.com/*'),
      values: fc.uniqueArray(fc.constantFrom('x', 'y', ''), { minLength: 1, maxLength: 2 }),
    }),
  ),
  { maxLength: 3, selector: (one) => JSON.stringify(one) },
);
const toleration = fc.record(
  {
    key: fc.constantFrom('', 'a', 'b', 'e.com/a', 'e.com/b', 'node.kubernetes.io/not-ready'),
    operator: fc.constantFrom('Exists', 'Equal'),
    value: fc.constantFrom('x', 'y', ''),
  },
  { requiredKeys: [] },
);

test('admission and rendering accept the same tolerations', () => {
  fc.assert(
    fc.property(opened, toleration, (tolerations, one) => {
      const klass: TenantClassSpec = { allow: { tolerations } };
      const may = evaluatePolicy('pods', tolerating(one), { klass }) === undefined;
      expect(may).toBe(allowsToleration(klass, one));
      const spec = { containers: [{ name: 'a', image: 'a' }], tolerations: [one] };
      const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
      const found = collectFindings({ klass, tenant: { resources: [{ manifest }] } });
      expect(!found.some((text) => text.includes('must tolerate'))).toBe(may);
    }),
    runs(100),
  );
});

const budget = (spec: object): Asked => ({
  object: of('policy/v1', 'PodDisruptionBudget', {
    spec: { selector: { matchLabels: { app: 'own' } }, ...spec },
  }),
});

// The same table as for the field: test/constructs/workload.test.ts.
test.each<[spec: object, refused?: string]>([
  [{ minAvailable: 1 }],
  [{ minAvailable: '50%' }],
  [{ maxUnavailable: '100%' }],
  [{}],
  [{ maxUnavailable: 0 }, 'at least one pod be evicted, or no node can ever be drained, got maxU'],
  [{ maxUnavailable: '0%' }, 'at least one pod'],
  [{ maxUnavailable: '00%' }, 'at least one pod'],
  [{ minAvailable: '100%' }, 'got minAvailable 100%'],
  [{ minAvailable: '0100%' }, 'got minAvailable 0100%'],
  [{ minAvailable: 49 }],
  [{ minAvailable: 50 }, 'got minAvailable 50, where there are at most 50 pods'],
  [{ minAvailable: '98%' }],
  [{ minAvailable: '99%' }, 'got minAvailable 99%, where there are at most 50 pods'],
  [{ minAvailable: 1, selector: {} }, 'must select some pods by label'],
  [{ minAvailable: 1, selector: { matchLabels: {} } }, 'must select some pods by label'],
])('a disruption budget of a user with %j', (...[spec, refused]) => {
  const message = evaluatePolicy('disruptionBudgets', budget(spec));
  if (refused === undefined) expect(message).toBeUndefined();
  else expect(message).toContain(refused);
});

const declared: Given = {
  tenant: {
    disruptionBudgets: [
      { name: 'web', selector: { matchLabels: { app: 'web', tier: 'front' } }, minAvailable: 1 },
    ],
    resources: [
      {
        manifest: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'api' },
          spec: {
            selector: { matchLabels: { app: 'api' } },
            template: {
              metadata: { labels: { app: 'api', tier: 'back' } },
              spec: { containers: [{ name: 'api', image: 'example.com/api:1' }] },
            },
          },
        },
      },
    ],
  },
};
const requirement = (key: string, operator: string, ...values: string[]) => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
});

test.each<[selector: object, refused: boolean]>([
  [{ matchLabels: { app: 'own' } }, false],
  [{ matchLabels: { app: 'api' } }, true],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [requirement('app', 'In', 'own', 'api'), true],
  [requirement('app', 'In', 'own'), false],
  [requirement('tier', 'Exists'), true],
  [requirement('zone', 'Exists'), false],
  [requirement('app', 'NotIn', 'own'), true],
  [requirement('app', 'NotIn', 'web', 'api'), false],
  [requirement('zone', 'DoesNotExist'), true],
  [requirement('app', 'DoesNotExist'), false],
])('a budget that selects %j, beside declared pods and budgets', (selector, refused) => {
  const message = evaluatePolicy(
    'disruptionBudgets',
    budget({ minAvailable: 1, selector }),
    declared,
  );
  if (refused)
    expect(message).toContain('must select no pods that the platform declares, got app=');
  else expect(message).toBeUndefined();
});

const scaling = (apiVersion: string, kind: string, field: string, target: object): Asked => ({
  object: of(apiVersion, kind, { spec: { [field]: target } }),
});
const api = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' };

test.each<[apiVersion: string, kind: string, field: string, target: object]>([
  ['autoscaling/v2', 'HorizontalPodAutoscaler', 'scaleTargetRef', api],
  ['autoscaling/v1', 'HorizontalPodAutoscaler', 'scaleTargetRef', api],
  ['autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', 'targetRef', api],
  ['keda.sh/v1alpha1', 'ScaledObject', 'scaleTargetRef', api],
  ['keda.sh/v1alpha1', 'ScaledObject', 'scaleTargetRef', { name: 'api' }],
  ['argoproj.io/v1alpha1', 'Rollout', 'workloadRef', api],
  ['flagger.app/v1beta1', 'Canary', 'targetRef', api],
])('%s %s must not scale declared objects', (apiVersion, kind, field, target) => {
  const asked = scaling(apiVersion, kind, field, target);
  const words =
    'must not scale what the platform declares in this namespace, got Deployment.apps api';
  expect(evaluatePolicy('names', asked, declared)).toContain(words);
  const changed = { ...asked, oldObject: { metadata: { name: 'own' }, spec: {} } };
  expect(evaluatePolicy('names', changed, declared)).toContain(words);
  const own = scaling(apiVersion, kind, field, { ...target, name: 'own' });
  expect(evaluatePolicy('names', own, declared)).toBeUndefined();
  const other = scaling(apiVersion, kind, field, { ...target, kind: 'StatefulSet' });
  expect(evaluatePolicy('names', other, declared)).toBeUndefined();
});

const victim = { labels: { 'tenantry.dev/tenant': 'victim' } };
const forged = { annotations: { 'policy.tenantry.dev/names': 'x' } };
const ordinary = { labels: { app: 'a', 'app.kubernetes.io/name': 'a' }, annotations: { a: 'b' } };
const claimTemplates = (metadata: object) => ({ volumeClaimTemplates: [{ metadata }] });
const volume = (metadata: object) => ({
  volumes: [{ name: 'a' }, { name: 'b', ephemeral: { volumeClaimTemplate: { metadata } } }],
});

test.each<[apiVersion: string, kind: string, make: (metadata: object) => object]>([
  ['apps/v1', 'Deployment', (metadata) => ({ spec: { template: { metadata } } })],
  ['apps/v1', 'StatefulSet', (metadata) => ({ spec: claimTemplates(metadata) })],
  ['apps/v1', 'DaemonSet', (metadata) => ({ spec: { template: { spec: volume(metadata) } } })],
  ['batch/v1', 'Job', (metadata) => ({ spec: { template: { metadata } } })],
  ['batch/v1', 'CronJob', (metadata) => ({ spec: { jobTemplate: { metadata } } })],
  [
    'batch/v1',
    'CronJob',
    (metadata) => ({ spec: { jobTemplate: { spec: { template: { metadata } } } } }),
  ],
  ['v1', 'PodTemplate', (metadata) => ({ template: { metadata } })],
  ['v1', 'Pod', (metadata) => ({ spec: volume(metadata) })],
  ['v1', 'ReplicationController', (metadata) => ({ spec: { template: { metadata } } })],
  ['resource.k8s.io/v1', 'ResourceClaimTemplate', (metadata) => ({ spec: { metadata } })],
])('no template of %s %s may have keys of Tenantry (%#)', (apiVersion, kind, make) => {
  const asked = (metadata: object): Asked => ({ object: of(apiVersion, kind, make(metadata)) });
  const words = 'a template must have no labels or annotations of Tenantry';
  expect(evaluatePolicy('templates', asked(victim))).toContain(
    `${words}, which a controller would copy, got`,
  );
  expect(evaluatePolicy('templates', asked(forged))).toContain('got policy.tenantry.dev/names');
  expect(evaluatePolicy('templates', asked(ordinary))).toBeUndefined();
});

test("a controller cannot create objects that look like the platform's", () => {
  const by = {
    user: 'system:serviceaccount:kube-system:statefulset-controller',
    groups: ['system:serviceaccounts:kube-system'],
  };
  for (const kind of ['PersistentVolumeClaim', 'Pod']) {
    const asked = { object: of('v1', kind, { metadata: victim, spec: {} }), ...by };
    expect(evaluatePolicy('templates', asked)).toContain(
      'must not have the label tenantry.dev/tenant',
    );
    const later = { ...asked, oldObject: asked.object };
    expect(evaluatePolicy('templates', later)).toBeUndefined();
    const plain = { object: of('v1', kind, { metadata: ordinary, spec: {} }), ...by };
    expect(evaluatePolicy('templates', plain)).toBeUndefined();
  }
});

const adoption = (platform = {}): PolicySpec => {
  const [policy] = buildAdoptionPolicy(resolvePlatform(platform));
  return (policy as unknown as { spec: PolicySpec }).spec;
};
const namespace = (labels?: Record<string, string>) => ({
  metadata: { name: 'billing', ...(labels && { labels }) },
});
const asNamespace = {
  kind: { group: '', kind: 'Namespace' },
  name: 'billing',
  namespace: 'billing',
};
const adopts = (
  before: Record<string, string> | undefined | null,
  after: Record<string, string>,
  platform = {},
) =>
  refusalBy(adoption(platform), {
    object: namespace(after),
    oldObject: before === null ? null : namespace(before),
    request: { ...asNamespace, operation: before === null ? 'CREATE' : 'UPDATE' },
    namespaceObject: null,
  });
const ofPay = { 'tenantry.dev/tenant': 'pay' };

test("an existing namespace becomes a tenant's only after it was released", () => {
  expect(adopts(null, ofPay)).toBeUndefined();
  expect(adopts(undefined, ofPay)).toContain(
    "namespace billing exists and is no tenant's: release it to tenant pay with the label tenantry.dev/adopt-by=pay",
  );
  expect(adopts({ team: 'x' }, ofPay)).toContain("is no tenant's");
  expect(adopts({ 'tenantry.dev/adopt-by': 'pay' }, ofPay)).toBeUndefined();
  expect(adopts({ 'tenantry.dev/adopt-by': 'shop' }, ofPay)).toContain("is no tenant's");
  // A release label in the request itself has no effect.
  expect(adopts({}, { ...ofPay, 'tenantry.dev/adopt-by': 'pay' })).toContain("is no tenant's");
  expect(adopts({}, ofPay, { releasedNamespaces: ['billing'] })).toBeUndefined();
  expect(adopts({}, ofPay, { releasedNamespaces: ['bill'] })).toContain("is no tenant's");
});

test('a namespace moves to another tenant only by its label, whatever the platform releases', () => {
  const released = { releasedNamespaces: ['billing'] };
  const ofShop = { 'tenantry.dev/tenant': 'shop' };
  expect(adopts(ofShop, ofPay, released)).toContain("exists and is tenant shop's");
  expect(adopts({ ...ofShop, 'tenantry.dev/adopt-by': 'pay' }, ofPay)).toBeUndefined();
  expect(adopts(ofPay, { ...ofPay, team: 'x' })).toBeUndefined();
});

test("an object of a tenant must be in a namespace of the tenant, or in Argo CD's", () => {
  const object = { metadata: { name: 'a', labels: ofPay } };
  const put = (
    home: Record<string, string> | undefined,
    more = {},
    oldObject: object | null = null,
  ) =>
    refusalBy(adoption({ argocd: { namespace: 'gitops' } }), {
      object,
      oldObject,
      request: {
        kind: { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
        namespace: 'billing',
        name: 'a',
        operation: oldObject ? 'UPDATE' : 'CREATE',
        ...more,
      },
      namespaceObject: namespace(home),
    });
  expect(put(ofPay)).toBeUndefined();
  expect(put(undefined)).toContain(
    "an object of tenant pay must be in a namespace of the tenant, got billing, which is no tenant's",
  );
  expect(put({ 'tenantry.dev/tenant': 'shop' })).toContain("which is tenant shop's");
  expect(put({}, { namespace: 'gitops' })).toBeUndefined();
  expect(put({}, { namespace: '' })).toBeUndefined();
  expect(put({}, {}, object)).toBeUndefined();
  expect(put({}, {}, { metadata: { name: 'a' } })).toContain(
    'must be in a namespace of the tenant',
  );
});
