import { formatQuantity, parseQuantity, type Unit } from '@tenantry/kube/quantity';

const units = (...suffixes: string[]): readonly Unit[] =>
  suffixes.map((suffix) => ({ suffix, nano: parseQuantity(`1${suffix}`)! }));

const bytes = units('Ti', 'Gi', 'Mi', 'Ki', '');
const others = units('', 'm', 'u', 'n');
const MILLI = parseQuantity('1m')!;
const ONE = parseQuantity(1)!;

/** Formats an amount: `512Mi` of memory, `50m` of cpu. */
export function formatAmount(resource: string, amount: bigint): string {
  const isBytes = /(memory|storage|hugepages-[^/]*)$/.test(resource);
  return formatQuantity(amount, isBytes && amount % ONE === 0n ? bytes : others);
}

/** The largest whole number of which the API server still counts thousandths. */
export const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

/** Rounds an amount up to wholes. */
export const roundToWholes = (amount: bigint): bigint => (amount + ONE - 1n) / ONE;

/** Rounds an amount up to thousandths. */
export const roundToMilli = (amount: bigint): bigint => (amount + MILLI - 1n) / MILLI;

/**
 * Rounds amounts as a LimitRange compares them: to thousandths, or to wholes if the thousandths of one exceed 64 bits.
 * Source: k8s.io/kubernetes plugin/pkg/admission/limitranger requestLimitEnforcedValues
 */
export function roundTogether<T extends readonly bigint[]>(...amounts: T): bigint[] {
  const isSmall = amounts.every((amount) => roundToWholes(amount) <= MAX_MILLI);
  return amounts.map(isSmall ? roundToMilli : roundToWholes);
}
