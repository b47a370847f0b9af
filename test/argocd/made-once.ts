import { afterAll } from '@jest/globals';

/**
 * Makes the shared state of a test file on first use. Everything that it put on the stack is disposed at the end of the
 * file, even if making it failed halfway.
 */
export function madeOnce<T>(make: (stack: AsyncDisposableStack) => Promise<T>): () => Promise<T> {
  const stack = new AsyncDisposableStack();
  let made: Promise<T> | undefined;
  afterAll(() => stack.disposeAsync());
  return () => (made ??= make(stack));
}
