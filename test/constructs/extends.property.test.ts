import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extendClass } from '../../model/classes/extend.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyClass, anyTenant } from './declared.ts';

const amounts = fc.dictionary(fc.constantFrom('pods', 'services', 'secrets'), fc.nat(9));
const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
const reach = fc.record(
  { anywhere: fc.constantFrom('Allow', 'Deny'), cidrs: words },
  { requiredKeys: [] },
);

/** The ceilings and allowances of a class, without defaults. */
const anyBounds = fc.record(
  {
    ceilings: fc.record(
      {
        namespaces: fc.integer({ min: 1, max: 9 }),
        quota: amounts,
        network: fc.record({ ingressFrom: reach, egressTo: reach }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    allow: fc.record({ clusterRoles: words, clusters: words }, { requiredKeys: [] }),
    roles: fc.record(
      { admins: fc.constantFrom('x', 'y'), viewers: fc.constantFrom('x', 'y') },
      { requiredKeys: [] },
    ),
    presets: fc.record(
      {
        quotas: fc.uniqueArray(fc.record({ name: fc.constantFrom('s', 'l'), hard: amounts }), {
          selector: ({ name }) => name,
        }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<TenantClassSpec>;

const platform = resolvePlatform();
const named = (spec: TenantClassSpec) => ({ name: 'standard', spec });
const extend = (child: TenantClassSpec, parent: TenantClassSpec) =>
  extendClass(named(child), named(parent));

const results = (tenant: TenantSpec, klass: Parameters<typeof desired>[1]) =>
  desired({ name: 'acme', spec: tenant }, klass, platform);

/** Returns every value that is not a mapping, by its path. */
function leaves(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map([[path, value]]);
  }
  return new Map(Object.entries(value).flatMap(([key, one]) => [...leaves(one, `${path}.${key}`)]));
}

test('a child without settings equals its parent', () => {
  fc.assert(
    fc.property(anyClass, anyTenant, (parent, tenant) => {
      expect(results(tenant, extend({}, parent))).toEqual(results(tenant, named(parent)));
    }),
    runs(60),
  );
});

test('a class that extends an empty one is unchanged', () => {
  fc.assert(
    fc.property(anyClass, anyTenant, (child, tenant) => {
      expect(results(tenant, extend(child, {}))).toEqual(results(tenant, named(child)));
    }),
    runs(60),
  );
});

test("defaults of the child are merged over the parent's as an environment over defaults", () => {
  fc.assert(
    fc.property(anyClass, anyClass, anyTenant, (parent, child, tenant) => {
      const stacked = { ...parent, environments: [{ name: 'prod', ...child.defaults }] };
      const there: TenantSpec = { ...tenant, environment: 'prod' };
      const wanted = results(there, named(stacked as TenantClassSpec));
      expect(results(there, extend(child, parent))).toEqual(wanted);
    }),
    runs(60),
  );
});

test('every bound is that of the child, or of the parent where the child sets none', () => {
  fc.assert(
    fc.property(anyBounds, anyBounds, (parent, child) => {
      const { presets: _own, ...own } = child;
      const { presets: _offered, ...shared } = parent;
      const { presets = {}, ...found } = extend(child, parent).spec;
      const wanted = new Map([...leaves(shared), ...leaves(own)]);
      expect(leaves(found)).toEqual(wanted);
      const quotas = new Map(
        [...(parent.presets?.quotas ?? []), ...(child.presets?.quotas ?? [])].map((one) => [
          one.name,
          one,
        ]),
      );
      expect(new Map(presets.quotas?.map((one) => [one.name, one]))).toEqual(quotas);
    }),
    runs(200),
  );
});

test('extending an already extended class changes nothing', () => {
  fc.assert(
    fc.property(anyBounds, anyBounds, (parent, child) => {
      const { spec } = extend(child, parent);
      expect(extend(spec, parent).spec).toEqual(spec);
    }),
    runs(100),
  );
});
