import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchesLabels } from '@tenantry/kube/label-selector';
import type { NetworkPolicySpec } from '../../crds/network.ts';
import { tenant as tenantFile, tenantClass, withFleet } from '../apps/fleet.ts';
import { desiredOf, ofKind, specOf, collectFindings } from '../constructs/given.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { attempts, filesOf, type Attempt } from './attempt.ts';

/**
 * Vulnerabilities of other multi-tenancy systems, tried on the generator; advisories-server.test.ts tries them on an
 * API server. docs/multi-tenancy.md lists the countermeasures.
 */

const named = (...names: readonly string[]) => ({
  tenant: { namespaces: names.map((name) => ({ name })) },
});

const role = (apiGroups: readonly string[], resources: readonly string[], verb = 'patch') => ({
  tenant: {
    access: { roles: [{ name: 'own', rules: [{ apiGroups, resources, verbs: [verb] }] }] },
  },
});

const manifest = (apiVersion: string, kind: string, more: object = {}) => ({
  tenant: { resources: [{ manifest: { apiVersion, kind, metadata: { name: 'x' }, ...more } }] },
});

/** An attempt that declares only a Tenant of this name. */
const called = (name: string): Attempt => ({
  files: {
    'tenants/mallory.yaml': JSON.stringify({
      apiVersion: 'tenantry.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name },
      spec: {},
    }),
  },
});

/** A class that allows rights on a custom API group. */
const withGroup = {
  ceilings: {
    roles: [
      { clusterRole: 'admin' },
      { apiGroups: ['example.com'], resources: ['*'], verbs: ['*'] },
    ],
  },
};

attempts({
  'CVE-2022-46167: a role that patches the own Namespace': {
    ...role([''], ['namespaces']),
    refused: 'escalation',
  },
  'CVE-2024-39690: a tenant that takes kube-system': {
    ...named('mine', 'kube-system'),
    refused: 'protected-namespace',
  },
  'CVE-2024-39690: a tenant that takes default': {
    ...named('default'),
    refused: 'protected-namespace',
  },
  'CVE-2024-39690: a tenant that takes the namespace of Argo CD': {
    ...named('argocd'),
    refused: 'protected-namespace',
  },
  'CVE-2024-39690: a tenant that takes the namespace of the operator': {
    ...named('tenantry-system'),
    refused: 'protected-namespace',
  },
  'CVE-2024-39690: a tenant that takes the namespace of another': {
    ...named('alice-shop'),
    files: { 'tenants/alice.yaml': tenantFile('alice', { namespaces: [{ name: 'alice-shop' }] }) },
    refused: 'duplicate-namespace',
  },
  'CVE-2025-55205: a namespace that passes for the platform’s': {
    tenant: { labels: { 'kubernetes.io/metadata.name': 'monitoring' } },
    refused: 'reserved-key',
  },
  'CVE-2025-55205: a namespace that passes for another tenant’s': {
    tenant: { labels: { 'tenantry.dev/tenant': 'alice' } },
    refused: 'reserved-key',
  },
  'CVE-2026-30963, CVE-2026-55636: a role that writes the status of the own Namespace': {
    ...role([''], ['namespaces/status']),
    refused: 'escalation',
  },
  'CVE-2026-30963, CVE-2026-55636: a role that finalizes the own Namespace': {
    ...role([''], ['namespaces/finalize'], 'update'),
    refused: 'escalation',
  },
  'CVE-2026-22872, CVE-2026-65835: a ClusterRole among the objects of a tenant': {
    ...manifest('rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: [] }),
    refused: 'resource-scope',
  },
  'CVE-2026-22872, CVE-2026-65835: a webhook configuration among them': {
    ...manifest('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
    refused: 'resource-scope',
  },
  'CVE-2026-22872, CVE-2026-65835: a cluster-scoped object inside a List': {
    ...manifest('v1', 'List', { items: [{ apiVersion: 'v1', kind: 'Namespace' }] }),
    refused: 'resource-object',
  },
  'CVE-2026-22872, CVE-2026-65835: a Tenant among the objects of a tenant': {
    ...manifest('tenantry.dev/v1alpha1', 'Tenant', { spec: {} }),
    refused: 'resource-scope',
  },
  'CVE-2026-65834: a million characters for a pattern': {
    tenant: { className: `${'a'.repeat(1_000_000)}!` },
    refused: 'schema',
  },
  'CVE-2026-65834: a regular expression where names are matched': {
    files: {
      'tenants/classes/odd.yaml': tenantClass('odd', { allowedTenants: { names: ['(a+)+$'] } }),
    },
    refused: 'schema',
  },
  'CVE-2023-46254: a service account of that name in somebody else’s namespace': {
    tenant: { access: { admins: { serviceAccounts: [{ name: 'ci', namespace: 'alice' }] } } },
    refused: 'foreign-service-account',
  },
  'CVE-2023-46254: a service account as a user': {
    tenant: { access: { admins: { users: ['system:serviceaccount:alice:ci'] } } },
    refused: 'system-subject',
  },
  'CVE-2024-22031: a namespace with the name that another tenant has by default': {
    ...named('alice'),
    files: { 'tenants/alice.yaml': tenantFile('alice') },
    refused: 'duplicate-namespace',
  },
  'CVE-2024-22031: a prefix and a name that come to the namespace of another': {
    tenant: { namespacePrefix: 'ali', namespaces: [{ name: 'ce-shop' }] },
    files: {
      'tenants/alice.yaml': tenantFile('alice', {
        namespacePrefix: 'alice-',
        namespaces: [{ name: 'shop' }],
      }),
    },
    refused: 'duplicate-namespace',
  },
  'CVE-2023-32194: namespaces of the core group behind another group': {
    ...role(['example.com', ''], ['configmaps', 'namespaces']),
    klass: withGroup,
    refused: 'escalation',
  },
  'CVE-2023-32194: a rule without a group': { ...role([], ['namespaces']), refused: 'schema' },
  'CVE-2023-22736, CVE-2024-31990: an AppProject of the tenant’s own': {
    ...manifest('argoproj.io/v1alpha1', 'AppProject', {
      spec: { destinations: [{ server: '*', namespace: '*' }] },
    }),
    platform: { kinds: [{ group: 'argoproj.io', kind: 'AppProject', scope: 'Namespaced' }] },
    refused: 'resource-kind',
  },
  'CVE-2023-22736, CVE-2024-31990: an Application in a namespace of the tenant': {
    ...manifest('argoproj.io/v1alpha1', 'Application', { spec: { project: 'default' } }),
    platform: { kinds: [{ group: 'argoproj.io', kind: 'Application', scope: 'Namespaced' }] },
    refused: 'resource-kind',
  },
  'CVE-2022-24877: a tenant named ../../x': { ...called('../../x'), refused: 'schema' },
  'CVE-2022-24877: a tenant named with a slash': { ...called('a/b'), refused: 'schema' },
  'CVE-2022-24877: a tenant named with a newline': { ...called('a\nb'), refused: 'schema' },
  'CVE-2022-24877: a tenant named with a NUL': { ...called('a\0b'), refused: 'schema' },
  'CVE-2022-24877: a tenant named in YAML': { ...called('a: {b: c}'), refused: 'schema' },
  'CVE-2022-24877: a namespace named ../x': { ...named('../x'), refused: 'schema' },
  'CVE-2022-24877: a prefix that climbs': {
    tenant: { namespacePrefix: '../', namespaces: [{ name: 'x' }] },
    refused: 'schema',
  },
  'CVE-2022-24877: an object read from outside of the folder': {
    tenant: { resources: [{ file: '../../../../etc/passwd' }] },
    refused: 'file',
  },
});

test('CVE-2025-55205: no selector of a tenant matches another namespace, whatever labels that has', () => {
  const keys = ['team', 'tenantry.dev/tenant', 'app.kubernetes.io/managed-by'];
  const labels = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom('acme', 'tenantry', ''));
  const world = {
    tenant: {
      labels: { team: 'acme' },
      network: { isolation: 'SameTenant', egress: 'SameTenant' },
    },
    platform: { ingressControllers: [], monitoring: [], dns: [] },
  } as const;
  const peers = ofKind(world, 'NetworkPolicy').flatMap((one) => {
    const { ingress = [], egress = [] } = specOf<NetworkPolicySpec>(one);
    return [...ingress.flatMap(({ from = [] }) => from), ...egress.flatMap(({ to = [] }) => to)];
  });
  expect(peers).toHaveLength(2);
  fc.assert(
    fc.property(labels, fc.constantFrom('kube-system', 'acme-2', 'other'), (injected, name) => {
      // The API server sets this label itself.
      const all = { ...injected, 'kubernetes.io/metadata.name': name };
      const selected = peers.filter((peer) => matchesLabels(peer.namespaceSelector!, all));
      expect(selected).toEqual([]);
    }),
    runs(100),
  );
});

test('GHSA-gjw4-3v3v-rqxg, CVE-2026-61672: a key is forbidden when it is in the list, in whatever order and case the list is', () => {
  const key = fc.stringMatching(/^[a-c]\.example\.com\/[A-Ca-c]{1,2}$/);
  const other = (one: string) => one.replace(/[^/]*$/, (name) => name.toUpperCase());
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 12 }), key, (trustedLabels, more) => {
      for (const asked of [...trustedLabels, more].flatMap((one) => [one, other(one)])) {
        const refusals = collectFindings({
          platform: { trustedLabels },
          klass: { allow: { labels: [{ key: asked }] } },
          tenant: { labels: { [asked]: 'x' } },
        });
        expect([asked, refusals.length > 0]).toEqual([asked, trustedLabels.includes(asked)]);
      }
    }),
    runs(60),
  );
});

test('CVE-2019-6287, CVE-2021-36775: a removed member is in no binding, of any role', () => {
  const holders = { users: ['alice', 'bob'], groups: ['shop'] };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const access = (users: readonly string[]) => ({
    admins: { ...holders, users },
    editors: { users },
    roles: [{ name: 'reader', rules, users }],
  });
  const rendered = (users: readonly string[]) =>
    JSON.stringify(desiredOf({ tenant: { access: access(users) } }).namespaces);
  expect(rendered(['alice', 'bob'])).toContain('"alice"');
  expect(rendered(['bob'])).not.toContain('"alice"');
});

test('CVE-2023-22736, CVE-2024-31990: no AppProject is rendered, so none leaves a list out', () => {
  withFleet(filesOf({ tenant: { access: { admins: { users: ['mallory'] } } } }), (fleet) => {
    const text = Object.values(fleet.rendered()).join('\n');
    expect(text).toContain('kind: RoleBinding');
    expect(text).not.toMatch(/^kind: (AppProject|Application|ApplicationSet)$/m);
  });
});
