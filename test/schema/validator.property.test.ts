import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quicken } from '../../schema/validator/code.ts';
import { doubtFails, Reasons } from '../../schema/validator/doubt.ts';
import { nodeOf } from '../../schema/validator/node.ts';
import { compileSchema } from '../../schema/validator.ts';
import { schemas, valuesNear } from '../cluster/instances-generated.ts';
import { runs } from '../kube/yaml/runs.ts';

test('the fast answer, the answer of code and the explanation never differ', () => {
  const seen = { valid: 0, invalid: 0 };
  // Where every mutant is asked, a tenth has to do.
  const amount = runs(process.env['TENANTRY_FIRST_FAILURE'] === '1' ? 30 : 300);
  fc.assert(
    fc.property(
      schemas().chain((schema) =>
        fc.tuple(fc.constant(schema), fc.array(valuesNear(schema), { minLength: 4, maxLength: 8 })),
      ),
      ([schema, values]) => {
        const node = nodeOf(schema, 'strict');
        quicken(node);
        expect(node.quick).not.toBe(node.accepts);
        for (const value of values) {
          const before = JSON.stringify(value);
          const [doubts, doubtsOfCode] = [new Reasons(), new Reasons()];
          const accepted = node.accepts(value, doubts);
          const { errors } = compileSchema(schema).check(value);
          expect(errors.length === 0).toBe(accepted);
          for (const { message } of errors) expect(message).toMatch(/^must [^\n]*$/);
          expect(node.quick(value, doubtsOfCode)).toBe(accepted);
          if (accepted) expect(doubtsOfCode.all()).toEqual(doubts.all());
          for (const ask of [node.accepts, node.quick]) {
            expect(ask(value, doubtFails)).toBe(accepted && doubts.isEmpty);
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
