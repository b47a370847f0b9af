/** The number of parallel calls: enough that neither the tests nor the API server wait for each other. */
const MAX_CONCURRENT = 16;

/** Calls `map` for each item, several at a time, and returns the results in the order of the items. */
export async function mapConcurrently<T, V>(
  items: readonly T[],
  map: (item: T, index: number) => Promise<V>,
): Promise<V[]> {
  const results: V[] = [];
  const rest = items.entries();
  const mapRest = async (): Promise<void> => {
    for (const [i, item] of rest) results[i] = await map(item, i);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, mapRest));
  return results;
}
