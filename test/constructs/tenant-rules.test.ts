import { expect, test } from '@jest/globals';
import { tenantRules, type TenantRuleId } from '../../model/findings/tenant-rules.ts';
import { desiredOf, type Given } from './given.ts';

const cases: readonly (readonly [TenantRuleId, Given])[] = [
  ['quota-whole', { tenant: { quota: { hard: { pods: '1.5' } } } }],
  ['quota-key', { tenant: { quota: { hard: { 'count/nothing': 1 } } } }],
  ['ceiling-quota', { klass: { ceilings: { quota: { pods: 1 } } } }],
  ['ceiling-namespaces', { klass: { ceilings: { namespaces: 1 } }, tenant: twoNamespaces() }],
  ['cluster', { tenant: { namespaces: [{ name: 'a', clusters: ['nowhere'] }] } }],
  ['environment', { platform: { environments: ['dev'] }, tenant: inEnvironment('prod') }],
  ['contact-key', { tenant: { contact: { pager: 'a' } } }],
  ['resource-secret', { tenant: { resources: [secret()] } }],
  [
    'resource-size',
    {
      klass: { ceilings: { resourceBytes: 1024 } },
      tenant: { resources: [manifest({ name: 'a'.repeat(1100) })] },
    },
  ],
  ['ceiling-tenant-quota', { klass: { ceilings: { tenantQuota: { pods: 1 } } } }],
  [
    'disruption-budget-blocks',
    {
      tenant: {
        disruptionBudgets: [
          { name: 'a', selector: { matchLabels: { app: 'a' } }, minAvailable: 150_000 },
        ],
      },
    },
  ],
  ['preset', { tenant: { quota: { preset: 'unknown' } } }],
  ['protected-namespace', { tenant: { namespaces: [{ name: 'kube-system' }] } }],
  ['namespace-name', { name: 'a'.repeat(64) }],
  ['reserved-key', { tenant: { labels: { 'kubernetes.io/metadata.name': 'a' } } }],
  ['key', { tenant: { labels: { 'a b': 'c' } } }],
  ['system-subject', { tenant: { access: { admins: { groups: ['system:masters'] } } } }],
  ['argocd-repository', { tenant: { argocd: { sourceRepos: ['https://example.com/a'] } } }],
  ['argocd-impersonation', { tenant: { argocd: { sourceRepos: ['https://example.com/a'] } } }],
  ['pull-secrets', { tenant: { imagePullSecrets: ['registry'] } }],
  ['resource-name', { tenant: { resources: [manifest({ name: 'A_b' })] } }],
  ['resource-metadata', { tenant: { resources: [manifest({ name: 'a', finalizers: ['x/y'] })] } }],
  ['resource-namespace', { tenant: { resources: [manifest({ name: 'a', namespace: 'b' })] } }],
];

test.each(cases)('an input triggers %s', (rule, given) => {
  expect(desiredOf(given).findings.map((one) => one.rule)).toContain(rule);
});

test('findings have only rules of the list', () => {
  const ids = new Set<string>(tenantRules.map(({ id }) => id));
  const found = cases.flatMap(([, given]) => desiredOf(given).findings.map(({ rule }) => rule));
  expect(found.filter((rule) => !ids.has(rule))).toEqual([]);
});

test('each id is listed once', () => {
  const ids = tenantRules.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

function twoNamespaces(): NonNullable<Given['tenant']> {
  return { namespaces: [{ name: 'a' }, { name: 'b' }] };
}

function inEnvironment(environment: string): NonNullable<Given['tenant']> {
  return { namespaces: [{ name: 'a', environment }] };
}

function secret() {
  const metadata = { name: 'a' };
  return { manifest: { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: 'b' } } };
}

function manifest(metadata: { name: string; namespace?: string; finalizers?: string[] }) {
  return { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
}
