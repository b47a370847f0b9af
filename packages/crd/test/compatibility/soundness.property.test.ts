import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareSchemas } from '../../compatibility/schemas.ts';
import { admitValue } from '../../schema/admission.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { ofSchemas, whole } from './given.ts';
import { anySchema, anyValue, mutated, type Chance } from './mutations.ts';

const root = { apiVersion: 'cache.example.com/v1', kind: 'Redis', scope: 'Namespaced' } as const;

const admitted = (schema: JSONSchemaProps, object: unknown) => admitValue(schema, object, { root });

function anyObject(g: Chance, schema: JSONSchemaProps) {
  const { apiVersion, kind } = root;
  const spec = anyValue(g, schema.properties!['spec']!);
  return { apiVersion, kind, metadata: { name: 'a', namespace: 'b' }, spec };
}

test('if all changes are compatible, every valid object stays valid and loses no data', () => {
  const met = { compatible: 0, pairs: 0, values: 0 };
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const depth = 1 + g(fc.nat, 1);
      const before = whole(anySchema(g, depth));
      const edits = 1 + g(fc.nat, 1);
      let spec = before.properties!['spec']!;
      for (let i = 0; i < edits; i += 1) spec = mutated(g, spec, depth);
      const after = whole(spec);
      met.pairs += 1;
      const changes = compareSchemas(before, after);
      if (changes.some(({ verdict }) => verdict !== 'compatible')) return;
      met.compatible += 1;
      for (let i = 0; i < 16; i += 1) {
        const object = anyObject(g, before);
        const was = admitted(before, object);
        if (was.errors.length + was.pruned.length > 0) continue;
        met.values += 1;
        for (const one of [object, was.value]) {
          const { errors, pruned } = admitted(after, one);
          expect({ object: one, errors, pruned }).toEqual({
            object: one,
            errors: [],
            pruned: [],
          });
        }
      }
    }),
    { ...runs(600), endOnFailure: true },
  );
  // The run contains enough compatible pairs to be meaningful.
  expect(met.compatible).toBeGreaterThan(met.pairs / 10);
  expect(met.values).toBeGreaterThan(met.compatible);
});

test('a schema compared with itself has no changes', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const schema = whole(anySchema(g, 2));
      expect(ofSchemas(schema, structuredClone(schema))).toEqual([]);
    }),
    { ...runs(200), endOnFailure: true },
  );
});

test('every change is reported', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = anySchema(g, 2);
      const after = mutated(g, before, 2);
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      const changes = ofSchemas(whole(before), whole(after));
      if (!isSame && changes.length === 0) expect([before, after]).toEqual([after, before]);
    }),
    { ...runs(600), endOnFailure: true },
  );
});
