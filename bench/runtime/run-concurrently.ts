/** The number of concurrent calls. */
const CONCURRENCY = 20;

/** Runs a function for 0 to `count - 1`, several calls at a time. */
export async function runConcurrently(
  count: number,
  run: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
