import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findCondition, setCondition } from '../../conditions/conditions.ts';
import { condition, type Condition } from '@tenantry/crd/schema/language';
import { compileSchema } from '@tenantry/crd/schema/validator';
import { runs } from '@tenantry/kube/test/yaml/runs';

const declared = fc.record(
  {
    type: fc.constantFrom('Ready', 'Paused', 'shop.example.com/Open'),
    status: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
    reason: fc.constantFrom('AsDeclared', 'Broken', 'a:b,c'),
    message: fc.string({ maxLength: 5 }),
    observedGeneration: fc.nat(3),
  },
  { requiredKeys: ['type', 'status', 'reason', 'message'] },
);

const steps = fc.array(fc.record({ input: declared, seconds: fc.nat(100) }), { maxLength: 30 });

const start = Date.parse('2026-01-01T00:00:00Z');

test('conditions that are set in any order are read back valid, once per type, with the time of the last change of status', () => {
  const validator = compileSchema(condition());
  fc.assert(
    fc.property(steps, (all) => {
      let conditions: readonly Condition[] = [];
      let now = start;
      const since = new Map<string, string>();
      for (const { input, seconds } of all) {
        now += seconds * 1000;
        const date = new Date(now);
        const before = findCondition(conditions, input.type);
        if (before?.status !== input.status) {
          since.set(input.type, date.toISOString().replace('.000Z', 'Z'));
        }
        conditions = setCondition(conditions, input, date);
        const lastTransitionTime = since.get(input.type);
        expect(findCondition(conditions, input.type)).toEqual({ ...input, lastTransitionTime });
        expect(conditions.map(({ type }) => type)).toEqual([...since.keys()]);
        expect(conditions.every((one) => validator.accepts(one))).toBe(true);
      }
    }),
    runs(100),
  );
});

test('a status is written only when it changes', () => {
  fc.assert(
    fc.property(steps, fc.nat(100), (all, seconds) => {
      let stored: readonly Condition[] = [];
      let writes = 0;
      const write = (next: readonly Condition[]): void => {
        if (next === stored) return;
        expect(next).not.toEqual(stored);
        // A server returns other objects with the same text.
        stored = JSON.parse(JSON.stringify(next)) as readonly Condition[];
        writes += 1;
      };
      for (const { input } of all) write(setCondition(stored, input, new Date(start)));
      const last = new Map(all.map(({ input }) => [input.type, input]));
      const date = new Date(start + seconds * 1000);
      const before = writes;
      for (const latest of last.values()) write(setCondition(stored, latest, date));
      expect(writes).toBe(before);
    }),
    runs(100),
  );
});
