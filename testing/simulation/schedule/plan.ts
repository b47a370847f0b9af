import { show } from '../../../kube/problem.ts';
import { seededRandom } from '../../clock/seeded-random.ts';
import { createChance, deriveSeed } from '../random.ts';
import { drawSteps, simplifyEvent, type Drawing, type Step } from './step.ts';

/** One schedule: whatever is not in it comes from its seed. */
export interface Plan {
  readonly seed: number;
  /** Messages take one millisecond each, and everybody starts at once. */
  readonly isEven: boolean;
  readonly steps: readonly PlannedStep[];
}

/** A step, and which one it was of those that were drawn. */
export interface PlannedStep extends Step {
  readonly index: number;
  readonly isSimpler: boolean;
}

export function drawPlan(seed: number, drawing: Drawing): Plan {
  const chance = createChance(seededRandom(deriveSeed(seed, 'steps')));
  const steps = drawSteps(chance, drawing).map((step, index) => ({
    ...step,
    index,
    isSimpler: false,
  }));
  return { seed, isEven: false, steps };
}

/** The same step, as it is easiest to read; undefined where it is. */
export function simplifyStep(step: PlannedStep): PlannedStep | undefined {
  const event = simplifyEvent(step.event);
  return event && { ...step, event, isSimpler: true };
}

/** By which the plan is found again: `482913/3,5s`, an even one `482913=/3,5s`. */
export function formatReplay({ seed, isEven, steps }: Plan): string {
  const kept = steps.map(({ index, isSimpler }) => `${index}${isSimpler ? 's' : ''}`);
  return `${seed}${isEven ? '=' : ''}/${kept.join()}`;
}

/** @throws {Error} for what `formatReplay` did not write */
export function parseReplay(replay: string, drawing: Drawing): Plan {
  const [, seed, even, list = ''] = /^(\d+)(=?)\/((?:\d+s?(?:,\d+s?)*)?)$/.exec(replay) ?? [];
  const bad = (): Error =>
    new Error(`replay must be one that a failure told, such as '482913/3,5', got ${show(replay)}`);
  if (seed === undefined) throw bad();
  const drawn = drawPlan(Number(seed), drawing);
  const steps =
    list === ''
      ? []
      : list.split(',').map((text) => {
          const step = drawn.steps[Number.parseInt(text, 10)];
          const kept = text.endsWith('s') ? step && simplifyStep(step) : step;
          if (!kept) throw bad();
          return kept;
        });
  return { seed: drawn.seed, isEven: even === '=', steps };
}
