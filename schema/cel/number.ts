/** Formats a double as Go's `%g`: `1.5`, `1e+06`, `+Inf`. */
export function formatGeneral(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [digits, exponent] = scientific(value);
  return exponent < -4 || exponent >= 6 ? withExponent(digits, exponent) : formatPlain(value);
}

/** Formats with the shortest digits without an exponent, as Go's `strconv.FormatFloat(value, 'f', -1, 64)`. */
export function formatPlain(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (!text.includes('e')) return text;
  const [digits, exponent] = scientific(value);
  const sign = digits.startsWith('-') ? '-' : '';
  const plain = digits.replace('-', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${plain}`;
  return sign + plain.padEnd(exponent + 1, '0');
}

const notFinite = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';

/** Returns the shortest digits (with the sign) and the exponent of the first digit. */
function scientific(value: number): [string, number] {
  const [digits, exponent] = value.toExponential().split('e');
  return [digits!.replace('.', ''), Number(exponent)];
}

function withExponent(digits: string, exponent: number): string {
  const [, sign, first, rest] = /^(-?)(\d)(\d*)$/.exec(digits)!;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${first}${rest && `.${rest}`}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** Parses a number as Go's `strconv.ParseFloat`; undefined if that refuses it. */
export function parseDouble(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) {
    if (/nan/i.test(special[2]!)) return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (/^[+-]?0[xX]/.test(text)) return parseHexadecimal(text);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Parses `0x1.8p3`; the exponent is required. */
function parseHexadecimal(text: string): number | undefined {
  const match = /^([+-]?)0[xX]([0-9a-f]*)(?:\.([0-9a-f]*))?[pP]([+-]?\d+)$/i.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (whole + fraction === '') return undefined;
  const digits = Number.parseInt(whole + fraction, 16);
  const value = digits * 2 ** (Number(exponent) - 4 * fraction.length);
  if (!Number.isFinite(value)) return undefined;
  return sign === '-' ? -value : value;
}
