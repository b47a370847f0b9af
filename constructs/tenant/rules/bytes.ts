import { formatBrief, show } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';

/** Matches memory and storage, which are counted in bytes. */
const BYTES = /(^|[./])(memory|storage|ephemeral-storage)$/;

/**
 * Whether an amount of memory or storage is written in fractions of a byte. Kubernetes reads `512m` as about half a
 * byte, and the author means 512Mi.
 */
export function isFractionOfByte(key: string, value: string | number): boolean {
  if (!BYTES.test(key) || value === 'unlimited') return false;
  return /[num]$/.test(String(value)) || parseQuantity(value)! % parseQuantity(1)! !== 0n;
}

/** Formats the message about such an amount. */
export function formatByteFault(key: string, value: string | number): string {
  const meant = /^\d+m$/.test(String(value))
    ? `; did you mean ${show(`${value}`.replace('m', 'Mi'))}?`
    : '';
  return `must be whole bytes for ${formatBrief(key)}, got ${show(value)}${meant}`;
}
