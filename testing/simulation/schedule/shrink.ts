import { simplifyStep, type Plan } from './plan.ts';

/** The most schedules to try for a shorter one. */
const mostTries = 400;

export interface Shrunk {
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
