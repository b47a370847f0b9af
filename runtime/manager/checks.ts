import type { Controller } from '../controller/declaration.ts';
import { resourceOf } from '../kinds/kind.ts';

/** @throws {Error} that lists all names by which controllers could be confused, a line each */
export function checkControllers(controllers: readonly Controller[]): void {
  const problems = [
    ...findDuplicates(controllers, ({ name }) => name).map(
      ([name, kinds]) =>
        `controllers of one manager must have names of their own, in logs, metrics and as managers of fields, got ${name} for ${kinds}`,
    ),
    ...findDuplicates(controllers, ({ for: kind, finalizer }) =>
      finalizer ? `${finalizer.name} of ${resourceOf(kind)}` : undefined,
    ).map(
      ([finalizer]) =>
        `one controller must have the finalizer ${finalizer}, as the first to clean up takes it away, got two`,
    ),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Returns the values that occur more than once, with their kinds. */
function findDuplicates(
  controllers: readonly Controller[],
  of: (controller: Controller) => string | undefined,
): [text: string, kinds: string][] {
  const groups = Map.groupBy(controllers, of);
  return [...groups].flatMap(([text, { length }]): [string, string][] => {
    if (text === undefined || length < 2) return [];
    const kinds = groups.get(text)?.map(({ for: kind }) => resourceOf(kind)) ?? [];
    return [[text, kinds.join(' and ')]];
  });
}
