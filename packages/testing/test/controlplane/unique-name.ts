import { randomBytes } from 'node:crypto';

/**
 * Returns a name that no other test of the run has: 'bindings-3f9a1c07d2'. Three random bytes were too few: a run makes
 * thousands of names, and two of them were the same.
 */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}
