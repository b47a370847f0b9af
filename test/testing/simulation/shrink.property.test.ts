import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  drawPlan,
  parseReplay,
  formatReplay,
  type Plan,
} from '../../../testing/simulation/schedule/plan.ts';
import { shrink } from '../../../testing/simulation/schedule/shrink.ts';
import { allFaults } from '../../../testing/simulation/schedule/step.ts';
import { runs } from '../../kube/yaml/runs.ts';

const drawing = { actions: ['a', 'b'], faults: allFaults, replicas: 2, longest: 12 };
const plan = fc.nat().map((seed) => drawPlan(seed, drawing));
/** A plan, and some of its steps. */
const needing = plan.chain((one) =>
  fc.record({ plan: fc.constant(one), needed: fc.subarray(one.steps.map(({ index }) => index)) }),
);

const indexes = ({ steps }: Plan): number[] => steps.map(({ index }) => index);

test('of a schedule that fails because of some steps, just those are left', async () => {
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

test('what replay says gives the same plan again', async () => {
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

test('steps are drawn in their order, at most as many as asked for, and all faults in the end', () => {
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
