import { expect, test } from '@jest/globals';
import { checkTargetNamespaces } from '../../install-objects/install-target.ts';
import { buildSubscriptionObjects } from '../../install-objects/subscription-objects.ts';
import type { InstallModeType } from '../../bundle/csv/types.ts';
import { bundleOf, spec } from './given.ts';

const supporting = (...types: InstallModeType[]) =>
  bundleOf({ ...spec, installModes: types.map((type) => ({ type, supported: true })) });

/** Returns the namespaces of the OperatorGroup; undefined for all. */
function targets(...args: Parameters<typeof buildSubscriptionObjects>): unknown {
  const { objects } = buildSubscriptionObjects(...args);
  return (objects[1]!['spec'] as { targetNamespaces?: string[] }).targetNamespaces;
}

test('an operator watches as much as it supports, unless it is configured otherwise', () => {
  expect(targets(bundleOf())).toBeUndefined();
  expect(targets(supporting('OwnNamespace', 'SingleNamespace'))).toEqual(['redis-operator']);
  expect(targets(bundleOf(), { watch: ['redis-operator'] })).toEqual(['redis-operator']);
  const shops = { watch: ['shop', 'bank', 'shop'] };
  expect(targets(supporting('MultiNamespace'), shops)).toEqual(['shop', 'bank']);
});

const home = 'home';

test.each<[InstallModeType[], string[] | undefined, boolean]>([
  [['AllNamespaces'], undefined, true],
  [['AllNamespaces'], [], true],
  [['OwnNamespace'], undefined, false],
  [['OwnNamespace'], [home], true],
  [['OwnNamespace'], [home, home], true],
  [['SingleNamespace'], [home], false],
  [['SingleNamespace'], ['shop'], true],
  [['OwnNamespace'], ['shop'], false],
  [['SingleNamespace'], ['shop', 'bank'], false],
  [['MultiNamespace'], ['shop', 'bank'], true],
  [['MultiNamespace'], ['shop'], false],
  [['MultiNamespace'], ['shop', home], false],
  [['MultiNamespace', 'OwnNamespace'], ['shop', home], true],
])('modes %j accept the namespaces %j: %j', (modes, watch, isTaken) => {
  const fault = checkTargetNamespaces(new Set(modes), home, watch);
  expect(fault === undefined).toBe(isTaken);
});

test('an unsupported install mode is reported with the supported ones', () => {
  const { findings } = buildSubscriptionObjects(supporting('OwnNamespace'), { watch: ['shop'] });
  expect(findings).toEqual([
    {
      path: ['watch'],
      rule: 'install-mode',
      severity: 'error',
      message:
        "must be namespaces that the operator can watch (it supports OwnNamespace), got shop in the OperatorGroup of 'redis-operator'",
    },
  ]);
});

test('the Subscription has the package, the channel, the source and the options', () => {
  expect(buildSubscriptionObjects(bundleOf()).objects.at(-1)).toEqual({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'redis-operator', namespace: 'redis-operator' },
    spec: {
      channel: 'stable',
      name: 'redis-operator',
      source: 'operatorhubio-catalog',
      sourceNamespace: 'olm',
    },
  });
  const { objects, findings } = buildSubscriptionObjects(bundleOf(), {
    namespace: 'redis',
    makesNamespace: false,
    source: { name: 'caches', namespace: 'catalogs' },
    channel: 'fast',
    startingCSV: 'redis-operator.v1.2.3',
    approval: 'Manual',
  });
  expect(findings).toEqual([]);
  expect(objects.map(({ kind }) => kind)).toEqual(['OperatorGroup', 'Subscription']);
  expect(objects[1]?.['spec']).toEqual({
    channel: 'fast',
    name: 'redis-operator',
    source: 'caches',
    sourceNamespace: 'catalogs',
    startingCSV: 'redis-operator.v1.2.3',
    installPlanApproval: 'Manual',
  });
});

test('an operator is installed into its suggested namespace, unless it is configured otherwise', () => {
  const annotations = { 'operatorframework.io/suggested-namespace': 'caches' };
  const namespacesOf = (props = {}) =>
    buildSubscriptionObjects(bundleOf(spec, [], {}, annotations), props).objects.map(
      ({ metadata }) => metadata.namespace ?? metadata.name,
    );
  expect(namespacesOf()).toEqual(['caches', 'caches', 'caches']);
  expect(namespacesOf({ namespace: 'redis' })).toEqual(['redis', 'redis', 'redis']);
});

test.each([
  [supporting('OwnNamespace'), [], 'it supports OwnNamespace), got all in'],
  [supporting(), undefined, 'it supports none), got redis-operator in'],
])('the supported modes are reported with the requested namespaces', (bundle, watch, words) => {
  const { findings } = buildSubscriptionObjects(bundle, watch && { watch });
  expect(findings[0]?.message).toContain(words);
});

test('each invalid namespace is reported with its path', () => {
  const watch = ['shop', 'Bank'];
  const { findings } = buildSubscriptionObjects(supporting('MultiNamespace'), { watch });
  expect(findings.map(({ path, rule }) => [path.join('.'), rule])).toContainEqual([
    'watch.1',
    'dns-label',
  ]);
});

test('of several channels without a default, none is guessed', () => {
  const several = bundleOf(spec, [], {
    'metadata/annotations.yaml': `annotations:
  operators.operatorframework.io.bundle.package.v1: redis-operator
  operators.operatorframework.io.bundle.channels.v1: fast,stable
`,
  });
  expect(buildSubscriptionObjects(several).objects.at(-1)?.['spec']).not.toHaveProperty('channel');
});
