import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { desired } from '../../model/desired.ts';
import { withoutEmptyMaps } from '../../model/declared-objects.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { tenant, type TenantSpec } from '../../crds/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../crds/tenant-class.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { arbitraryValue } from '@tenantry/crd/schema/arbitrary';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { validate } from '@tenantry/crd/schema/validate';
import { runs } from '@tenantry/kube/test/yaml/runs';

test('empty mappings without a meaning are removed from mappings and keyed lists, and meaningful ones stay', () => {
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

test('removing empty mappings does not change what a tenant renders', () => {
  const platform = resolvePlatform();
  const wanted = (spec: TenantSpec, klass: TenantClassSpec) => {
    const { namespaces, argocd, findings } = desired(
      { name: 'acme', spec },
      { name: 'standard', spec: klass },
      platform,
    );
    // The path is left out: a finding is reported where the value is written, which may change.
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

/** Adds an empty mapping wherever one is allowed and no value is set, except for selectors. */
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
