import { expect, test } from '@jest/globals';
import { servedCatalog } from '../../live-cluster/catalog-objects.ts';
import { chooseGroup, readMode, type GivenGroup } from '../../live-cluster/install-mode.ts';
import {
  renderCatalog,
  canUpgradeFrom,
  type RunnableBundle,
} from '../../live-cluster/runnable-bundle.ts';
import { decideNextStep, type InstallObservation } from '../../live-cluster/install-progress.ts';
import type { Free } from '../rules/definition.ts';

const bundle: RunnableBundle = {
  package: 'redis',
  name: 'redis.v1.1.0',
  version: '1.1.0',
  channel: 'stable',
  installModes: ['OwnNamespace', 'SingleNamespace'],
  replaces: 'redis.v1.0.0',
  skips: ['redis.v1.0.1'],
  skipRange: '>=0.5.0 <0.9.0',
  blob: { schema: 'olm.bundle', name: 'redis.v1.1.0', package: 'redis', image: '', properties: [] },
};

test.each([
  ['redis.v1.0.0', '1.0.0', true],
  ['redis.v1.0.1', '1.0.1', true],
  ['redis.v0.6.0', '0.6.0', true],
  ['redis.v0.9.0', '0.9.0', false],
  ['redis.v0.4.0', '', false],
])('%s is led on or not', (name, version, leads) => {
  expect(canUpgradeFrom(bundle, { name, version })).toBe(leads);
});

test('a catalog without an image holds the bundle itself, and one with an image names it', () => {
  const [head = '', blob = ''] = renderCatalog(bundle, 'fast');
  expect(head.split('\n').map((line) => JSON.parse(line) as object)).toEqual([
    { schema: 'olm.package', name: 'redis', defaultChannel: 'fast' },
    {
      schema: 'olm.channel',
      name: 'fast',
      package: 'redis',
      entries: [
        {
          name: 'redis.v1.1.0',
          replaces: 'redis.v1.0.0',
          skips: ['redis.v1.0.1'],
          skipRange: '>=0.5.0 <0.9.0',
        },
      ],
    },
  ]);
  expect(JSON.parse(blob)).not.toHaveProperty('image');
  const image = 'quay.io/example/redis-bundle:v1.1.0';
  const [, pushed = ''] = renderCatalog({ ...bundle, blob: { ...bundle.blob, image } }, 'fast');
  expect(JSON.parse(pushed)).toMatchObject({ image });
});

test('the server of a catalog has another name for other content, and runs under the restricted level', () => {
  const serve = (...texts: readonly string[]) =>
    servedCatalog({
      package: 'redis',
      namespace: 'caches',
      image: 'quay.io/example/opm:v1',
      texts,
      owner: { name: 'redis-catalog', uid: '1' },
      pullSecrets: ['pull'],
    });
  const { name, objects } = serve('a', 'b');
  expect(serve('a', 'b').name).toBe(name);
  expect(serve('ab').name).not.toBe(name);
  expect(objects.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'ConfigMap',
    'Service',
    'Deployment',
  ]);
  const owner = { kind: 'CatalogSource', name: 'redis-catalog', uid: '1' };
  for (const { metadata } of objects) {
    expect(metadata).toMatchObject({ ownerReferences: [owner], namespace: 'caches' });
  }
  expect(objects.slice(0, 2).map((one) => one['data'])).toEqual([
    { 'catalog.json': 'a' },
    { 'catalog.json': 'b' },
  ]);
  const [, , service, deployment] = objects as readonly Free[];
  const { selector, template } = deployment.spec;
  expect(service.spec.selector).toEqual(selector.matchLabels);
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  const { volumes, containers, imagePullSecrets } = template.spec;
  expect(volumes.map((one: Free) => one.configMap?.name).slice(0, 2)).toEqual(
    objects.slice(0, 2).map(({ metadata }) => metadata.name),
  );
  expect(containers[0].volumeMounts.map((one: Free) => one.name)).toEqual(
    volumes.map((one: Free) => one.name),
  );
  expect(imagePullSecrets).toEqual([{ name: 'pull' }]);
  expect(objects.at(-1)).toMatchObject({
    spec: {
      template: {
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  });
});

const group = (...targetNamespaces: readonly string[]): GivenGroup => ({
  name: 'own',
  targetNamespaces,
  isSelecting: false,
});
const choose = (groups: readonly GivenGroup[], mode?: string, supported = bundle.installModes) =>
  chooseGroup({
    namespace: 'caches',
    supported,
    groups,
    wanted: mode === undefined ? undefined : readMode(mode, 'caches'),
  });

test('a matching OperatorGroup is used, and without one the widest is created', () => {
  expect(choose([group('caches')])).toEqual({ existing: 'own' });
  expect(choose([group('shop')])).toEqual({ existing: 'own' });
  expect(choose([])).toEqual({ make: { mode: 'OwnNamespace', targets: ['caches'] } });
  expect(choose([], undefined, ['AllNamespaces', 'OwnNamespace'])).toEqual({
    make: { mode: 'AllNamespaces', targets: [] },
  });
  expect(choose([], 'SingleNamespace=shop')).toEqual({
    make: { mode: 'SingleNamespace', targets: ['shop'] },
  });
  const multi = ['MultiNamespace', 'OwnNamespace'];
  expect(choose([], 'MultiNamespace=shop,bank', multi)).toEqual({
    make: { mode: 'MultiNamespace', targets: ['shop', 'bank'] },
  });
  expect(choose([group('shop', 'bank')], 'MultiNamespace=bank,shop', multi)).toEqual({
    existing: 'own',
  });
  expect(choose([group('shop', 'caches')], undefined, multi)).toEqual({ existing: 'own' });
  expect(choose([group('')], 'AllNamespaces', ['AllNamespaces'])).toEqual({ existing: 'own' });
  expect(choose([group()], 'AllNamespaces', ['AllNamespaces'])).toEqual({ existing: 'own' });
});

test('an OperatorGroup that selects by labels has unpredictable namespaces', () => {
  const selecting = { ...group(), isSelecting: true };
  expect(choose([selecting])).toEqual({ existing: 'own' });
  expect(choose([selecting], 'OwnNamespace')).toEqual({
    refusal:
      'OperatorGroup caches/own must be one of OwnNamespace, got one that selects namespaces by labels',
  });
});

test('the own namespace among several requires another mode', () => {
  const multi = ['MultiNamespace'];
  expect(choose([group('shop', 'caches')], undefined, multi)).toMatchObject({
    refusal: expect.stringContaining('got MultiNamespace and OwnNamespace (shop, caches)'),
  });
  expect(choose([], 'MultiNamespace=shop,caches', multi)).toMatchObject({
    refusal: expect.stringContaining('(MultiNamespace), got OwnNamespace'),
  });
  expect(choose([], 'SingleNamespace=caches', ['SingleNamespace'])).toMatchObject({
    refusal: expect.stringContaining('(SingleNamespace), got OwnNamespace'),
  });
});

test.each([
  [
    [group()],
    undefined,
    'OperatorGroup caches/own must be of a mode that the bundle supports (OwnNamespace, SingleNamespace), got AllNamespaces: give another --namespace',
  ],
  [
    [group('a', 'b')],
    undefined,
    'OperatorGroup caches/own must be of a mode that the bundle supports (OwnNamespace, SingleNamespace), got MultiNamespace (a, b): give another --namespace',
  ],
  [
    [group('shop')],
    'OwnNamespace',
    'OperatorGroup caches/own must be of OwnNamespace (caches), got SingleNamespace (shop): give another --namespace',
  ],
  [
    [group('shop')],
    'SingleNamespace=bank',
    'OperatorGroup caches/own must be of SingleNamespace (bank), got SingleNamespace (shop): give another --namespace',
  ],
  [
    [group('caches'), group('caches')],
    undefined,
    'namespace caches must have at most one OperatorGroup, got own, own: with several OLM installs nothing in it',
  ],
  [
    [],
    'AllNamespaces',
    '--install-mode must be one that the bundle supports (OwnNamespace, SingleNamespace), got AllNamespaces',
  ],
])(
  'an OperatorGroup that does not fit is reported, and nothing is created',
  (groups, mode, refusal) => {
    expect(choose(groups, mode)).toEqual({ refusal });
  },
);

test('a bundle that supports neither of the usual modes requires namespaces', () => {
  expect(choose([], undefined, ['MultiNamespace'])).toEqual({
    refusal:
      '--install-mode must be given, with namespaces, for a bundle that supports MultiNamespace',
  });
  expect(readMode('MultiNamespace=a', 'caches')).toBeUndefined();
  expect(readMode('AllNamespaces=a', 'caches')).toBeUndefined();
  for (const none of [
    '',
    'All',
    'OwnNamespace=a',
    'SingleNamespace',
    'SingleNamespace=a,b',
    'MultiNamespace',
    ' AllNamespaces',
    'AllNamespaces ',
    'a=b',
  ]) {
    expect([none, readMode(none, 'caches')]).toEqual([none, undefined]);
  }
  expect(readMode('MultiNamespace=a,b', 'caches')).toEqual({
    mode: 'MultiNamespace',
    targets: ['a', 'b'],
  });
});

const at = {
  name: 'x',
  namespace: 'caches',
  uid: '1',
  resourceVersion: '1',
  creationTimestamp: '',
};
const none: InstallObservation = {
  catalog: undefined,
  subscription: undefined,
  plan: undefined,
  csv: undefined,
};
const next = (seen: object) => decideNextStep(bundle.name, { ...none, ...seen } as never);
const plan = (names: readonly string[], approved: boolean, status: object = {}) => ({
  plan: { metadata: at, spec: { clusterServiceVersionNames: names, approved }, status },
});
const csv = (status: object) => ({
  csv: { metadata: { ...at, name: bundle.name }, spec: {}, status },
});

test('an InstallPlan for this bundle is approved, and one for another bundle is skipped', () => {
  expect(next(plan([bundle.name], false))).toMatchObject({ do: 'approve' });
  expect(next(plan([bundle.name, 'etcd.v1'], false))).toMatchObject({ do: 'give up' });
  expect(next(plan(['etcd.v1'], false))).toMatchObject({ do: 'wait' });
  expect(next(plan([bundle.name], true))).toMatchObject({ do: 'wait' });
  expect(next(plan([bundle.name], true, { phase: 'Failed', message: 'no right' }))).toMatchObject({
    do: 'give up',
    reasons: expect.arrayContaining(['no right']),
  });
  const lookup = (status: string) => ({
    conditions: [{ type: 'BundleLookupPending', status, message: `unpacking ${status}` }],
  });
  const status = {
    phase: 'Installing',
    conditions: [
      { type: 'Installed', status: 'False', reason: 'Denied', message: 'no right' },
      { type: 'Installed', status: 'True', reason: 'x', message: 'y' },
    ],
    bundleLookups: [lookup('True'), lookup('False'), {}],
  };
  expect(next(plan([bundle.name], true, status))).toEqual({
    do: 'wait',
    reasons: ['InstallPlan x is Installing', 'Installed Denied: no right', 'unpacking True'],
  });
  expect(next(plan([bundle.name], true))).toEqual({
    do: 'wait',
    reasons: ['InstallPlan x is approved'],
  });
});

test('missing requirements of a ClusterServiceVersion are reported, and Failed ends the wait unless OLM retries', () => {
  expect(next(csv({ phase: 'Succeeded' }))).toMatchObject({ do: 'nothing' });
  expect(next(csv({ phase: 'Failed', reason: 'InstallCheckFailed' }))).toMatchObject({
    do: 'give up',
  });
  expect(next(csv({ phase: 'Failed', reason: 'NeedsReinstall' }))).toMatchObject({ do: 'wait' });
  const requirementStatus = [
    { group: '', version: 'v1', kind: 'ServiceAccount', name: 'a', status: 'Present', message: '' },
    {
      group: '',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      name: 'b',
      status: 'NotPresent',
      message: 'CRD is not present',
    },
    {
      group: '',
      version: 'v1',
      kind: 'ServiceAccount',
      name: 'c',
      status: 'PresentNotSatisfied',
      message: 'rules are missing',
      dependents: [
        {
          group: '',
          kind: 'PolicyRule',
          version: 'v1',
          status: 'NotSatisfied',
          message: 'get pods',
        },
        { group: '', kind: 'PolicyRule', version: 'v1', status: 'Satisfied', message: 'get nodes' },
      ],
    },
  ];
  expect(next(csv({ phase: 'Pending', reason: 'RequirementsNotMet', requirementStatus }))).toEqual({
    do: 'wait',
    reasons: [
      'redis.v1.1.0 is Pending: RequirementsNotMet',
      'CustomResourceDefinition b is NotPresent: CRD is not present',
      'ServiceAccount c is PresentNotSatisfied: rules are missing; get pods',
    ],
  });
});

test('before there is an InstallPlan, the catalog and the Subscription give the reasons', () => {
  const conditions = [{ type: 'ResolutionFailed', status: 'True', message: 'no such channel' }];
  expect(next({ subscription: { metadata: at, spec: {}, status: { conditions } } })).toEqual({
    do: 'wait',
    reasons: [
      'OLM is not connected to the catalog: not tried yet',
      'ResolutionFailed: no such channel',
    ],
  });
  const catalog = { status: { connectionState: { lastObservedState: 'READY' } } };
  expect(next({ catalog })).toEqual({
    do: 'wait',
    reasons: ['OLM has made no InstallPlan yet'],
  });
  const passed = [
    { type: 'ResolutionFailed', status: 'False', message: 'before' },
    { type: 'NotResolutionFailedYet', status: 'True', message: 'other' },
    { type: 'CatalogSourcesUnhealthy', status: 'True', reason: 'Unhealthy' },
  ];
  expect(next({ catalog, subscription: { status: { conditions: passed } } })).toEqual({
    do: 'wait',
    reasons: ['CatalogSourcesUnhealthy: Unhealthy'],
  });
});
