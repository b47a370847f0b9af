import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TenantSpec } from '../../crds/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../crds/tenant-class.ts';
import type { Settings } from '../../crds/settings.ts';
import { isLabelValue, isSubdomain } from '@tenantry/kube/names';
import { validate } from '@tenantry/crd/schema/validate';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { namesOf, objectsOf, ofKind, collectFindings, type Given } from './given.ts';

const everything: Settings = {
  labels: { 'example.com/id': '{namespace}', 'example.com/who': '{tenant}.{environment}' },
  annotations: { note: 'see https://x/{tenant}/{id}?{"json": 1}', kept: '\\{namespace}' },
  contact: { channel: '#{tenant}' },
  quota: { name: '{namespace}-quota', hard: { pods: 5 } },
  limits: { name: '{environment}.limits' },
  network: { egress: 'SameTenant', policyNames: { isolation: '{tenant}-only', egress: 'out' } },
  disruptionBudgets: [
    { name: '{namespace}-web', selector: { matchLabels: { app: 'web' } }, minAvailable: 1 },
  ],
  serviceAccounts: [
    {
      name: '{namespace}-deployer',
      labels: { of: '{tenant}' },
      annotations: { 'example.com/role': 'arn:{namespace}' },
    },
  ],
  access: {
    admins: { users: ['a'], bindingName: '{tenant}:{environment}:admins' },
    clusterRoles: [{ name: 'special', users: ['a'], bindingName: '{namespace}.special' }],
  },
};

const open = { labels: [{ key: 'example.com/*' }], annotations: [{ key: '*' }] };
const namespaces = [{ name: 'shop', environment: 'prod' }];

function names(given: Given): Record<string, string[]> {
  const kinds = Map.groupBy(objectsOf(given), ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, objects]) => [kind, namesOf(objects)]));
}

test.each<[string, Given]>([
  ['class', { klass: { defaults: everything } as TenantClassSpec, tenant: { namespaces } }],
  [
    'tenant',
    {
      klass: {
        allow: {
          labels: open.labels,
          annotations: [{ key: 'note' }, { key: 'kept' }],
          clusterRoles: ['special'],
        },
      },
      tenant: { ...everything, namespaces } as TenantSpec,
    },
  ],
])('values that differ by namespace are filled in, where a %s sets them', (_who, given) => {
  expect(names(given)).toMatchObject({
    ResourceQuota: ['shop-quota', 'tenant-objects', 'tenant-affinity', 'tenant-priority'],
    LimitRange: ['prod.limits'],
    NetworkPolicy: ['acme-only', 'allow-ingress-controllers', 'allow-monitoring', 'out'],
    PodDisruptionBudget: ['shop-web'],
    ServiceAccount: ['shop-deployer'],
    RoleBinding: ['acme:prod:admins', 'shop.special'],
  });
  const { metadata } = objectsOf(given)[0]!;
  expect(metadata.labels).toMatchObject({
    'example.com/id': 'shop',
    'example.com/who': 'acme.prod',
  });
  expect(metadata.annotations).toMatchObject({
    note: 'see https://x/acme/{id}?{"json": 1}',
    kept: '{namespace}',
    'tenantry.dev/channel': '#acme',
  });
  const [account] = ofKind(given, 'ServiceAccount');
  expect(account!.metadata.labels).toMatchObject({ of: 'acme' });
  expect(account!.metadata.annotations).toMatchObject({ 'example.com/role': 'arn:shop' });
});

test('users may not create objects of the resulting names', () => {
  const klass = {
    defaults: everything,
    presets: {
      roles: [
        {
          name: 'r',
          bindingName: '{tenant}-{environment}-r',
          rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
        },
      ],
    },
  } as TenantClassSpec;
  const { annotations } = objectsOf({ klass, tenant: { namespaces } })[0]!.metadata;
  const reserved = annotations!['policy.tenantry.dev/names']!.split('\n');
  expect(reserved).toEqual(
    expect.arrayContaining([
      'ResourceQuota shop-quota',
      'NetworkPolicy.networking.k8s.io acme-only',
      'RoleBinding.rbac.authorization.k8s.io acme:prod:admins',
      'RoleBinding.rbac.authorization.k8s.io acme-prod-r',
    ]),
  );
});

test("a preset's binding name is not reserved where a namespace lacks the environment in it", () => {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const klass = { presets: { roles: [{ name: 'r', bindingName: '{environment}-r', rules }] } };
  const { annotations } = objectsOf({ klass })[0]!.metadata;
  expect(annotations!['policy.tenantry.dev/names']).not.toContain('{environment}');
});

test('two names that become equal are one object, and the higher layer wins', () => {
  const selector = { matchLabels: { app: 'web' } };
  const klass = {
    defaults: { disruptionBudgets: [{ name: '{namespace}-web', selector, minAvailable: 1 }] },
  };
  const tenant = { disruptionBudgets: [{ name: 'acme-web', selector, minAvailable: 2 }] };
  const budgets = ofKind({ klass, tenant }, 'PodDisruptionBudget');
  expect(budgets.map(({ spec }) => spec)).toEqual([{ selector, minAvailable: 2 }]);
});

test('a namespace without the environment that its class fills in causes one finding', () => {
  const klass = { defaults: everything } as TenantClassSpec;
  expect(
    collectFindings({ klass, tenant: { namespaces: [{ name: 'a' }, ...namespaces] } }),
  ).toEqual([
    'spec.namespaces[0] must have an environment, which class standard fills into labels["example.com/who"], got none',
  ]);
  expect(collectFindings({ klass: { defaults: { labels: { x: '{environment}' } } } })).toEqual([
    'spec must have an environment, which class standard fills into labels.x, got none',
  ]);
});

test('a tenant that uses {environment} where there is none gets a finding at the field', () => {
  const tenant = { labels: { team: '{environment}' }, contact: { team: '{environment}' } };
  expect(collectFindings({ tenant })).toEqual([
    'spec.labels.team must hold no {environment} here: the namespace has no environment',
    'spec.contact.team must hold no {environment} here: the namespace has no environment',
  ]);
});

test('a value that a higher layer overrides is not filled in', () => {
  const klass = { defaults: { labels: { team: '{environment}' } } };
  expect(collectFindings({ klass, tenant: { labels: { team: 'a' } } })).toEqual([]);
});

const long = 'a'.repeat(40);

test('a label that becomes too long is reported at the namespace', () => {
  const klass = { defaults: { labels: { id: '{tenant}.{namespace}' } } };
  const given = { name: long, klass };
  expect(collectFindings(given)).toEqual([
    `spec.className must be a label value: letters, digits, '-', '_' and '.', at most 63 characters, got '${long}.${'a'.repeat(16)}...' for 'id' in namespace ${long}`,
  ]);
});

test('resulting names must be valid names', () => {
  const chain = '{namespace}'.repeat(8);
  const tenant: TenantSpec = {
    quota: { name: chain },
    limits: { name: chain },
    network: { policyNames: { isolation: chain } },
    access: { admins: { users: ['a'], bindingName: chain } },
    serviceAccounts: [{ name: chain }],
  };
  const must = (what: string): unknown =>
    expect.stringMatching(new RegExp(`^spec\\.${what} must .*at most 253 characters`));
  expect(collectFindings({ name: long, tenant })).toEqual([
    must('quota\\.name'),
    must('limits\\.name'),
    must('network\\.policyNames\\.isolation'),
    must('serviceAccounts'),
    must('access\\.admins'),
  ]);
});

test('a misspelled placeholder in a free text causes a warning', () => {
  const tenant = { contact: { team: '{namespac} {x}' } };
  expect(collectFindings({ tenant })).toEqual([
    'warning spec.contact.team must be one of {tenant}, {namespace}, {environment}, or written as \\{namespac} to stay as it is, got {namespac}',
  ]);
  const { annotations } = objectsOf({ tenant })[0]!.metadata;
  expect(annotations).toMatchObject({ 'tenantry.dev/team': '{namespac} {x}' });
});

test.each([
  ['labels', { labels: { a: '{name}' } }],
  ['labels', { labels: { a: '-{tenant}' } }],
  ['labels', { labels: { a: '{tenant' } }],
  ['quota', { quota: { name: '{cluster}' } }],
  ['quota', { quota: { name: '{tenant}.' } }],
  ['quota', { quota: { name: 'A{tenant}' } }],
])('in %s, %j is refused', (_where, defaults) => {
  expect(validate(tenantClass.spec, { defaults } as TenantClassSpec)).toHaveLength(1);
});

test('what the schema accepts becomes a valid name or label value when short names are filled in', () => {
  const piece = fc.constantFrom(
    '{tenant}',
    '{namespace}',
    '{environment}',
    'a',
    'Z',
    '-',
    '.',
    '_',
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      const put = text.replaceAll(/\{\w+\}/g, 'x');
      const fits = (defaults: Settings) =>
        validate(tenantClass.spec, { defaults } as TenantClassSpec).length === 0;
      expect(fits({ labels: { a: text } })).toBe(isLabelValue(put));
      expect(fits({ quota: { name: text } })).toBe(isSubdomain(put));
    }),
    runs(300),
  );
});

const identity: TenantClassSpec = {
  defaults: { labels: { 'example.com/id': '{namespace}' } },
  ceilings: { network: { ingressFrom: { anywhere: 'Deny' } } },
};

test('a tenant cannot forge a label that the class fills in', () => {
  const forged = { labels: { 'example.com/id': 'payments' } };
  const platform = { trustedLabels: ['example.com/id'] };
  expect(collectFindings({ klass: identity, platform })).toEqual([]);
  expect(collectFindings({ klass: identity, platform, tenant: forged })).toEqual([
    'spec.labels["example.com/id"] must not be set: the key \'example.com/id\' is trusted on the platform',
  ]);
  const openKey = { ...identity, allow: { labels: [{ key: 'example.com/*' }] } };
  expect(collectFindings({ klass: openKey, platform, tenant: forged })).toHaveLength(1);
  expect(collectFindings({ klass: identity, tenant: forged })).toEqual([
    expect.stringContaining('must be a key that class standard opens in allow.labels'),
  ]);
});

test.each<[string, string, boolean]>([
  ['{namespace}', 'payments', false],
  ['{tenant}-{environment}', 'x-prod', false],
  ['{environment}', 'prod', true],
  ['in-{environment}', 'in-prod', true],
  ['in-{environment}', 'on-prod', false],
  ['in-{environment}-x', 'in-x', false],
  ['plain', 'plain', true],
])('selecting %s by %s matches every tenant: %s', (text, value, isEverybody) => {
  const klass = { ...identity, defaults: { labels: { 'example.com/id': text } } };
  const network = { allowFrom: [{ name: 'x', namespaceLabels: { 'example.com/id': value } }] };
  const tenant = { environment: 'dev', network };
  expect(collectFindings({ klass, tenant })).toHaveLength(isEverybody ? 1 : 0);
});
