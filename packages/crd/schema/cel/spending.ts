import { Undecided } from './failure.ts';

/** The API server's cost limit of one evaluation. */
const EVALUATION_LIMIT = 1_000_000;
/** The API server's cost limit of all evaluations for one object. */
const OBJECT_LIMIT = 10_000_000;
/** The maximum number of uncharged steps for one evaluation, such as comparing items. */
const MAX_STEPS = 20_000_000;

/** An evaluation costs more than the API server allows. It has no stack, and unlike a Failure it is never absorbed. */
export class CostExceeded {
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

let spent = 0;
let steps = 0;
/** The remaining budget of the object whose rules are evaluated; below 0, no more rules are evaluated. */
let left = Infinity;

/** Starts the count of one evaluation. */
export function beginEvaluation(): void {
  spent = 0;
  steps = 0;
}

/** Charges the cost of a part of an evaluation. Throws CostExceeded beyond the limit. */
export function spend(cost: number): void {
  spent += cost;
  if (spent > EVALUATION_LIMIT) throw new CostExceeded();
}

export const costSoFar = (): number => spent;

/** Counts steps that the API server does not charge. Throws Undecided if they would take too long here. */
export function takeSteps(count = 1): void {
  steps += count;
  if (steps > MAX_STEPS) throw new Undecided('evaluating it takes too long');
}

/** Whether further rules are evaluated for the object. */
export const mayEvaluate = (): boolean => left >= 0;

/** Subtracts the cost of an evaluation from the object's budget. Returns false if the budget was not enough. */
export function charge(cost: number): boolean {
  left = cost > left ? -1 : left - cost;
  return left >= 0;
}

export function endEvaluations(): void {
  // Outside of the rules for one object, evaluations are independent.
  if (left !== Infinity) left = -1;
}

/**
 * Runs a function that evaluates rules for one object, within the API server's limit.
 *
 * Source: PerCallLimit and RuntimeCELCostBudget of k8s.io/apiserver/pkg/apis/cel (config.go)
 *
 * @returns also whether all rules were evaluated
 */
export function withinObjectLimit<T>(run: () => T): {
  readonly value: T;
  readonly isComplete: boolean;
} {
  const outer = left;
  left = OBJECT_LIMIT;
  try {
    const value = run();
    return { value, isComplete: left >= 0 };
  } finally {
    left = outer;
  }
}

/**
 * Runs a check that evaluates rules ahead. Its cost counts only if the check accepts, because rules are evaluated again
 * if it does not.
 *
 * @returns also whether all rules were evaluated
 */
export function evaluateAhead(accepts: () => boolean): {
  readonly value: boolean;
  readonly isComplete: boolean;
} {
  const before = left;
  const value = accepts();
  const isComplete = left >= 0;
  if (!value || !isComplete) left = before;
  return { value, isComplete };
}
