import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { formatFinding } from '@tenantry/kube/finding';
import {
  clusterServiceVersionErrors,
  type ClusterServiceVersion,
  type ClusterServiceVersionSpec,
  type StrategyDeploymentSpec,
} from '../../bundle/cluster-service-version.ts';
import { csv } from '../sample.ts';

const errorsOf = (text: string): string[] =>
  clusterServiceVersionErrors(readDocuments(text).documents[0]?.value).map(formatFinding);

test('a valid ClusterServiceVersion has no errors, also with nulls and a status', () => {
  expect(errorsOf(csv)).toEqual([]);
  expect(errorsOf(`${csv}  cleanup: null\nstatus: { phase: Succeeded }\n`)).toEqual([]);
});

test.each([
  ['  version: 1.2.3', '  miniKubeVersion: 1.2.3', "'minKubeVersion'"],
  ['  version: 1.2.3', '  MinKubeVersion: 1.2.3', "'minKubeVersion'"],
  ['kind: Redis }', 'kind: Redis, specDescriptor: [] }', "'specDescriptors'"],
  ['name: manager,', 'name: manager, imagePullPolice: Always,', "'imagePullPolicy'"],
  ['metadata:\n  name', 'metadata:\n  anotations: {}\n  name', "'annotations'"],
])('an unknown field is reported with the nearest known one: %j', (from, to, meant) => {
  const errors = errorsOf(csv.replace(from, to));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(`did you mean ${meant}?`);
});

test.each([
  ['name: redis-operator.v1.2.3', 'namespace: a', 'metadata.name'],

  ['supported: true', 'supported: yes please', 'spec.installModes[0].supported'],
  ['type: AllNamespaces', 'type: Everywhere', 'spec.installModes[0].type'],
  ['strategy: deployment', 'strategy: helm', 'spec.install.strategy'],
  ["image: 'quay.io/example/redis@sha256:1'", 'image: 1', 'containers[0].image'],
  [
    'selector: { matchLabels: { app: redis-operator } }',
    'replicas: 1',
    'deployments[0].spec.selector',
  ],
  ['kind: ClusterServiceVersion', 'kind: ServiceVersion', 'kind'],
])('a missing field or a wrong type is reported: %j', (from, to, path) => {
  const errors = errorsOf(csv.replace(from, to).replace('  version: 1.2.3\n', ''));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(path);
});

test('OLM reads a missing text as empty, but not a missing list or enumeration', () => {
  const reference = 'kind: Redis, resources: [{ kind: Pod, version: v1 }] }';
  expect(errorsOf(csv.replace('kind: Redis }', reference))).toEqual([]);
  const permissions = 'spec:\n      permissions: [{ serviceAccountName: redis }]';
  expect(errorsOf(csv.replace('    spec:', `    ${permissions}`))).toEqual([
    expect.stringMatching(/^spec\.install\.spec\.permissions\[0\]\.rules must be a list/),
  ]);
  expect(errorsOf(csv.replace('type: AllNamespaces, ', ''))).toEqual([
    expect.stringMatching(/^spec\.installModes\[0\]\.type must be one of/),
  ]);
});

test.each(['0', '1', 'a.1', 'alpha-1.0a', '20240101-ab'])('%j is a release', (release) => {
  expect(errorsOf(`${csv}  release: '${release}'\n`)).toEqual([]);
});

test.each(['', '01', 'a..b', 'a.', 'a_b', 'x'.repeat(21)])('%j is no release', (release) => {
  expect(errorsOf(`${csv}  release: '${release}'\n`)).toEqual([
    expect.stringMatching(/^spec\.release must/),
  ]);
});

test('a misspelled field does not compile', () => {
  const install = { strategy: 'deployment' } as const;
  // @ts-expect-error -- minKubeVersion is what was meant.
  const wrong: ClusterServiceVersionSpec = { displayName: 'a', install, miniKubeVersion: '1' };
  expect(wrong.displayName).toBe('a');
});

const spec: ClusterServiceVersionSpec = {
  displayName: 'Redis',
  install: {
    strategy: 'deployment',
    spec: {
      deployments: [
        {
          name: 'redis',
          spec: {
            selector: { matchLabels: { app: 'redis' } },
            template: {
              metadata: { labels: { app: 'redis' } },
              spec: {
                containers: [{ name: 'manager', image: 'registry.example.com/redis:1.2.3' }],
              },
            },
          },
        },
      ],
    },
  },
};

test('a misspelled field does not compile, at any depth in the pods of a deployment', () => {
  const { deployments } = spec.install.spec!;
  const { selector, template } = deployments[0]!.spec;
  const pod = template.spec!;
  const wrong: readonly StrategyDeploymentSpec[] = [
    // @ts-expect-error -- template
    { selector, template, tempalte: {} },
    // @ts-expect-error -- spec
    { selector, template: { spce: pod } },
    // @ts-expect-error -- serviceAccountName
    { selector, template: { spec: { ...pod, serviceAcountName: 'redis' } } },
    // @ts-expect-error -- imagePullPolicy
    { selector, template: { spec: { containers: [{ name: 'a', imagePullPolice: 'Always' }] } } },
    {
      selector,
      // @ts-expect-error -- requests
      template: { spec: { containers: [{ name: 'a', resources: { request: { cpu: '1' } } }] } },
    },
    // @ts-expect-error -- Never, or another of the words that there are
    { selector, template: { spec: { ...pod, restartPolicy: 'Sometimes' } } },
    // @ts-expect-error -- a selector must be there
    { template },
  ];
  expect(wrong).toHaveLength(7);
});

test('what compiles as a ClusterServiceVersion has no errors', () => {
  const whole: ClusterServiceVersion = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: 'redis.v1.2.3' },
    spec,
  };
  expect(clusterServiceVersionErrors(whole)).toEqual([]);
});
