/** Compares the keywords for one value: type, format, enum, bounds, lengths, pattern, multipleOf, nullable. */
import { compilePattern } from '../schema/pattern.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { canHold } from './bounds.ts';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { buildSides, formatValue, formatValues, type Judgement } from './change.ts';
import { isTypedFormat } from '../schema/cel.ts';
import { acceptsValueKind, typeOf, type ValueKind } from './schema-subjects.ts';
import type { ComparisonContext } from './comparison-context.ts';
import { enforcedFormat } from '../schema/format.ts';

export function compareType(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [typeOf(before), typeOf(after)];
  if (a === b) return;
  const change = { rule: 'type', ...buildSides(a, b) };
  if (a === undefined) {
    const message = `must be ${b} now: any type was accepted`;
    place.report({ ...change, verdict: 'breaking', message });
  } else if (b === undefined) {
    const message = `any type is accepted now, where it was ${a}: clients that read it may fail`;
    const verdict = place.mode === 'value' ? 'compatible' : 'breaking';
    place.report({
      ...change,
      verdict,
      message,
      ...(verdict === 'compatible' && { widens: true }),
    });
  } else if (a === 'integer' && b === 'number' && place.mode === 'value') {
    const message = 'fractions are accepted too';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else {
    const lenient = b === 'integer or string' || (a === 'integer' && b === 'number');
    const why = lenient
      ? 'the objects stay valid, and clients that read it with the old type fail on the new values'
      : 'values of the old type are refused';
    place.report({ ...change, verdict: 'breaking', message: `${a} became ${b}: ${why}` });
  }
}

export function compareFormat(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  if ((before.format ?? '') === (after.format ?? '')) return;
  const change = { rule: 'format', ...buildSides(before.format, after.format) };
  const [a, b] = [findRestrictiveFormat(before), findRestrictiveFormat(after)];
  if (place.ruled && (isTypedFormat(before) || isTypedFormat(after))) {
    const message = `format ${formatValue(before.format ?? '')} became ${formatValue(after.format ?? '')}: in CEL the value has another type, and a rule here or around it may stop working`;
    place.report({ ...change, verdict: 'unknown', message });
  } else if (b === undefined && a === undefined) {
    const message = 'the API server enforces neither the old format nor the new one';
    place.report({ ...change, verdict: 'compatible', message });
  } else if (b === undefined) {
    const message = `values that are no ${a} are accepted too`;
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else if (a !== undefined && formatIncludes(b, a)) {
    const message = `every ${a} is a ${b}`;
    place.report({ ...change, verdict: 'compatible', message, ...(a !== b && { widens: true }) });
  } else {
    const message = `values that are no ${b} were accepted and are refused now`;
    place.report({ ...change, verdict: 'breaking', message });
  }
}

export function compareEnum(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before.enum ?? [], after.enum ?? []];
  if (a.length === 0 && b.length === 0) return;
  const [inA, inB] = [new Set(a.map(formatCanonicalJson)), new Set(b.map(formatCanonicalJson))];
  const change = { rule: 'enum', ...buildSides(before.enum, after.enum) };
  if (a.length === 0) {
    const message = `must be one of ${formatValues(b)} now: other values were accepted`;
    place.report({ ...change, verdict: 'breaking', message });
    return;
  }
  if (b.length === 0) {
    const message = 'values other than the enumerated ones are accepted too';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
    return;
  }
  const gone = a.filter((value) => !inB.has(formatCanonicalJson(value)));
  const added = b.filter((value) => !inA.has(formatCanonicalJson(value)));
  if (gone.length > 0) {
    const message = `${formatValues(gone)} ${gone.length === 1 ? 'was accepted, and is' : 'were accepted, and are'} refused now`;
    place.report({ ...change, verdict: 'breaking', message });
  }
  if (added.length > 0) {
    const message = `${formatValues(added)} ${added.length === 1 ? 'is' : 'are'} accepted too`;
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  }
  if (
    gone.length === 0 &&
    added.length === 0 &&
    formatCanonicalJson(a) !== formatCanonicalJson(b)
  ) {
    const message = 'the same values in another order';
    place.report({ ...change, verdict: 'compatible', message });
  }
}

interface Limit {
  readonly keyword: keyof JSONSchemaProps;
  readonly rule: string;
  readonly subject: ValueKind;
  /** Whether a larger number accepts more. */
  readonly upper: boolean;
  readonly what: string;
}

const limits: readonly Limit[] = [
  { keyword: 'maxLength', rule: 'max-length', subject: 'strings', upper: true, what: 'characters' },
  {
    keyword: 'minLength',
    rule: 'min-length',
    subject: 'strings',
    upper: false,
    what: 'characters',
  },
  { keyword: 'maxItems', rule: 'max-items', subject: 'lists', upper: true, what: 'items' },
  { keyword: 'minItems', rule: 'min-items', subject: 'lists', upper: false, what: 'items' },
  {
    keyword: 'maxProperties',
    rule: 'max-properties',
    subject: 'objects',
    upper: true,
    what: 'fields',
  },
  {
    keyword: 'minProperties',
    rule: 'min-properties',
    subject: 'objects',
    upper: false,
    what: 'fields',
  },
];

/** Compares maxLength, minItems and similar keywords: a number that accepts more in one direction. */
export function compareLimits(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  for (const { keyword, rule, subject, upper, what } of limits) {
    const [a, b] = [before[keyword] as number | undefined, after[keyword] as number | undefined];
    if (a === b) continue;
    const none = upper ? Infinity : 0;
    const [from, to] = [a ?? none, b ?? none];
    const change = { rule, ...buildSides(a, b) };
    const bound = upper ? 'at most' : 'at least';
    if (from === to || !acceptsValueKind(after, subject)) {
      place.report({
        ...change,
        verdict: 'compatible',
        message: 'the keyword does not affect these values',
      });
    } else if (upper ? to > from : to < from) {
      const now = b === undefined ? 'any number of' : `${bound} ${b}`;
      const message = `${now} ${what} ${b === undefined ? 'are accepted' : 'are asked for'}, ${bound} ${a} before`;
      place.report({ ...change, verdict: 'compatible', message, widens: true });
    } else {
      const was = a === undefined ? 'any number was accepted' : `${bound} ${a} before`;
      const message = `must have ${bound} ${b} ${what} now, ${was}`;
      place.report({ ...change, verdict: 'breaking', message });
    }
  }
}

export function comparePattern(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before.pattern ?? '', after.pattern ?? ''];
  if (a === b) return;
  const change = { rule: 'pattern', ...buildSides(before.pattern, after.pattern) };
  if (!acceptsValueKind(after, 'strings')) {
    place.report({
      ...change,
      verdict: 'compatible',
      message: 'the keyword does not affect these values',
    });
  } else if (b === '') {
    const message = 'values of any form are accepted';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else place.report({ ...change, ...judgePattern(before, b) });
}

/** Judges a pattern. It restricts nothing new if the values were enumerated and all of them match. */
function judgePattern(
  before: JSONSchemaProps,
  pattern: string,
): Pick<Judgement, 'verdict' | 'message'> {
  const regex = compilePattern(pattern);
  const must = `must match ${formatValue(pattern)} now`;
  if (regex.error !== undefined) {
    return { verdict: 'unknown', message: `${must}, which is no regular expression of RE2` };
  }
  const values = (before.enum ?? []).filter((value) => typeof value === 'string');
  const refused = values.find((value) => !regex.test(value));
  if (refused !== undefined) {
    return { verdict: 'breaking', message: `${must}: ${formatValue(refused)} was accepted` };
  }
  if (values.length > 0 && before.type === 'string') {
    return { verdict: 'compatible', message: 'all values that were accepted match the pattern' };
  }
  if (!before.pattern) return { verdict: 'breaking', message: `${must}: any form was accepted` };
  for (const known of [before.default, before.example]) {
    if (
      typeof known === 'string' &&
      compilePattern(before.pattern).test(known) &&
      !regex.test(known)
    ) {
      return { verdict: 'breaking', message: `${must}: ${formatValue(known)} was accepted` };
    }
  }
  const message = `${must}, ${formatValue(before.pattern)} before: it is unknown whether all values that matched the old one match the new one`;
  return { verdict: 'unknown', message };
}

export function compareMultiple(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before.multipleOf, after.multipleOf];
  if (a === b) return;
  const change = { rule: 'multiple-of', ...buildSides(a, b) };
  if (!acceptsValueKind(after, 'numbers')) {
    place.report({
      ...change,
      verdict: 'compatible',
      message: 'the keyword does not affect these values',
    });
  } else if (b === undefined) {
    const message = `numbers that are no multiple of ${a} are accepted too`;
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else if (!canHold(after, b)) {
    const message = `must be a multiple of ${b} now, which is no ${after.format || after.type}: the API server then refuses every number`;
    place.report({ ...change, verdict: 'breaking', message });
  } else if (a === undefined) {
    const message = `must be a multiple of ${b} now: any number was accepted`;
    place.report({ ...change, verdict: 'breaking', message });
  } else if (![a, b].every(Number.isSafeInteger) || b <= 0) {
    const message = `must be a multiple of ${b} now, of ${a} before: with fractions, rounding decides`;
    place.report({ ...change, verdict: 'unknown', message });
  } else if (a % b === 0) {
    const message = `every multiple of ${a} is one of ${b}`;
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else {
    const message = `must be a multiple of ${b} now: multiples of ${a} were accepted`;
    place.report({ ...change, verdict: 'breaking', message });
  }
}

export function compareNullable(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before.nullable ?? false, after.nullable ?? false];
  const change = { rule: 'nullable', ...buildSides(before.nullable, after.nullable) };
  if (a === b) {
    if (before.nullable !== after.nullable) {
      const message = 'not to be nullable is the default';
      place.report({ ...change, verdict: 'compatible', message });
    }
    return;
  }
  if (a) {
    const message = 'null was accepted, and is refused or dropped now';
    place.report({ ...change, verdict: 'breaking', message });
  } else if (before.default !== undefined || after.default !== undefined) {
    const message = 'null gave the default, and stays null now';
    place.report({ ...change, verdict: 'breaking', message });
  } else if ((after.enum ?? []).length > 0) {
    const message = 'null was dropped, and is refused now by the enumeration';
    place.report({ ...change, verdict: 'breaking', message });
  } else if (place.guarded || place.counted || place.ruled) {
    const message =
      'null was dropped, and stays now: a rule, a branch or a count here or around it may refuse that';
    place.report({ ...change, verdict: 'unknown', message });
  } else {
    const message = 'null is accepted too';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  }
}

/** Which values are also values of another format. */
const includes: Readonly<Record<string, readonly string[]>> = {
  uuid: ['uuid3', 'uuid4', 'uuid5'],
  isbn: ['isbn10', 'isbn13'],
  k8slongname: ['k8sshortname'],
  int64: ['int32'],
  double: ['float'],
};

/** The formats that every whole number, every number or every string satisfies. */
const unrestrictiveFormats: ReadonlySet<string> = new Set(['', 'int64', 'double', 'password']);

/** Finds the format that restricts the values of the type; undefined if there is none. */
function findRestrictiveFormat(schema: JSONSchemaProps): string | undefined {
  const format = enforcedFormat(schema);
  return unrestrictiveFormats.has(format) ? undefined : format;
}

function formatIncludes(format: string, other: string): boolean {
  return format === other || (includes[format]?.includes(other) ?? false);
}
