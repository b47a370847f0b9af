import { expect, test } from '@jest/globals';
import { servedCatalog } from '../../install/olm/catalogobjects.ts';
import { chooseGroup, readMode, type GivenGroup } from '../../install/olm/installmode.ts';
import { catalogOf, leadsTo, type RunnableBundle } from '../../install/olm/runnable.ts';
import { nextOf, type Seen } from '../../install/olm/standing.ts';

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
  expect(leadsTo(bundle, { name, version })).toBe(leads);
});

test('a catalog without an image has the bundle itself, and one with an image names it', () => {
  const [head = '', blob = ''] = catalogOf(bundle, 'fast');
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
  const [, pushed = ''] = catalogOf({ ...bundle, blob: { ...bundle.blob, image } }, 'fast');
  expect(JSON.parse(pushed)).toMatchObject({ image });
});

test('what serves a catalog has another name for another content, and runs where restricted is enforced', () => {
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

test('an OperatorGroup that fits is used, and where there is none the widest is made', () => {
  expect(choose([group('caches')])).toEqual({ existing: 'own' });
  expect(choose([group('shop')])).toEqual({ existing: 'own' });
  expect(choose([])).toEqual({ make: { mode: 'OwnNamespace', targets: ['caches'] } });
  expect(choose([], undefined, ['AllNamespaces', 'OwnNamespace'])).toEqual({
    make: { mode: 'AllNamespaces', targets: [] },
  });
  expect(choose([], 'SingleNamespace=shop')).toEqual({
    make: { mode: 'SingleNamespace', targets: ['shop'] },
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
])('an OperatorGroup that does not fit is told, and nothing is made', (groups, mode, refusal) => {
  expect(choose(groups, mode)).toEqual({ refusal });
});

test('a bundle that supports neither of the usual modes asks for its namespaces', () => {
  expect(choose([], undefined, ['MultiNamespace'])).toEqual({
    refusal:
      '--install-mode must be given, with namespaces, for a bundle that supports MultiNamespace',
  });
  expect(readMode('MultiNamespace=a', 'caches')).toBeUndefined();
  expect(readMode('AllNamespaces=a', 'caches')).toBeUndefined();
});

const at = {
  name: 'x',
  namespace: 'caches',
  uid: '1',
  resourceVersion: '1',
  creationTimestamp: '',
};
const none: Seen = { catalog: undefined, subscription: undefined, plan: undefined, csv: undefined };
const next = (seen: object) => nextOf(bundle.name, { ...none, ...seen } as never);
const plan = (names: readonly string[], approved: boolean, status: object = {}) => ({
  plan: { metadata: at, spec: { clusterServiceVersionNames: names, approved }, status },
});
const csv = (status: object) => ({
  csv: { metadata: { ...at, name: bundle.name }, spec: {}, status },
});

test('an InstallPlan is approved for this bundle alone, and one of another bundle is passed over', () => {
  expect(next(plan([bundle.name], false))).toMatchObject({ do: 'approve' });
  expect(next(plan([bundle.name, 'etcd.v1'], false))).toMatchObject({ do: 'give up' });
  expect(next(plan(['etcd.v1'], false))).toMatchObject({ do: 'wait' });
  expect(next(plan([bundle.name], true))).toMatchObject({ do: 'wait' });
  expect(next(plan([bundle.name], true, { phase: 'Failed', message: 'no right' }))).toMatchObject({
    do: 'give up',
    reasons: expect.arrayContaining(['no right']),
  });
});

test('what a ClusterServiceVersion lacks is told; Failed ends it, but where OLM begins again', () => {
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
  ];
  expect(next(csv({ phase: 'Pending', reason: 'RequirementsNotMet', requirementStatus }))).toEqual({
    do: 'wait',
    reasons: [
      'redis.v1.1.0 is Pending: RequirementsNotMet',
      'CustomResourceDefinition b is NotPresent: CRD is not present',
    ],
  });
});

test('before there is an InstallPlan, the catalog and the Subscription say why', () => {
  const conditions = [{ type: 'ResolutionFailed', status: 'True', message: 'no such channel' }];
  expect(next({ subscription: { metadata: at, spec: {}, status: { conditions } } })).toEqual({
    do: 'wait',
    reasons: [
      'OLM is not connected to the catalog: not tried yet',
      'ResolutionFailed: no such channel',
    ],
  });
});
