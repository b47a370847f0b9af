import { test } from '@jest/globals';
import type { LocatedDefinition } from '../manifests.ts';
import { corpus } from './corpus.ts';

/** jest's `test`, or one that skips with the reason, and the corpus for those that run. */
export async function corpusTests(): Promise<{
  readonly test: (sentence: string, run: () => void | Promise<void>) => void;
  readonly crds: readonly LocatedDefinition[];
}> {
  const found = await corpus();
  if ('crds' in found) {
    const run = (sentence: string, run: () => void | Promise<void>): void =>
      test(sentence, async () => run());
    return { test: run, crds: found.crds };
  }
  const skip = (sentence: string): void =>
    test.skip(`${sentence} [skipped: ${found.reason}]`, () => {});
  return { test: skip, crds: [] };
}
