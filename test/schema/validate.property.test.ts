import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { platform } from '../../crds/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { validate } from '@tenantry/crd/schema/validate';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { valuesOf } from '@tenantry/crd/test/schema/language/given';

const head = (kind: string) => ({
  apiVersion: 'tenantry.dev/v1alpha1',
  kind,
  metadata: { name: 'x' },
});

/** Generates any JSON value, with the names of our own fields among the keys so that it matches parts of schemas. */
function anything(schema: JSONSchemaProps): fc.Arbitrary<unknown> {
  const names = new Set<string>(['__proto__', 'constructor', 'name']);
  const visit = (node: JSONSchemaProps): void => {
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      names.add(name);
      visit(field);
    }
    if (node.items) visit(node.items);
    const values = valuesOf(node);
    if (values) visit(values);
  };
  visit(schema);
  const key = fc.oneof(fc.constantFrom(...names), fc.string());
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  })).value;
}

/** Generates a value with the shape of a schema, and with some errors in it. */
function almost(node: JSONSchemaProps): fc.Arbitrary<unknown> {
  const noise = { weight: 1, arbitrary: fc.oneof(fc.string(), fc.integer(), fc.constant(null)) };
  const right = (): fc.Arbitrary<unknown> => {
    if (node.enum) return fc.constantFrom(...node.enum);
    if (node.properties) {
      const fields = Object.entries(node.properties).map(([name, field]) => [name, almost(field)]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    }
    if (node.items) return fc.array(almost(node.items), { maxLength: 3 });
    const values = valuesOf(node);
    if (values) return fc.dictionary(fc.string(), almost(values), { maxKeys: 3 });
    if (node.type === 'boolean') return fc.boolean();
    if (node.type === 'integer' || node['x-kubernetes-int-or-string']) return fc.nat();
    if (node.type === 'object') return fc.object();
    return fc.constantFrom('a', 'a-b', '10', '1Gi', 'none', 'unlimited', '');
  };
  return fc.oneof({ weight: 12, arbitrary: right() }, noise);
}

test.each([tenant, tenantClass, platform])(
  'any JSON can be read as a $kind, and the input does not change',
  (kind) => {
    const spec = kind.file.properties!['spec']!;
    const values = fc.oneof(
      anything(kind.file),
      almost(kind.file),
      almost(spec).map((value) => ({ ...head(kind.kind), spec: value })),
    );
    let refused = 0;
    fc.assert(
      fc.property(values, (value) => {
        const before = JSON.stringify(value);
        const found = validate(kind.file, value);
        refused += found.length > 0 ? 1 : 0;
        expect(JSON.stringify(value)).toBe(before);
        for (const { message } of found) {
          expect(message).toMatch(/^must /);
          expect(message).not.toMatch(/\n/);
        }
      }),
      runs(200),
    );
    expect(refused).toBeGreaterThan(0);
    expect(validate(kind.file, { ...head(kind.kind), spec: {} })).toEqual([]);
  },
);
