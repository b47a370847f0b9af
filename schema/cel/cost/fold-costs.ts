import type { Comprehension } from '../expression.ts';

/** What each round of a macro costs besides its filter and its body: see what it expands to in CEL. */
export const roundCosts: Readonly<Record<Comprehension['fold'], number>> = {
  all: 3,
  exists: 4,
  one: 2,
  list: 12,
  map: 3,
  entries: 2,
};

/** What `all` and `exists` cost of that before the body, where they ask whether to go on. */
export const loopConditionCosts = { all: 2, exists: 3 } as const;
