/** Compares the keywords for one value: type, format, enum, pattern, nullable. */
import { compilePattern } from '../schema/pattern.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { formatValue, formatValues, type Change } from './change.ts';
import { isTypedFormat } from '../schema/cel.ts';
import { acceptsValueKind, NO_EFFECT } from './limits.ts';
import type { SchemaComparison } from './comparison-context.ts';
import { enforcedFormat } from '../schema/format.ts';

export const compareType: SchemaComparison = (before, after, place) => {
  const [a, b] = [typeOf(before), typeOf(after)];
  if (a === b) return;
  const change = place.change('type', a, b);
  if (a === undefined) change.breaking(`must be ${b} now: any type was accepted`);
  else if (b === undefined) {
    const message = `any type is accepted now, where it was ${a}: clients that read it may fail`;
    if (place.mode === 'value') change.widening(message);
    else change.breaking(message);
  } else if (a === 'integer' && b === 'number' && place.mode === 'value') {
    change.widening('fractions are accepted too');
  } else {
    const lenient = b === 'integer or string' || (a === 'integer' && b === 'number');
    const why = lenient
      ? 'the objects stay valid, and clients that read it with the old type fail on the new values'
      : 'values of the old type are refused';
    change.breaking(`${a} became ${b}: ${why}`);
  }
};

/** Returns the type of a schema, `integer or string` if it allows both; undefined if it allows any. */
function typeOf(schema: JSONSchemaProps): string | undefined {
  return schema['x-kubernetes-int-or-string'] === true
    ? 'integer or string'
    : schema.type || undefined;
}

export const compareFormat: SchemaComparison = (before, after, place) => {
  if ((before.format ?? '') === (after.format ?? '')) return;
  const change = place.change('format', before.format, after.format);
  const [a, b] = [findRestrictiveFormat(before), findRestrictiveFormat(after)];
  if (place.ruled && (isTypedFormat(before) || isTypedFormat(after))) {
    change.unknown(
      `format ${formatValue(before.format ?? '')} became ${formatValue(after.format ?? '')}: in CEL the value has another type, and a rule here or around it may stop working`,
    );
  } else if (b === undefined && a === undefined) {
    change.compatible('the API server enforces neither the old format nor the new one');
  } else if (b === undefined) change.widening(`values that are no ${a} are accepted too`);
  else if (a === undefined || !formatIncludes(b, a)) {
    change.breaking(`values that are no ${b} were accepted and are refused now`);
  } else if (a === b) change.compatible(`every ${a} is a ${b}`);
  else change.widening(`every ${a} is a ${b}`);
};

export const compareEnum: SchemaComparison = (before, after, place) => {
  const [a, b] = [before.enum ?? [], after.enum ?? []];
  if (a.length === 0 && b.length === 0) return;
  const [inA, inB] = [new Set(a.map(formatCanonicalJson)), new Set(b.map(formatCanonicalJson))];
  const change = place.change('enum', before.enum, after.enum);
  if (a.length === 0) {
    return change.breaking(`must be one of ${formatValues(b)} now: other values were accepted`);
  }
  if (b.length === 0) {
    return change.widening('values other than the enumerated ones are accepted too');
  }
  const gone = a.filter((value) => !inB.has(formatCanonicalJson(value)));
  const added = b.filter((value) => !inA.has(formatCanonicalJson(value)));
  if (gone.length > 0) {
    const were = gone.length === 1 ? 'was accepted, and is' : 'were accepted, and are';
    change.breaking(`${formatValues(gone)} ${were} refused now`);
  }
  if (added.length > 0) {
    change.widening(`${formatValues(added)} ${added.length === 1 ? 'is' : 'are'} accepted too`);
  }
  if (gone.length + added.length > 0 || formatCanonicalJson(a) === formatCanonicalJson(b)) return;
  change.compatible('the same values in another order');
};

export const comparePattern: SchemaComparison = (before, after, place) => {
  const [a, b] = [before.pattern ?? '', after.pattern ?? ''];
  if (a === b) return;
  const change = place.change('pattern', before.pattern, after.pattern);
  if (!acceptsValueKind(after, 'strings')) change.compatible(NO_EFFECT);
  else if (b === '') change.widening('values of any form are accepted');
  else {
    const { verdict, message } = judgePattern(before, b);
    change.judge(verdict, message);
  }
};

/** Judges a pattern. It restricts nothing new if the values were enumerated and all of them match. */
function judgePattern(
  before: JSONSchemaProps,
  pattern: string,
): Pick<Change, 'verdict' | 'message'> {
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

export const compareNullable: SchemaComparison = (before, after, place) => {
  const [a, b] = [before.nullable ?? false, after.nullable ?? false];
  if (before.nullable === after.nullable) return;
  const change = place.change('nullable', before.nullable, after.nullable);
  if (a === b) change.compatible('not to be nullable is the default');
  else if (a) change.breaking('null was accepted, and is refused or dropped now');
  else if (before.default !== undefined || after.default !== undefined) {
    change.breaking('null gave the default, and stays null now');
  } else if ((after.enum ?? []).length > 0) {
    change.breaking('null was dropped, and is refused now by the enumeration');
  } else if (place.guarded || place.counted || place.ruled) {
    change.unknown(
      'null was dropped, and stays now: a rule, a branch or a count here or around it may refuse that',
    );
  } else change.widening('null is accepted too');
};

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
