import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import { jitCompile } from '../../schema/validator/code.ts';
import { undeterminedFails, UndeterminedReasons } from '../../schema/validator/undetermined.ts';
import { explain, NO_OLD_VALUE } from '../../schema/validator/explain.ts';
import { getNode } from '../../schema/validator/node.ts';
import { jitCompileSearch, findErrorCandidates } from '../../schema/validator/error-candidates.ts';
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
          const [doubts, doubtsOfCode] = [new UndeterminedReasons(), new UndeterminedReasons()];
          const accepted = node.accepts(value, doubts);
          const { errors } = compileSchema(schema).check(value);
          expect(errors.length === 0).toBe(accepted);
          for (const { message } of errors) expect(message).toMatch(/^must [^\n]*$/);
          expect(node.quick(value, doubtsOfCode)).toBe(accepted);
          if (accepted) expect(doubtsOfCode.all()).toEqual(doubts.all());
          for (const ask of [node.accepts, node.quick]) {
            expect(ask(value, undeterminedFails)).toBe(accepted && doubts.isEmpty);
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

test('a search of the places that code suspects has the same findings as a search everywhere', () => {
  const seen = { valid: 0, one: 0, more: 0, anywhere: 0 };
  const amount = runs(process.env['TENANTRY_FIRST_FAILURE'] === '1' ? 60 : 600);
  fc.assert(
    fc.property(
      schemas().chain((schema) =>
        fc.tuple(fc.constant(schema), fc.array(valuesNear(schema), { minLength: 4, maxLength: 8 })),
      ),
      ([schema, values]) => {
        const plain = getNode(structuredClone(schema), 'strict');
        const node = getNode(schema, 'strict');
        jitCompileSearch(node);
        for (const value of [...values, ...values.map(turned)]) {
          const looked = explain(plain, value, ['at'], NO_OLD_VALUE, 'anywhere');
          const suspects = findErrorCandidates(node, value);
          const { errors } = looked;
          if (suspects === undefined) expect([errors, looked.notChecked]).toEqual([[], []]);
          else expect(explain(node, value, ['at'], NO_OLD_VALUE, suspects)).toEqual(looked);
          if (suspects === 'anywhere') seen.anywhere += 1;
          else if (errors.length > 1) seen.more += 1;
          else seen[errors.length === 1 ? 'one' : 'valid'] += 1;
        }
      },
    ),
    amount,
  );
  expect(Math.min(seen.valid, seen.one, seen.more)).toBeGreaterThan(amount.numRuns / 2);
});
