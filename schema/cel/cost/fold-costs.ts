import type { Comprehension } from '../expression.ts';

/** The cost of each round of a macro besides its filter and its body: see what it expands to in CEL. */
export const roundCosts: Readonly<Record<Comprehension['fold'], number>> = {
  all: 3,
  exists: 4,
  one: 2,
  list: 12,
  map: 3,
  entries: 2,
};

/** The part of that cost before the body, in which `all` and `exists` check whether to continue. */
export const loopConditionCosts = { all: 2, exists: 3 } as const;
