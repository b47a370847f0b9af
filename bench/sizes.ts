/** The sizes of the benchmark's fleets, in tenants. */
export const SIZES: readonly number[] = [100, 500, 1000, 2000, 10_000];
/** The size that most goals refer to. */
export const LARGE = 10_000;
/** This size runs on request, and for the page. */
export const HUGE = 100_000;

/** Returns the size of the fleet for incremental runs: the largest up to 10,000, or the smallest. */
export function incrementalSize(sizes: readonly number[]): number {
  const measured = sizes.filter((size) => size <= LARGE);
  return measured.length > 0 ? Math.max(...measured) : Math.min(...sizes);
}
