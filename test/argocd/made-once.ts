import { afterAll } from '@jest/globals';

/**
 * What all tests of a file share: it is made when one asks for it first, and what it put on the stack ends with the
 * file, also where it was not made whole.
 */
export function madeOnce<T>(make: (stack: AsyncDisposableStack) => Promise<T>): () => Promise<T> {
  const stack = new AsyncDisposableStack();
  let made: Promise<T> | undefined;
  afterAll(() => stack.disposeAsync());
  return () => (made ??= make(stack));
}
