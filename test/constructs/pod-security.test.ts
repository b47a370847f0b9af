import { expect, test } from '@jest/globals';
import { hardenedClass } from '../../model/hardening/class.ts';
import type { ResourceEntry } from '../../crds/resources.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { collectFindings, type Given } from './given.ts';

const container = { name: 'c', image: 'example.com/c:1' };
const metadata = { name: 'c' };
const selector = { matchLabels: { app: 'c' } };
const template = (spec: object) => ({
  metadata: { labels: { app: 'c' } },
  spec: { containers: [container], ...spec },
});
const deployment = (spec: object): ResourceEntry => ({
  manifest: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { selector, template: template(spec) },
  },
});

const findingsOf = (given: Given): string[] =>
  collectFindings(given).filter((one) => / is (?:baseline|restricted), which refuses/.test(one));

/** Findings about one Deployment. */
const refusalsOf = (spec: object, klass: TenantClassSpec = {}, tenant: TenantSpec = {}) =>
  findingsOf({ klass, tenant: { ...tenant, resources: [deployment(spec)] } });

const restricted: TenantClassSpec = { defaults: { podSecurity: { enforce: 'restricted' } } };
const node = { hostNetwork: true };
const at = 'spec.resources[0].manifest.spec.template.spec';
const ofNode = `${at}.hostNetwork must be false or left out, got true`;

test('a field that the enforced level refuses is an error, with the field that sets the level', () => {
  expect(refusalsOf(node)).toEqual([
    `${ofNode}: the built-in podSecurity.enforce is baseline, which refuses the pod`,
  ]);
  const root = { securityContext: { runAsUser: 0, runAsNonRoot: false } };
  expect(refusalsOf(root)).toEqual([]);
  expect(refusalsOf(root, restricted)).toEqual(
    expect.arrayContaining([
      `${at}.securityContext.runAsUser must be above 0, got 0: podSecurity.enforce of class standard is restricted, which refuses the pod`,
      `${at}.securityContext.runAsNonRoot must be true, got false: podSecurity.enforce of class standard is restricted, which refuses the pod`,
    ]),
  );
});

test('the level is that of the namespace', () => {
  const tenant = (podSecurity: NonNullable<TenantSpec['podSecurity']>): TenantSpec => ({
    podSecurity,
    namespaces: [{ name: 'acme-a' }, { name: 'acme-b', podSecurity: { enforce: 'baseline' } }],
  });
  expect(refusalsOf(node, {}, tenant({ enforce: 'privileged' }))).toEqual([
    `${ofNode}: spec.namespaces[1].podSecurity.enforce is baseline, which refuses the pod`,
  ]);
  expect(refusalsOf(node, {}, { podSecurity: { enforce: 'none' } })).toEqual([]);
  expect(refusalsOf(node, restricted, { podSecurity: { enforce: 'baseline' } })).toEqual([
    `${ofNode}: spec.podSecurity.enforce is baseline, which refuses the pod`,
  ]);
  expect(refusalsOf(node, {}, { podSecurity: { audit: 'restricted' } })).toEqual([
    `${ofNode}: the built-in podSecurity.enforce is baseline, which refuses the pod`,
  ]);
});

test('the level of an environment applies to its namespaces', () => {
  const klass: TenantClassSpec = {
    defaults: { podSecurity: { enforce: 'privileged' } },
    environments: [{ name: 'prod', podSecurity: { enforce: 'baseline' } }],
  };
  const namespaces = ['dev', 'prod'].map((environment) => ({
    name: `acme-${environment}`,
    environment,
  }));
  expect(refusalsOf(node, klass, { namespaces })).toEqual([
    `${ofNode}: podSecurity.enforce of class standard is baseline, which refuses the pod`,
  ]);
  expect(refusalsOf(node, klass, { namespaces: namespaces.slice(0, 1) })).toEqual([]);
});

test('what restricted requires is a warning where it is not set, because a webhook may fill it in', () => {
  const end =
    'podSecurity.enforce of class standard is restricted, which refuses the pod unless a webhook fills it in';
  expect(refusalsOf({}, restricted)).toEqual([
    `warning ${at}.securityContext.seccompProfile.type must be 'RuntimeDefault' or 'Localhost', got nothing: ${end}`,
    `warning ${at}.containers[0].securityContext.capabilities.drop must contain 'ALL', got nothing: ${end}`,
    `warning ${at}.containers[0].securityContext.allowPrivilegeEscalation must be false, got nothing: ${end}`,
    `warning ${at}.securityContext.runAsNonRoot must be true, got nothing: ${end}`,
  ]);
});

const onCluster = (kubernetesVersion: string) => ({
  platform: { clusters: [{ name: 'in-cluster', kubernetesVersion }] },
});
const withDefaults: TenantClassSpec = { ...restricted, hardening: { podDefaults: 'Restricted' } };

test('what hardening.podDefaults fills in is not reported, on clusters that fill it in', () => {
  const resources = [deployment({})];
  const of = (klass: TenantClassSpec, version: string) =>
    findingsOf({ klass, tenant: { resources }, ...onCluster(version) });
  expect(of(withDefaults, '1.36')).toEqual([]);
  expect(of(hardenedClass, '1.36')).toEqual([]);
  expect(of(withDefaults, '1.35')).toHaveLength(4);
  expect(of(restricted, '1.36')).toHaveLength(4);
  expect(refusalsOf({}, withDefaults)).toHaveLength(4);
  const set = (spec: object) =>
    findingsOf({
      klass: withDefaults,
      tenant: { resources: [deployment(spec)] },
      ...onCluster('1.36'),
    });
  expect(set({ securityContext: { runAsNonRoot: false } })).toHaveLength(1);
  expect(set({ os: { name: 'windows' } })).toHaveLength(1);
});

test('a check that the version of the standards does not have is not reported', () => {
  const probe = { httpGet: { port: 80, host: 'example.com' } };
  const spec = { containers: [{ ...container, livenessProbe: probe }] };
  const of = (version: string, podSecurity: TenantSpec['podSecurity'] = {}) =>
    findingsOf({
      tenant: { podSecurity, resources: [deployment(spec)] },
      ...onCluster(version),
    });
  expect(of('1.33')).toEqual([]);
  expect(of('1.34')).toHaveLength(1);
  expect(of('1.36', { version: 'v1.33' })).toEqual([]);
  expect(of('1.36', { version: 'v1.34' })).toHaveLength(1);
  expect(of('1.33', { version: 'v1.36' })).toEqual([]);
  expect(of('1.36', { version: 'latest' })).toHaveLength(1);
});

test.each([
  [
    'Pod',
    { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container], ...node } },
    'spec',
  ],
  [
    'CronJob',
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: {
        schedule: '0 0 * * *',
        jobTemplate: { spec: { template: template({ restartPolicy: 'Never', ...node }) } },
      },
    },
    'spec.jobTemplate.spec.template.spec',
  ],
])('the pods of a %s are checked', (_kind, manifest, path) => {
  expect(findingsOf({ tenant: { resources: [{ manifest }] } })).toEqual([
    `spec.resources[0].manifest.${path}.hostNetwork must be false or left out, got true: the built-in podSecurity.enforce is baseline, which refuses the pod`,
  ]);
});

test('a finding about the object of a preset names the preset, and its place is the use', () => {
  const manifest = deployment(node).manifest!;
  const klass: TenantClassSpec = {
    presets: { resources: [{ name: 'web', manifests: [manifest] }] },
  };
  const [finding] = findingsOf({ klass, tenant: { resources: [{ preset: 'web' }] } });
  expect(finding).toContain('spec.resources[0].preset must be false or left out, got true');
  expect(finding).toContain('web');
});

test('a namespace without pods and an object of another namespace are not checked', () => {
  expect(refusalsOf(node, {}, { lifecycle: 'Suspended' })).toEqual([]);
  const manifest = { ...deployment(node).manifest!, metadata: { name: 'c', namespace: 'acme-a' } };
  const namespaces = [
    { name: 'acme-a', podSecurity: { enforce: 'privileged' as const } },
    { name: 'acme-b' },
  ];
  expect(findingsOf({ tenant: { namespaces, resources: [{ manifest }] } })).toEqual([]);
});
