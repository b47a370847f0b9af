/** The fleets of the benchmark, in tenants. */
export const SIZES: readonly number[] = [100, 500, 1000, 2000, 10_000];
/** What most promises are about. */
export const LARGE = 10_000;
/** Runs when it is asked for, and for the page. */
export const HUGE = 100_000;

/** The fleet that is changed and rendered again: the largest up to 10,000, else the smallest. */
export function laterSize(sizes: readonly number[]): number {
  const measured = sizes.filter((size) => size <= LARGE);
  return measured.length > 0 ? Math.max(...measured) : Math.min(...sizes);
}
