import { show } from '../../../kube/problem.ts';
import { seededRandom } from '../../clock/seeded-random.ts';
import { createChance, deriveSeed } from '../random.ts';
import { drawSteps, simplifyEvent, type Drawing, type Step } from './step.ts';

/** One schedule. All that it does not contain is derived from its seed. */
export interface Plan {
  readonly seed: number;
  /** Whether each message takes one millisecond and all replicas start at once. */
  readonly isEven: boolean;
  readonly steps: readonly PlannedStep[];
}

/** A step with its index among all steps that were drawn. */
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

/** Returns the same step in its simplest form; undefined where it already has it. */
export function simplifyStep(step: PlannedStep): PlannedStep | undefined {
  const event = simplifyEvent(step.event);
  return event && { ...step, event, isSimpler: true };
}

/** Formats the plan for `replay`: `482913/3,5s`, an even one `482913=/3,5s`. */
export function formatReplay({ seed, isEven, steps }: Plan): string {
  const kept = steps.map(({ index, isSimpler }) => `${index}${isSimpler ? 's' : ''}`);
  return `${seed}${isEven ? '=' : ''}/${kept.join()}`;
}

/** @throws {Error} for text that `formatReplay` did not write */
export function parseReplay(replay: string, drawing: Drawing): Plan {
  const [, seed, even, list = ''] = /^(\d+)(=?)\/((?:\d+s?(?:,\d+s?)*)?)$/.exec(replay) ?? [];
  const bad = (): Error =>
    new Error(
      `replay must be the value that a failure printed, such as '482913/3,5', got ${show(replay)}`,
    );
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
