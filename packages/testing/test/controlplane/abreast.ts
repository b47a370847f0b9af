/** The number of parallel calls: enough that neither the tests nor the API server wait for each other. */
const ABREAST = 16;

/** Calls `ask` for each item, several at a time, and returns the answers in the order of the items. */
export async function abreast<T, V>(
  all: readonly T[],
  ask: (one: T, index: number) => Promise<V>,
): Promise<V[]> {
  const answers: V[] = [];
  const rest = all.entries();
  const askOn = async (): Promise<void> => {
    for (const [i, one] of rest) answers[i] = await ask(one, i);
  };
  await Promise.all(Array.from({ length: ABREAST }, askOn));
  return answers;
}
