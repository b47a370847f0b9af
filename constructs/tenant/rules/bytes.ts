import { formatBrief, show } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';

/** Memory and storage, which are counted in bytes. */
const BYTES = /(^|[./])(memory|storage|ephemeral-storage)$/;

/**
 * Whether an amount of memory or storage is written in parts of a byte: Kubernetes takes `512m` for
 * about half a byte, and whoever writes it means 512Mi.
 */
export function isFractionOfByte(key: string, value: string | number): boolean {
  if (!BYTES.test(key) || value === 'unlimited') return false;
  return /[num]$/.test(String(value)) || parseQuantity(value)! % parseQuantity(1)! !== 0n;
}

/** What is told of it. */
export function formatByteFault(key: string, value: string | number): string {
  const meant = /^\d+m$/.test(String(value))
    ? `; did you mean ${show(`${value}`.replace('m', 'Mi'))}?`
    : '';
  return `must be whole bytes for ${formatBrief(key)}, got ${show(value)}${meant}`;
}
