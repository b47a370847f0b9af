import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TenantDeclaration } from '../../model/declaration.ts';
import { buildClaim } from '../../model/name-claims.ts';
import { toTenantObject } from '../../model/declared-objects.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { Fleet } from '../../model/fleet.ts';
import { formatFinding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyClass, anyTenant, deepFreeze, reordered } from './declared.ts';
import { desiredOf, ofKind } from './given.ts';

const idOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const everything = (tenant: Parameters<typeof desiredOf>[0]): KubeObject[] =>
  desiredOf(tenant).namespaces.flatMap(({ objects }) => objects);

test('the same input gives the same output, and is not modified', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, (spec, klass) => {
      const declaration: TenantDeclaration = deepFreeze({ name: 'acme', spec });
      const standard = deepFreeze({ name: 'standard', spec: klass });
      const platform = resolvePlatform();
      for (const part of Object.values(platform)) if (!(part instanceof Map)) deepFreeze(part);
      const first = desired(declaration, standard, platform);
      const again = desired(
        JSON.parse(JSON.stringify(declaration)),
        JSON.parse(JSON.stringify(standard)),
        resolvePlatform(),
      );
      expect(first.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    }),
    runs(100),
  );
});

test('the objects and their names do not depend on the order of lists', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, (tenant, klass) => {
      const there = everything({ tenant, klass }).map(idOf).toSorted();
      const other = everything({ tenant: reordered(tenant), klass: reordered(klass) });
      expect(other.map(idOf).toSorted()).toEqual(there);
    }),
    runs(100),
  );
});

test('the order of subjects, namespaces and roles changes no binding and no quota', () => {
  const byId = (objects: KubeObject[]) =>
    Object.fromEntries(objects.map((one) => [idOf(one), one]));
  fc.assert(
    fc.property(anyTenant, (tenant) => {
      const kinds = new Set(['RoleBinding', 'ResourceQuota', 'Role', 'Namespace']);
      const some = (given: typeof tenant) =>
        byId(everything({ tenant: given }).filter(({ kind }) => kinds.has(kind)));
      expect(some(reordered(tenant))).toEqual(some(tenant));
    }),
    runs(100),
  );
});

test('object identities are unique, and every object in a namespace names its owner', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, (tenant, klass) => {
      for (const { name, objects } of desiredOf({ tenant, klass }).namespaces) {
        const ids = objects.map(idOf);
        expect(new Set(ids).size).toBe(ids.length);
        const [namespace, ...inside] = objects;
        expect(namespace!.metadata).toMatchObject({ name });
        expect(namespace!.metadata).not.toHaveProperty('namespace');
        for (const { metadata } of objects) {
          expect(metadata.labels).toMatchObject({
            'app.kubernetes.io/managed-by': 'tenantry',
            'tenantry.dev/tenant': 'acme',
          });
        }
        for (const { metadata } of inside) expect(metadata.namespace).toBe(name);
      }
    }),
    runs(100),
  );
});

test('every rendered object is plain data: it survives a round trip through JSON', () => {
  fc.assert(
    fc.property(anyTenant, (tenant) => {
      const objects = everything({ tenant });
      expect(JSON.parse(JSON.stringify(objects))).toEqual(objects);
    }),
    runs(50),
  );
});

test('a tenant with a single error has no objects at all', () => {
  const { namespaces, findings, clusters } = desiredOf({
    tenant: { access: { admins: { groups: ['system:masters'] } }, namespaces: [{ name: 'a' }] },
  });
  expect(findings).toHaveLength(1);
  expect(namespaces).toEqual([]);
  expect(clusters).toEqual(['in-cluster']);
});

test('a warning does not remove objects', () => {
  const rules = [{ apiGroups: [''], resources: ['pod'], verbs: ['get'] }];
  const tenant = { access: { roles: [{ name: 'a', rules }] } };
  const klass = { ceilings: { roles: rules } };
  expect(desiredOf({ tenant, klass }).findings).toMatchObject([{ severity: 'warning' }]);
  expect(ofKind({ tenant, klass }, 'Role')).toHaveLength(1);
});

test('an error with the same cause in several namespaces is reported once', () => {
  const namespaces = ['a', 'b', 'c'].map((name) => ({ name }));
  expect(desiredOf({ tenant: { namespaces, labels: { 'k8s.io/x': 'y' } } }).findings).toHaveLength(
    1,
  );
});

test('all errors are reported at once', () => {
  const tenant = {
    labels: { 'k8s.io/x': 'y' },
    quota: { hard: { pod: 1 } },
    contact: { nobody: 'x' },
    access: { clusterRoles: [{ name: 'cluster-admin' }] },
    clusters: ['nowhere'],
  };
  expect(
    desiredOf({ tenant })
      .findings.map(({ rule }) => rule)
      .toSorted(),
  ).toEqual(['cluster', 'cluster-role', 'contact-key', 'metadata-key', 'quota-key']);
});

test('the Tenant itself is rendered as declared, without defaults', () => {
  const spec = { quota: { preset: 'none' } };
  expect(toTenantObject({ name: 'acme', spec })).toEqual({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 'acme' },
    spec,
  });
  const labels = { a: 'b' };
  expect(desiredOf({ labels, tenant: spec }).tenant.metadata).toEqual({ name: 'acme', labels });
});

test('a tenant claims its own name, and the full names of its namespaces', () => {
  expect(buildClaim({ name: 'acme', spec: {} })).toEqual({ name: 'acme', namespaces: ['acme'] });
  const spec = { namespacePrefix: 'x-', namespaces: [{ name: 'a' }, { name: 'b' }] };
  expect(buildClaim({ name: 'acme', spec })).toEqual({ name: 'acme', namespaces: ['x-a', 'x-b'] });
});

const platform = resolvePlatform({});
const standard = { name: 'standard', spec: {} };

test.each([
  [{ network: { allowFrom: null } }, 'spec.network.allowFrom must be a list, got null'],
  [{ quota: { hard: null } }, 'spec.quota.hard must be a mapping, got null'],
  [{ namespaces: [null] }, 'spec.namespaces[0] must be a mapping, got null'],
  [
    { network: { policies: [{ name: 'a', spec: null }] } },
    'spec.network.policies[0].spec must be a mapping, got null',
  ],
  [
    { resources: [{ manifest: 7 }] },
    'spec.resources[0].manifest must be a Kubernetes object, got 7',
  ],
])('input that the types exclude is reported, regardless of its source: %j', (spec, message) => {
  const tenant = { name: 'acme', spec: spec as never };
  const { findings, namespaces, clusters } = desired(tenant, standard, platform);
  expect(findings.map(formatFinding)).toEqual([message]);
  expect([...namespaces, ...clusters]).toEqual([]);
  const fleet = new Fleet();
  expect(fleet.add(tenant, 'a.ts').findings.map(formatFinding)).toEqual([message]);
  expect(fleet.isTaken({ name: 'acme', namespaces: ['acme'] })).toBe(false);
});

test('a class that the types exclude is reported, and nothing is rendered from it', () => {
  const klass = { name: 'standard', spec: { defaults: { quota: null } } as never };
  const message = 'spec.defaults.quota must be a mapping, got null';
  expect(desired({ name: 'acme', spec: {} }, klass, platform)).toMatchObject({
    namespaces: [],
    findings: [
      {
        path: ['spec', 'className'],
        rule: 'class',
        message: `must be a class that can be used, got 'standard': ${message}`,
      },
    ],
  });
  const fleet = new Fleet();
  expect(fleet.classes.add(klass).map(formatFinding)).toEqual([message]);
  expect(fleet.classes.all.map(({ name }) => name)).toEqual(['default']);
  expect(fleet.classes.isUnusable({ name: 'acme', spec: { className: 'standard' } })).toBe(true);
});

test('a tenant that becomes invalid keeps its claims', () => {
  const fleet = new Fleet();
  fleet.add({ name: 'acme', spec: { namespaces: [{ name: 'a' }] } }, 'a');
  const nonsense = { name: 'acme', spec: { namespaces: [null] } as never };
  expect(fleet.replace(nonsense, 'a')).toMatchObject({ desired: { namespaces: [] }, waiting: [] });
  expect(fleet.isTaken({ name: 'other', namespaces: ['a'] })).toBe(true);
});

test('the metadata of a Tenant in a cluster may have fields that a declaration cannot have', () => {
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(20_000),
  };
  const { findings } = desired({ name: 'acme', annotations, spec: {} }, standard, platform);
  expect(findings.filter(({ rule }) => rule === 'schema')).toEqual([]);
});

test('the spec of a Tenant is not accepted as the spec of a class', () => {
  const spec = { namespaces: [{ name: 'a' }] };
  expect(desired({ name: 'acme', spec }, standard, platform).findings).toEqual([]);
  expect(new Fleet().classes.add({ name: 'odd', spec: spec as never }).map(formatFinding)).toEqual([
    expect.stringContaining('spec.namespaces must be a known field'),
  ]);
});
