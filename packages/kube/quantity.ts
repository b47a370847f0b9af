/**
 * Computes with Kubernetes quantities exactly, without floating point. It is for quantities in declarations, where only
 * the amount matters. CEL also needs the API server's internal form (cel/functions/quantities.ts).
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

/** The pattern that the API server's own `Quantity` type accepts. */
export const QUANTITY_PATTERN =
  '^[+-]?([0-9]+|[0-9]+\\.[0-9]*|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$';

const quantity = new RegExp(
  '^([+-]?)([0-9]*)(?:\\.([0-9]*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$',
);

const NANO = 10n ** 9n;

const suffixes: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 10n ** 3n,
  m: 10n ** 6n,
  '': NANO,
  k: NANO * 10n ** 3n,
  M: NANO * 10n ** 6n,
  G: NANO * 10n ** 9n,
  T: NANO * 10n ** 12n,
  P: NANO * 10n ** 15n,
  E: NANO * 10n ** 18n,
  Ki: NANO << 10n,
  Mi: NANO << 20n,
  Gi: NANO << 30n,
  Ti: NANO << 40n,
  Pi: NANO << 50n,
  Ei: NANO << 60n,
};

/** The maximum of a quantity, in billionths: the API server truncates some larger amounts and miscounts the rest. */
export const MAX_AMOUNT = (2n ** 63n - 1n) * NANO;

const parsed = new Map<string, bigint | undefined>();

/**
 * Parses a quantity to billionths, the precision that Kubernetes keeps; finer parts round up, away from zero. It
 * returns undefined if the text is not a quantity.
 */
export function parseQuantity(value: string | number): bigint | undefined {
  const text = String(value);
  if (parsed.has(text)) return parsed.get(text);
  const result = parse(text);
  if (parsed.size < 10_000 && text.length <= MAX_QUANTITY_LENGTH) parsed.set(text, result);
  return result;
}

/** The maximum length of a quantity: no amount needs as many digits. */
const MAX_QUANTITY_LENGTH = 1000;

function parse(text: string): bigint | undefined {
  if (text.length > MAX_QUANTITY_LENGTH) return undefined;
  const match = quantity.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  let digits = BigInt(whole + fraction);
  let divisor = 10n ** BigInt(fraction.length);
  const unit = suffixes[suffix];
  if (unit !== undefined) digits *= unit;
  else {
    const exponent = Number(suffix.slice(1));
    digits *= NANO;
    if (exponent >= 0) digits *= 10n ** BigInt(exponent);
    else divisor *= 10n ** BigInt(-exponent);
  }
  const rounded = (digits + divisor - 1n) / divisor;
  return sign === '-' ? -rounded : rounded;
}

const finer: Readonly<Record<string, string>> = {
  '': '',
  k: '',
  M: 'k',
  G: 'M',
  T: 'G',
  P: 'T',
  E: 'P',
  Ki: '',
  Mi: 'Ki',
  Gi: 'Mi',
  Ti: 'Gi',
  Pi: 'Ti',
  Ei: 'Pi',
  m: 'm',
};

/** A unit of amounts, such as Mi, and its size in billionths. */
export interface Unit {
  readonly suffix: string;
  readonly nano: bigint;
}

/**
 * Returns the units for shares of a total, beginning with the unit of the total itself. In the last unit the total can
 * be divided without losing a remainder: one step finer than the total (Gi in Mi), thousandths for CPU, and never finer
 * than one for countable resources.
 */
export function shareUnits(key: string, total: string | number): readonly Unit[] {
  const written = /[a-zA-Z]*$/.exec(String(total))![0];
  const isCpu = /(^|\.)cpu$/.test(key);
  const chain = isCpu ? unitsOfCpu(written) : unitsBelow(written, parseQuantity(total)!);
  return [...new Set(chain)].map((suffix) => ({ suffix, nano: suffixes[suffix]! }));
}

function unitsOfCpu(written: string): string[] {
  const isWhole = suffixes[written]! >= NANO;
  return isWhole ? [written, '', 'm'] : ['m'];
}

function unitsBelow(written: string, amount: bigint): string[] {
  let suffix = finer[written] ?? '';
  const units = [finer[written] === undefined ? suffix : written, suffix];
  while (suffix !== '' && amount % suffixes[suffix]! !== 0n) {
    // There are no units below a thousandth, so the caller must handle the remainder there.
    suffix = suffix === 'm' ? '' : (finer[suffix] ?? '');
    units.push(suffix);
  }
  return units;
}

/** Formats an amount in the first unit of which it is a whole number, else in the last: `10`, not `10000m`. */
export function formatQuantity(amount: bigint, units: readonly Unit[]): string {
  if (amount === 0n) return '0';
  const { suffix, nano } = units.find((one) => amount % one.nano === 0n) ?? units.at(-1)!;
  return `${amount / nano}${suffix}`;
}
