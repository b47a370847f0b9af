/** Calls at a time, where there are many. */
const ABREAST = 20;

/** Runs it for 0 to `count - 1`, several at a time. */
export async function abreast(
  count: number,
  run: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
}
