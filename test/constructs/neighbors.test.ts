import { expect, test } from '@jest/globals';
import { hardenedClass } from '../../model/hardening/class.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { readTrial, testTrials } from '../trials.ts';
import { collectFindings } from './given.ts';

type Manifest = { apiVersion: string; kind: string; metadata: { name: string } };

const refusedOf = (manifest: object, klass: TenantClassSpec = {}, definitions = {}): string[] =>
  collectFindings({
    klass,
    tenant: { resources: [{ manifest: manifest as Manifest }] },
    ...definitions,
  });

const containers = [{ name: 'c', image: 'example.com/c:1' }];
const selector = { matchLabels: { app: 'c' } };
const metadata = { name: 'c' };
const template = (spec: object) => ({
  metadata: { labels: { app: 'c' } },
  spec: { containers, ...spec },
});

/**
 * Each built-in kind that creates pods, with a function that builds an object, and the path of its pod
 * spec.
 */
const kinds: readonly [kind: string, make: (spec: object) => object, at: string][] = [
  [
    'Pod',
    (spec) => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers, ...spec } }),
    'spec',
  ],
  ...['Deployment', 'DaemonSet', 'ReplicaSet'].map(
    (kind): [string, (spec: object) => object, string] => [
      kind,
      (spec) => ({
        apiVersion: 'apps/v1',
        kind,
        metadata,
        spec: { selector, template: template(spec) },
      }),
      'spec.template.spec',
    ],
  ),
  [
    'StatefulSet',
    (spec) => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { serviceName: 'c', selector, template: template(spec) },
    }),
    'spec.template.spec',
  ],
  [
    'ReplicationController',
    (spec) => ({
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata,
      spec: { template: template(spec) },
    }),
    'spec.template.spec',
  ],
  [
    'Job',
    (spec) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: { template: template({ restartPolicy: 'Never', ...spec }) },
    }),
    'spec.template.spec',
  ],
  [
    'CronJob',
    (spec) => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: {
        schedule: '0 0 * * *',
        jobTemplate: { spec: { template: template({ restartPolicy: 'Never', ...spec }) } },
      },
    }),
    'spec.jobTemplate.spec.template.spec',
  ],
];

const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: {} };
const required = (kind: string, more: object) => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...more }] } },
});
const preferred = (kind: string, more: object) => ({
  affinity: {
    [kind]: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { ...term, ...more } },
      ],
    },
  },
});
const others = { namespaces: ['victim'] };

/** Pod specs that affect other pods, each with the path below the spec and the message of its error. */
const cases: readonly [what: string, spec: object, at: string, message: string][] = [
  [
    'a system priority',
    { priorityClassName: 'system-node-critical' },
    '.priorityClassName',
    "must be a PriorityClass that class standard allows in allow.priorityClasses (*), got 'system-node-critical'",
  ],
  [
    'anti-affinity to others',
    required('podAntiAffinity', others),
    '.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaces',
    "must be left out, as affinity to pods of other namespaces is not in allow.crossNamespaceAffinity of class standard, got 'victim'",
  ],
  [
    'a preferred affinity to everybody',
    preferred('podAffinity', { namespaceSelector: {} }),
    '.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.namespaceSelector',
    'must be left out, as affinity to pods of other namespaces is not in allow.crossNamespaceAffinity of class standard, got a selector of namespaces',
  ],
  [
    'a toleration of every taint',
    { tolerations: [{ operator: 'Exists' }] },
    '.tolerations[0]',
    "must tolerate a taint that class standard opens in allow.tolerations (none), got '*'",
  ],
  [
    'a grace period of years',
    { terminationGracePeriodSeconds: 999_999_999 },
    '.terminationGracePeriodSeconds',
    'must be at most 3600 (ceilings.terminationSeconds of class standard), got 999999999',
  ],
  [
    'a node',
    { nodeName: 'a' },
    '.nodeName',
    "must be left out: the scheduler chooses the node, got 'a'",
  ],
];

test.each(kinds)('a %s in Git is refused for what its pods would be refused for', (_, make, at) => {
  expect(refusedOf(make({}))).toEqual([]);
  for (const [what, spec, below, message] of cases) {
    expect([what, refusedOf(make(spec))]).toEqual([
      what,
      [`spec.resources[0].manifest.${at}${below} ${message}`],
    ]);
  }
});

const pod = kinds[0]![1];

test('affinity within the namespace is not affected', () => {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    expect(refusedOf(pod(required(kind, {})))).toEqual([]);
    expect(refusedOf(pod(required(kind, { namespaces: [] })))).toEqual([]);
    expect(refusedOf(pod(preferred(kind, {})))).toEqual([]);
  }
});

test('a class may allow fields that affect other pods', () => {
  const spec = {
    priorityClassName: 'system-node-critical',
    ...required('podAntiAffinity', others),
    tolerations: [{ key: 'dedicated', value: 'acme' }],
    terminationGracePeriodSeconds: 7200,
  };
  const klass: TenantClassSpec = {
    allow: {
      priorityClasses: ['*', 'system-node-critical'],
      crossNamespaceAffinity: 'Allow',
      tolerations: [{ key: 'dedicated', values: ['acme'] }],
    },
    ceilings: { terminationSeconds: 7200 },
  };
  expect(refusedOf(pod(spec))).toHaveLength(4);
  expect(refusedOf(pod(spec), klass)).toEqual([]);
  const exceptions = [{ tenants: ['acme'], reason: 'agreed', ...exceptionOf(klass) }];
  expect(refusedOf(pod(spec), { exceptions })).toEqual([]);
});

const exceptionOf = ({ allow, ceilings }: TenantClassSpec) => ({
  allow: allow!,
  ceilings: { terminationSeconds: ceilings!.terminationSeconds! },
});

test('a class that lists PriorityClasses allows only those', () => {
  const gold = pod({ priorityClassName: 'gold' });
  expect(refusedOf(gold)).toEqual([]);
  expect(refusedOf(gold, { allow: { priorityClasses: ['gold'] } })).toEqual([]);
  expect(refusedOf(gold, { allow: { priorityClasses: ['silver'] } })).toEqual([
    expect.stringContaining("(silver), got 'gold'"),
  ]);
  expect(refusedOf(gold, { allow: { priorityClasses: [] } })).toEqual([
    expect.stringContaining("(none), got 'gold'"),
  ]);
});

test('a kind of an operator causes a warning, as only the operator knows which pods it creates', () => {
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Prometheus',
    metadata,
    spec: { priorityClassName: 'system-cluster-critical', tolerations: [{ operator: 'Exists' }] },
  };
  const kind = { group: 'monitoring.coreos.com', kind: 'Prometheus', scope: 'Namespaced' } as const;
  expect(refusedOf(manifest, {}, { platform: { kinds: [kind] } })).toEqual([
    expect.stringMatching(/^warning .*spec\.priorityClassName must be a PriorityClass/),
    expect.stringMatching(/^warning .*spec\.tolerations\[0\] must tolerate/),
  ]);
});

test('a template must not have keys of Tenantry, for every kind with a template', () => {
  const victim = { labels: { 'tenantry.dev/tenant': 'victim' } };
  const claim = { metadata: { name: 'd', ...victim }, spec: { accessModes: ['ReadWriteOnce'] } };
  const stateful = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: 'c',
      selector,
      template: template({}),
      volumeClaimTemplates: [
        { ...claim, spec: { ...claim.spec, resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  };
  expect(refusedOf(stateful)).toEqual([
    `spec.resources[0].manifest.spec.volumeClaimTemplates[0].metadata.labels["tenantry.dev/tenant"] must not be set: the key 'tenantry.dev/tenant' is reserved for Tenantry, and a controller would copy it`,
  ]);
  const certificate = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata,
    spec: { secretTemplate: { annotations: { 'policy.tenantry.dev/names': 'x' } } },
  };
  const kind = { group: 'cert-manager.io', kind: 'Certificate', scope: 'Namespaced' } as const;
  expect(refusedOf(certificate, {}, { platform: { kinds: [kind] } })).toEqual([
    expect.stringContaining("the key 'policy.tenantry.dev/names' is reserved for Tenantry"),
  ]);
});

testTrials(
  'what was seen to press on neighbors is refused in Git, in the hardened class too',
  () => {
    const trials: [file: string, rules: string[]][] = [
      ['antiaffinity/pod.yaml', ['must be left out, as affinity']],
      ['antiaffinity/pod-prio.yaml', ['must be a PriorityClass', 'must be left out, as affinity']],
      ['priority-preempts/prio.yaml', ['must be a PriorityClass']],
    ];
    for (const [file, words] of trials) {
      const [manifest] = readTrial(file);
      for (const klass of [{}, hardenedClass]) {
        const found = refusedOf(manifest as object, klass);
        // The hardened class also warns about what the pods do not set.
        const errors = found.filter((one) => !one.startsWith('warning '));
        expect([file, errors]).toEqual([file, words.map((one) => expect.stringContaining(one))]);
      }
    }
  },
);
