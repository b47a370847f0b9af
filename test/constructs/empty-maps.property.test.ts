import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { desired } from '../../constructs/tenant/desired.ts';
import { withoutEmptyMaps } from '../../constructs/tenant/empty-maps.ts';
import { resolvePlatform } from '../../constructs/tenant/platform.ts';
import { tenant, type TenantSpec } from '../../crds/tenantry/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../crds/tenantry/tenant-class.ts';
import { isMapping } from '../../kube/mapping.ts';
import { arbitraryValue } from '../../schema/arbitrary.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { validate } from '../../schema/validate.ts';
import { runs } from '../kube/yaml/runs.ts';

test('what says nothing is left out of mappings and lists by key, and what an empty mapping means stays', () => {
  const spec: TenantSpec = {
    className: 'standard',
    access: {},
    labels: {},
    quota: { hard: {} },
    network: { policies: [{ name: 'all', spec: { podSelector: {} } }] },
    namespaces: [{ name: 'a', quota: {}, access: { admins: {} } }],
  };
  expect(withoutEmptyMaps(tenant.spec, spec)).toEqual({
    className: 'standard',
    network: { policies: [{ name: 'all', spec: { podSelector: {} } }] },
    namespaces: [{ name: 'a' }],
  });
});

test('nothing else is wanted of a tenant whose empty mappings are left out', () => {
  const platform = resolvePlatform();
  const wanted = (spec: TenantSpec, klass: TenantClassSpec) => {
    const { namespaces, argocd, findings } = desired(
      { name: 'acme', spec },
      { name: 'standard', spec: klass },
      platform,
    );
    // A problem is told where it is written, so its path may be another.
    const reportedRules = new Set(findings.map(({ rule, severity }) => `${severity} ${rule}`));
    return { namespaces, argocd, reportedRules };
  };
  const tenants = arbitraryValue(tenant.spec).map((value) => emptied(tenant.spec, value));
  const classes = fc.oneof(fc.constant({}), arbitraryValue(tenantClass.spec));
  fc.assert(
    fc.property(tenants, classes, (given, klass) => {
      const spec = given as TenantSpec;
      const { extends: _other, ...alone } = klass as TenantClassSpec;
      const less = withoutEmptyMaps(tenant.spec, spec);
      expect(validate(tenant.spec, less)).toEqual(validate(tenant.spec, spec));
      expect(wanted(less, alone)).toEqual(wanted(spec, alone));
    }),
    runs(300),
  );
});

/** With an empty mapping wherever one may stand and nothing does, selectors apart. */
function emptied(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => emptied(schema.items ?? {}, one));
  if (!isMapping(value)) return value;
  const own = Object.entries(value).map(
    ([key, one]) => [key, emptied(schema.properties?.[key] ?? {}, one)] as const,
  );
  const added = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const mayBe = inner.type === 'object' && !inner.required && !inner.minProperties;
    const isSelector = inner.properties !== undefined && 'matchLabels' in inner.properties;
    return mayBe && !isSelector && !Object.hasOwn(value, key) ? [[key, {}] as const] : [];
  });
  const whole = Object.fromEntries([...own, ...added]);
  return validate(schema, whole).length === 0 ? whole : value;
}
