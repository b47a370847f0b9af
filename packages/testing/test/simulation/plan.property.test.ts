import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  drawPlan,
  parseReplay,
  formatReplay,
  shrink,
  type Plan,
} from '../../simulation/schedule/plan.ts';
import { allFaults } from '../../simulation/schedule/step.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const drawing = { actions: ['a', 'b'], faults: allFaults, replicas: 2, longest: 12 };
const plan = fc.nat().map((seed) => drawPlan(seed, drawing));
/** A plan, and the steps of it that the failure needs. */
const needing = plan.chain((one) =>
  fc.record({ plan: fc.constant(one), needed: fc.subarray(one.steps.map(({ index }) => index)) }),
);

const indexes = ({ steps }: Plan): number[] => steps.map(({ index }) => index);

test('shrinking keeps exactly the steps that the failure needs', async () => {
  await fc.assert(
    fc.asyncProperty(needing, async ({ plan, needed }) => {
      const fails = async (one: Plan) => needed.every((index) => indexes(one).includes(index));
      const { plan: shortest, tries } = await shrink(plan, fails);
      expect(indexes(shortest)).toEqual(needed);
      expect([shortest.isEven, tries <= 400]).toEqual([true, true]);
    }),
    runs(300),
  );
});

test('a formatted replay parses to the same plan', async () => {
  await fc.assert(
    fc.asyncProperty(needing, fc.boolean(), async ({ plan, needed }, isEven) => {
      const fails = async (one: Plan) =>
        needed.every((index) => indexes(one).includes(index)) && one.isEven === isEven;
      const { plan: shortest } = await shrink({ ...plan, isEven }, fails);
      expect(parseReplay(formatReplay(shortest), drawing)).toEqual(shortest);
    }),
    runs(300),
  );
});

test('steps are in order, at most as many as requested, and all faults occur eventually', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(plan, ({ steps }) => {
      const times = steps.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(steps.length >= 1 && steps.length <= 12).toBe(true);
      for (const { event } of steps) seen.add(event.do);
    }),
    runs(300),
  );
  expect([...seen].toSorted()).toEqual([...allFaults, 'action'].toSorted());
});
