/** Enough that neither we nor the API server wait for the other. */
const ABREAST = 16;

/** What `ask` says of each, in their order; several are asked at a time. */
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
