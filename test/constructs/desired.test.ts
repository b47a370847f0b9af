import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TenantDeclaration } from '../../constructs/tenant/declaration.ts';
import { claimOf } from '../../constructs/tenant/claim.ts';
import { desired, tenantObject } from '../../constructs/tenant/desired.ts';
import { resolvePlatform } from '../../constructs/tenant/platform.ts';
import type { KubeObject } from '../../kube/object.ts';
import { runs } from '../kube/yaml/runs.ts';
import { anyClass, anyTenant, deepFreeze, reordered } from './declared.ts';
import { desiredOf, ofKind } from './given.ts';

const idOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const everything = (tenant: Parameters<typeof desiredOf>[0]): KubeObject[] =>
  desiredOf(tenant).namespaces.flatMap(({ objects }) => objects);

test('the same input gives the same output, and is not changed by it', () => {
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

test('which objects there are and how they are named does not depend on positions in lists', () => {
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

test('no two objects are one, and every one in a namespace says whose it is', () => {
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

test('everything is data: what is rendered survives JSON as it is', () => {
  fc.assert(
    fc.property(anyTenant, (tenant) => {
      const objects = everything({ tenant });
      expect(JSON.parse(JSON.stringify(objects))).toEqual(objects);
    }),
    runs(50),
  );
});

test('a tenant with one mistake has no objects at all', () => {
  const { namespaces, findings, clusters } = desiredOf({
    tenant: { access: { admins: { groups: ['system:masters'] } }, namespaces: [{ name: 'a' }] },
  });
  expect(findings).toHaveLength(1);
  expect(namespaces).toEqual([]);
  expect(clusters).toEqual(['in-cluster']);
});

test('a warning leaves the objects where they are', () => {
  const rules = [{ apiGroups: [''], resources: ['pod'], verbs: ['get'] }];
  const tenant = { access: { roles: [{ name: 'a', rules }] } };
  const klass = { ceilings: { roles: rules } };
  expect(desiredOf({ tenant, klass }).findings).toMatchObject([{ severity: 'warning' }]);
  expect(ofKind({ tenant, klass }, 'Role')).toHaveLength(1);
});

test('a mistake that holds in several namespaces for one reason is told once', () => {
  const namespaces = ['a', 'b', 'c'].map((name) => ({ name }));
  expect(desiredOf({ tenant: { namespaces, labels: { 'k8s.io/x': 'y' } } }).findings).toHaveLength(
    1,
  );
});

test('all mistakes come at once', () => {
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

test('the Tenant itself is what was declared, with nothing filled in', () => {
  const spec = { quota: { preset: 'none' } };
  expect(tenantObject({ name: 'acme', spec })).toEqual({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 'acme' },
    spec,
  });
  const labels = { a: 'b' };
  expect(desiredOf({ labels, tenant: spec }).tenant.metadata).toEqual({ name: 'acme', labels });
});

test('a tenant claims its own name, and the whole names of its namespaces', () => {
  expect(claimOf({ name: 'acme', spec: {} })).toEqual({ name: 'acme', namespaces: ['acme'] });
  const spec = { namespacePrefix: 'x-', namespaces: [{ name: 'a' }, { name: 'b' }] };
  expect(claimOf({ name: 'acme', spec })).toEqual({ name: 'acme', namespaces: ['x-a', 'x-b'] });
});
