import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyExceptions, listExceptionParts, removePart } from '../../model/classes/exceptions.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { ClassException } from '../../crds/types.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyTenant, deepFreeze } from './declared.ts';

const amount = fc.oneof(fc.nat(99), fc.constant('unlimited'));
const amounts = fc.dictionary(fc.constantFrom('pods', 'services', 'secrets'), amount);
const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));

const anyException = fc.record(
  {
    tenants: fc.uniqueArray(fc.constantFrom('acme', 'blue', 'core'), { minLength: 1 }),
    namespaces: fc.uniqueArray(fc.constantFrom('ns-a', 'ns-b'), { minLength: 1 }),
    reason: fc.constant('agreed'),
    ceilings: fc.record({ quota: amounts, limits: amounts }, { requiredKeys: [] }),
    allow: fc.record({ clusterRoles: words, clusters: words }, { requiredKeys: [] }),
  },
  { requiredKeys: ['tenants', 'reason', 'allow'] },
) as fc.Arbitrary<ClassException>;

const bounds = fc.record(
  {
    ceilings: fc.record(
      { quota: fc.dictionary(fc.constantFrom('pods', 'services'), fc.nat(99)) },
      { requiredKeys: [] },
    ),
    allow: fc.record({ clusterRoles: words, clusters: words }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<TenantClassSpec>;

const named = (spec: TenantClassSpec) => deepFreeze({ name: 'standard', spec });
const platform = resolvePlatform();

test('an exception affects no other tenant', () => {
  fc.assert(
    fc.property(bounds, fc.array(anyException), anyTenant, (klass, exceptions, tenant) => {
      const others = exceptions.filter(({ tenants }) => !tenants.includes('acme'));
      const acme = { name: 'acme', spec: tenant };
      expect(desired(acme, named({ ...klass, exceptions: others }), platform)).toEqual(
        desired(acme, named(klass), platform),
      );
    }),
    runs(60),
  );
});

test('the class of a tenant has its exceptions merged, and those for a namespace override them', () => {
  fc.assert(
    fc.property(bounds, fc.array(anyException, { maxLength: 4 }), (klass, exceptions) => {
      const { spec } = applyExceptions(named({ ...klass, exceptions }), 'acme', 'ns-a');
      const own = exceptions.filter(({ tenants }) => tenants.includes('acme'));
      const held = [
        ...own.filter(({ namespaces }) => !namespaces),
        ...own.filter(({ namespaces }) => namespaces?.includes('ns-a')),
      ];
      const quota: Record<string, unknown> = { ...klass.ceilings?.quota };
      for (const { ceilings } of held) Object.assign(quota, ceilings?.quota);
      const wanted = Object.entries(quota).filter(([, value]) => value !== 'unlimited');
      expect(spec.ceilings?.quota ?? {}).toEqual(Object.fromEntries(wanted));
      const added = held.flatMap(({ allow }) => allow?.clusterRoles ?? []);
      expect(spec.allow?.clusterRoles ?? []).toEqual([
        ...(klass.allow?.clusterRoles ?? []),
        ...added,
      ]);
      const clusters = klass.allow?.clusters;
      expect(spec.allow?.clusters).toEqual(
        clusters && [...clusters, ...held.flatMap(({ allow }) => allow?.clusters ?? [])],
      );
    }),
    runs(200),
  );
});

test('resolving the class of a tenant twice gives the same as once', () => {
  fc.assert(
    fc.property(bounds, fc.array(anyException), (klass, exceptions) => {
      const all = exceptions.map(({ namespaces: _all, ...rest }) => rest);
      const once = applyExceptions(named({ ...klass, exceptions: all }), 'acme');
      expect(applyExceptions(once, 'acme').spec).toEqual(once.spec);
    }),
    runs(100),
  );
});

test('an exception with all of its parts removed allows nothing', () => {
  fc.assert(
    fc.property(bounds, anyException, (klass, exception) => {
      let rest = exception;
      for (
        let parts = listExceptionParts(rest);
        parts.length > 0;
        parts = listExceptionParts(rest)
      ) {
        const fewer = removePart(rest, parts[0]!);
        expect(listExceptionParts(fewer)).toHaveLength(parts.length - 1);
        rest = fewer;
      }
      const acme = { name: 'acme', spec: {} };
      const empty = named({ ...klass, exceptions: [rest] });
      expect(desired(acme, empty, platform)).toEqual(desired(acme, named(klass), platform));
    }),
    runs(100),
  );
});
