import { Undecided } from './failure.ts';

/** What the API server lets one evaluation cost. */
const EVALUATION_LIMIT = 1_000_000;
/** What it lets all evaluations of rules for one object cost together. */
const OBJECT_LIMIT = 10_000_000;
/** Steps for which the API server charges nothing, such as comparing items: what we do for one evaluation. */
const MOST_STEPS = 20_000_000;

/**
 * An evaluation costs more than the API server allows. It has no stack, and unlike a Failure nothing
 * absorbs it.
 */
export class CostExceeded {
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

let spent = 0;
let steps = 0;
/** What is left for the object whose rules are evaluated; below 0, no more rules are. */
let left = Infinity;

/** Starts to count for one evaluation. */
export function beginEvaluation(): void {
  spent = 0;
  steps = 0;
}

/** Counts what a part of an evaluation costs. Throws CostExceeded beyond the limit. */
export function spend(cost: number): void {
  spent += cost;
  if (spent > EVALUATION_LIMIT) throw new CostExceeded();
}

/** What the evaluation costs so far. */
export const costSoFar = (): number => spent;

/** Counts what the API server does not charge. Throws Undecided where it would take too long here. */
export function takeSteps(count = 1): void {
  steps += count;
  if (steps > MOST_STEPS) throw new Undecided('evaluating it takes too long');
}

/** Whether rules are still evaluated for the object. */
export const mayEvaluate = (): boolean => left >= 0;

/** Takes what an evaluation cost from what is left for the object. False where it was not enough. */
export function charge(cost: number): boolean {
  left = cost > left ? -1 : left - cost;
  return left >= 0;
}

/** Ends the evaluations for the object. */
export function endEvaluations(): void {
  // Outside of the rules for one object, each evaluation is by itself.
  if (left !== Infinity) left = -1;
}

/**
 * Runs what evaluates rules for one object, within the limit that the API server has for that.
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
 * Runs a search that evaluates rules ahead. What it costs counts where it finds nothing, since the rules are
 * evaluated again where it finds something.
 *
 * @returns also whether all rules were evaluated
 */
export function searchAhead<T>(search: () => T | undefined): {
  readonly found: T | undefined;
  readonly isComplete: boolean;
} {
  const before = left;
  const found = search();
  const isComplete = left >= 0;
  if (found !== undefined || !isComplete) left = before;
  return { found, isComplete };
}
