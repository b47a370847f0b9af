import { randomBytes } from 'node:crypto';

/** 'bindings-3f9a1c': a name that no other test of the run has. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(3).toString('hex')}`;
}
