import { isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import { findFieldSchema } from './fields.ts';

/**
 * Lists other values that could be in the place of a value: all others of an enum, and for everything else one of the
 * same kind. The last one is undefined, for no value at all.
 */
export function listVariants(slot: Path, value: unknown): readonly unknown[] {
  const [, , area, ...setting] = slot;
  const known = area === 'settings' ? findFieldSchema(setting.map(String))?.enum : undefined;
  if (known) return [...known.filter((one) => one !== value), undefined];
  if (slot.at(-1) === 'lifecycle') {
    return ['Active', 'Suspended', 'Retired'].filter((one) => one !== value);
  }
  if (slot.at(-1) === 'name') return [varyText(String(value))];
  return [varyValue(value), undefined];
}

function varyValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return varyText(value);
  if (Array.isArray(value)) return value.map(varyValue);
  if (isMapping(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, varyValue(one)]));
  }
  return undefined;
}

function varyText(text: string): string {
  if (text === 'Allow') return 'Deny';
  if (text === 'Deny') return 'Allow';
  return parseQuantity(text) === undefined ? `${text}x` : `1${text}`;
}
