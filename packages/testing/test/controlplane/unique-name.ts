import { randomBytes } from 'node:crypto';

/** Returns a name that no other test of the run has: 'bindings-3f9a1c'. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(3).toString('hex')}`;
}
