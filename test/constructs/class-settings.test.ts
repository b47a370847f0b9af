import { expect, test } from '@jest/globals';
import { tenantClass, type TenantClassSpec } from '../../crds/tenant-class.ts';
import { platform } from '../../crds/platform.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { bindingsOf, objectsOf, collectFindings } from './given.ts';

const klass: TenantClassSpec = {
  bindingNames: { special: '{namespace}-special', view: 'viewers-of-{tenant}' },
  allow: { clusterRoles: ['special'] },
};

test('a class names the bindings of ClusterRoles that no other layer names', () => {
  const access = {
    admins: { users: ['a'] },
    viewers: { users: ['b'] },
    clusterRoles: [
      { name: 'special', users: ['c'] },
      { name: 'special', users: ['d'], bindingName: 'own' },
    ],
  };
  expect(bindingsOf({ klass, tenant: { access } })).toEqual([
    'tenant-clusterrole-admin: ClusterRole admin <- User a',
    'viewers-of-acme: ClusterRole view <- User b',
    'acme-special: ClusterRole special <- User c',
    'own: ClusterRole special <- User d',
  ]);
});

test('users may not create objects of these names, even before anybody is bound', () => {
  const { annotations } = objectsOf({ klass })[0]!.metadata;
  const names = annotations!['policy.tenantry.dev/names']!.split('\n');
  expect(names).toContain('RoleBinding.rbac.authorization.k8s.io acme-special');
  expect(names).toContain('RoleBinding.rbac.authorization.k8s.io viewers-of-acme');
});

const mapOf = (bytes: number) => ({
  manifest: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    data: { a: 'x'.repeat(bytes) },
  },
});

test.each([
  [undefined, 60_000, 66_000, 65536],
  [2000, 1000, 3000, 2000],
  [200_000, 190_000, 201_000, 200_000],
])('the class sets the size limit of objects (%s)', (resourceBytes, fits, exceeds, most) => {
  const ceilings = resourceBytes === undefined ? {} : { resourceBytes };
  expect(collectFindings({ klass: { ceilings }, tenant: { resources: [mapOf(fits)] } })).toEqual(
    [],
  );
  expect(collectFindings({ klass: { ceilings }, tenant: { resources: [mapOf(exceeds)] } })).toEqual(
    [expect.stringContaining(`must be at most ${most} bytes, got`)],
  );
});

test('an exception raises the size limit for one tenant', () => {
  const spec: TenantClassSpec = {
    exceptions: [{ tenants: ['acme'], reason: 'x', ceilings: { resourceBytes: 100_000 } }],
  };
  expect(collectFindings({ klass: spec, tenant: { resources: [mapOf(90_000)] } })).toEqual([]);
});

test('environments keep the spelling of the platform, also in labels', () => {
  const environments = [{ name: 'UAT', labels: { tier: 'uat' } }];
  const { labels } = objectsOf({ klass: { environments }, tenant: { environment: 'UAT' } })[0]!
    .metadata;
  expect(labels).toMatchObject({ 'tenantry.dev/environment': 'UAT', tier: 'uat' });
});

test('a class that spells an environment differently from the platform causes a warning', () => {
  const of = (environment: string, ...names: string[]) =>
    collectFindings({
      klass: { environments: names.map((name) => ({ name })) },
      tenant: { namespaces: [{ name: 'a', environment }, { name: 'b' }] },
    });
  expect(of('uat', 'UAT')).toEqual([
    "warning spec.namespaces[0].environment must be spelled as class standard does (UAT) for its settings to apply, got 'uat'",
  ]);
  expect(of('uat', 'UAT', 'uat')).toEqual([]);
  expect(of('uat', 'prod')).toEqual([]);
  expect(
    collectFindings({ platform: { environments: ['UAT'] }, tenant: { environment: 'uat' } }),
  ).toEqual(["spec.environment must be one of UAT, got 'uat'; did you mean 'UAT'?"]);
});

test('a class has at most 64 environments, whose names are valid label values', () => {
  const of = (environments: readonly { readonly name: string }[]) =>
    validate(tenantClass.spec, { environments });
  const many = Array.from({ length: 65 }, (_, i) => ({ name: `e${i}` }));
  expect(of(many.slice(1))).toEqual([]);
  expect(of(many)).toHaveLength(1);
  for (const name of ['', '-a', 'a b', 'x'.repeat(64)]) expect(of([{ name }])).toHaveLength(1);
  expect(validate(platform.spec, { environments: ['UAT', 'pre_prod.1'] })).toEqual([]);
});
