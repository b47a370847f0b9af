import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { jitCompile } from '../../schema/validator/code.ts';
import { undeterminedFails, UndeterminedReasons } from '../../schema/validator/schema-node.ts';
import { getNode } from '../../schema/validator/node.ts';
import { compileSchema } from '../../schema/validator.ts';
import { schemas, valuesNear } from '@tenantry/test-tools/cluster/instances-generated';
import { runs } from '@tenantry/kube/test/yaml/runs';

test('the fast answer, the generated code and the explanation never differ', () => {
  const seen = { valid: 0, invalid: 0 };
  // When every mutant runs, a tenth is enough.
  const amount = runs(process.env['TENANTRY_FIRST_FAILURE'] === '1' ? 30 : 300);
  fc.assert(
    fc.property(
      schemas().chain((schema) =>
        fc.tuple(fc.constant(schema), fc.array(valuesNear(schema), { minLength: 4, maxLength: 8 })),
      ),
      ([schema, values]) => {
        const node = getNode(schema, 'strict');
        jitCompile(node);
        expect(node.quick).not.toBe(node.accepts);
        for (const value of values) {
          const before = JSON.stringify(value);
          const [undetermined, doubtsOfCode] = [
            new UndeterminedReasons(),
            new UndeterminedReasons(),
          ];
          const accepted = node.accepts(value, undetermined);
          const { errors } = compileSchema(schema).check(value);
          expect(errors.length === 0).toBe(accepted);
          for (const { message } of errors) expect(message).toMatch(/^must [^\n]*$/);
          expect(node.quick(value, doubtsOfCode)).toBe(accepted);
          if (accepted) expect(doubtsOfCode.all()).toEqual(undetermined.all());
          for (const ask of [node.accepts, node.quick]) {
            expect(ask(value, undeterminedFails)).toBe(accepted && undetermined.isEmpty);
          }
          seen[accepted ? 'valid' : 'invalid'] += 1;
          expect(JSON.stringify(value)).toBe(before);
        }
      },
    ),
    amount,
  );
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(amount.numRuns / 2);
});

/** Returns the same value with the keys of its objects in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (!isMapping(value)) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, turned(field)]);
  return Object.fromEntries(entries.toReversed());
}

/** The number of objects around a deep value. */
const DEPTH = 9;

function wrapSchema(schema: JSONSchemaProps, depth = DEPTH): JSONSchemaProps {
  if (depth === 0) return schema;
  return { type: 'object', properties: { in: wrapSchema(schema, depth - 1) } };
}

function wrapValue(value: unknown, depth = DEPTH): unknown {
  return depth === 0 ? value : { in: wrapValue(value, depth - 1) };
}

test('findings are the same deep in a value, where the validator runs less often', () => {
  const seen = { valid: 0, one: 0, more: 0 };
  const amount = runs(process.env['TENANTRY_FIRST_FAILURE'] === '1' ? 60 : 600);
  fc.assert(
    fc.property(
      schemas().chain((schema) =>
        fc.tuple(fc.constant(schema), fc.array(valuesNear(schema), { minLength: 4, maxLength: 8 })),
      ),
      ([schema, values]) => {
        const path = Array.from({ length: DEPTH }, () => 'in');
        const [top, deep] = [compileSchema(structuredClone(schema)), wrapSchema(schema)];
        jitCompile(getNode(deep, 'strict'));
        for (const value of [...values, ...values.map(turned)]) {
          const { errors, notChecked } = top.check(value, { path });
          const wanted = expect.objectContaining({ errors, notChecked });
          expect(compileSchema(deep).check(wrapValue(value))).toEqual(wanted);
          if (errors.length > 1) seen.more += 1;
          else seen[errors.length === 1 ? 'one' : 'valid'] += 1;
        }
      },
    ),
    amount,
  );
  expect(Math.min(seen.valid, seen.one, seen.more)).toBeGreaterThan(amount.numRuns / 2);
});
