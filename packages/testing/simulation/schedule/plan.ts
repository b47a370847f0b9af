import { show } from '@tenantry/kube/problem';
import { seededRandom, createChance, deriveSeed } from '../random.ts';
import { drawSteps, simplifyEvent, type Drawing, type Step } from './step.ts';

/** One schedule. All that it does not contain is derived from its seed. */
export interface Plan {
  readonly seed: number;
  /** Whether each message takes one millisecond and all replicas start at once. */
  readonly isEven: boolean;
  readonly steps: readonly PlannedStep[];
}

/** A step with its index among all steps that were drawn. */
interface PlannedStep extends Step {
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
function simplifyStep(step: PlannedStep): PlannedStep | undefined {
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

/** The most schedules to try for a shorter one. */
const mostTries = 400;

interface Shrunk {
  readonly plan: Plan;
  readonly tries: number;
}

/**
 * Returns a plan that still fails and has no superfluous step. It removes halves of the steps, then
 * ever smaller parts of them (delta debugging). Then it simplifies each step, and makes all messages
 * even.
 */
export async function shrink(
  failing: Plan,
  fails: (plan: Plan) => Promise<boolean>,
): Promise<Shrunk> {
  let tries = 0;
  let best = failing;
  const tried = async (plan: Plan): Promise<boolean> => {
    if (tries >= mostTries) return false;
    tries += 1;
    const isShorter = await fails(plan);
    if (isShorter) best = plan;
    return isShorter;
  };
  await tried({ ...best, isEven: true });
  for (let size = Math.ceil(best.steps.length / 2); size >= 1;) {
    const isShorter = await tryWithoutSteps(best, size, tried);
    if (!isShorter) size = size === 1 ? 0 : Math.ceil(size / 2);
    else size = Math.min(size, Math.max(1, best.steps.length));
  }
  for (const step of best.steps) {
    const simple = simplifyStep(step);
    if (!simple) continue;
    const steps = best.steps.map((one) => (one.index === step.index ? simple : one));
    await tried({ ...best, steps });
  }
  if (!best.isEven) await tried({ ...best, isEven: true });
  return { plan: best, tries };
}

/** Tries to remove so many consecutive steps, anywhere. */
async function tryWithoutSteps(
  plan: Plan,
  size: number,
  tried: (plan: Plan) => Promise<boolean>,
): Promise<boolean> {
  for (let from = 0; from < plan.steps.length; from += size) {
    const steps = plan.steps.toSpliced(from, size);
    if (steps.length < plan.steps.length && (await tried({ ...plan, steps }))) return true;
  }
  return false;
}
