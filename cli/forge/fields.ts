import { isMapping } from '@tenantry/kube/mapping';
import { ForgeError } from './forge-error.ts';
import type { Account } from './change-request.ts';

/** Reads an account of an answer. Undefined for a deleted one. */
export function parseAccount(value: unknown, nameField: string): Account | undefined {
  if (!isMapping(value)) return undefined;
  const { id, [nameField]: name } = value;
  return Number.isSafeInteger(id) && typeof name === 'string'
    ? { id: id as number, name }
    : undefined;
}

/**
 * Reads the number that identifies an object.
 * @throws {ForgeError} when there is none
 */
export function parseId(value: unknown, what: string): number {
  const id = isMapping(value) ? value['id'] : value;
  if (Number.isSafeInteger(id)) return id as number;
  throw new ForgeError(`the id of ${what} must be a number`);
}

/** Reads a text; empty if there is none. */
export const parseText = (value: unknown): string => (typeof value === 'string' ? value : '');
