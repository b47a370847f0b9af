import { errorAt, type TenantFinding } from './findings/tenant-finding.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { formatList, show, type Path } from '@tenantry/kube/problem';

/** The value of a placeholder. */
export type PlaceholderValue =
  /** Any value, which is inserted as it is: nothing in it is read as a placeholder. */
  | { readonly value: unknown }
  /** No value: a text that consists of the placeholder is left out, together with its key. */
  | { readonly leftOut: true }
  /** No value here, which is an error. The reason, such as `the namespace has no environment`. */
  | { readonly missing: string };

/** The values of placeholders, by name. */
export type PlaceholderValues = ReadonlyMap<string, PlaceholderValue>;

/** A value with its placeholders filled in. If there are findings, it must not be used. */
interface FillResult<T> {
  readonly value: T;
  readonly findings: readonly TenantFinding<'placeholder'>[];
}

/** A placeholder in a value. */
export interface Placeholder {
  readonly name: string;
  /** The path of the text or the key that contains it. */
  readonly path: Path;
  /** Whether it is in the last key of the path. */
  readonly atKey: boolean;
  /** Whether the text consists of it. */
  readonly whole: boolean;
}

const NAME = '[a-z][A-Za-z0-9]*';

/** The pattern of placeholder names. */
export const PLACEHOLDER_NAME = `^${NAME}$`;

/** `${name}` and `{{name}}` are other languages; `\{name}` is the text `{name}`. */
const PIECE = new RegExp(String.raw`\$\{${NAME}\}|\{\{${NAME}\}\}|(\\)?\{(${NAME})\}`, 'g');
const WHOLE = new RegExp(String.raw`^\{(${NAME})\}$`);

/**
 * Fills in the placeholders of a value. It works on the structure: the value of a placeholder becomes one value, or a
 * part of one text, and never changes anything around it.
 *
 * - A text that is one placeholder, `'{hosts}'`, becomes its value, of whatever type.
 * - In a longer text, `'www.{host}'`, and in the keys of mappings, a string, a number or a boolean is inserted as text.
 * - `\{name}` becomes the text `{name}`. `${name}`, `{{name}}` and everything else stay as they are.
 *
 * It is pure. Its running time grows only with the size of the value.
 * @param path the path of the value, for findings
 * @returns `undefined` for a value that is left out as a whole
 */
export function fillPlaceholders(
  value: unknown,
  meanings: PlaceholderValues,
  path: Path = [],
): FillResult<unknown> {
  const findings: TenantFinding<'placeholder'>[] = [];
  return { value: fillValue(value, { meanings, findings, path: [...path] }), findings };
}

/** Fills in the placeholders of a text. The result is always text, also if the text consists of a placeholder. */
export function fillTextPlaceholders(
  text: string,
  meanings: PlaceholderValues,
  path: Path = [],
): FillResult<string> {
  const findings: TenantFinding<'placeholder'>[] = [];
  return { value: replacePlaceholders(text, { meanings, findings, path: [...path] }), findings };
}

/** Lists the placeholders of a value in their order there. */
export function findPlaceholders(value: unknown, path: Path = []): Placeholder[] {
  if (typeof value === 'string') return findTextPlaceholders(value, path, false);
  if (Array.isArray(value)) return value.flatMap((item, i) => findPlaceholders(item, [...path, i]));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    return [...findTextPlaceholders(key, at, true), ...findPlaceholders(inner, at)];
  });
}

function findTextPlaceholders(text: string, path: Path, atKey: boolean): Placeholder[] {
  return [...text.matchAll(PIECE)].flatMap(([piece, escape, name]) =>
    name === undefined || escape !== undefined
      ? []
      : [{ name, path, atKey, whole: piece.length === text.length }],
  );
}

interface FillContext {
  readonly meanings: PlaceholderValues;
  readonly findings: TenantFinding<'placeholder'>[];
  /** The path of the value that is filled in. It changes on the way. */
  readonly path: (string | number)[];
}

function fillValue(value: unknown, filling: FillContext): unknown {
  if (typeof value === 'string') return fillString(value, filling);
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => {
      filling.path.push(i);
      const inner = fillValue(item, filling);
      filling.path.pop();
      return inner === undefined ? [] : [inner];
    });
  }
  return isMapping(value) ? fillMapping(value, filling) : value;
}

function fillMapping(
  value: Readonly<Record<string, unknown>>,
  filling: FillContext,
): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  const { path } = filling;
  for (const [written, content] of Object.entries(value)) {
    if (isOmitted(written, filling.meanings)) continue;
    path.push(written);
    const key = replacePlaceholders(written, filling, true);
    const inner = fillValue(content, filling);
    if (inner !== undefined && entries.has(key)) {
      const message = `must be a key of its own, got ${show(key)}, which another key of the mapping becomes too`;
      filling.findings.push({ ...errorAt([...path], message, 'placeholder'), atKey: true });
    }
    path.pop();
    if (inner !== undefined) entries.set(key, inner);
  }
  return Object.fromEntries(entries);
}

function isOmitted(text: string, meanings: PlaceholderValues): boolean {
  if (!text.startsWith('{')) return false;
  const meaning = meanings.get(WHOLE.exec(text)?.[1] ?? '');
  return meaning !== undefined && 'leftOut' in meaning;
}

/** Fills in a string; a text that is one placeholder becomes its value. */
function fillString(text: string, filling: FillContext): unknown {
  if (!text.includes('{')) return text;
  const whole = WHOLE.exec(text)?.[1];
  const meaning = whole === undefined ? undefined : filling.meanings.get(whole);
  if (!meaning || 'missing' in meaning) return replacePlaceholders(text, filling);
  return 'value' in meaning ? meaning.value : undefined;
}

function replacePlaceholders(text: string, filling: FillContext, atKey = false): string {
  if (!text.includes('{')) return text;
  return text.replaceAll(PIECE, (piece: string, escape?: string, name?: string) => {
    if (name === undefined) return piece;
    if (escape !== undefined) return piece.slice(1);
    const put = formatPlaceholderValue(name, filling.meanings);
    if (put.fault === undefined) return put.text;
    const at = [...filling.path];
    filling.findings.push({ ...errorAt(at, put.fault, 'placeholder'), ...(atKey && { atKey }) });
    return piece;
  });
}

type TextResult =
  | { readonly text: string; readonly fault?: never }
  | { readonly text?: never; readonly fault: string };

function formatPlaceholderValue(name: string, meanings: PlaceholderValues): TextResult {
  const meaning = meanings.get(name);
  if (!meaning) return { fault: formatUnknownPlaceholder(name, [...meanings.keys()]) };
  if ('missing' in meaning) return { fault: `must hold no {${name}} here: ${meaning.missing}` };
  if ('leftOut' in meaning) {
    return {
      fault: `must hold no {${name}} beside other text: it may have no value, and has none`,
    };
  }
  const { value } = meaning;
  if (typeof value === 'string') return { text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return { text: String(value) };
  const must = `must hold a string, a number or a boolean where it holds {${name}}`;
  return { fault: `${must}, got ${show(value)}` };
}

/** Formats the message about an unknown placeholder. */
export function formatUnknownPlaceholder(name: string, known: readonly string[]): string {
  const braces = formatList(known.map((one) => `{${one}}`));
  const stay = `written as \\{${name}} to stay as it is`;
  return `must be ${braces === '' ? stay : `one of ${braces}, or ${stay}`}, got {${name}}`;
}

/** The place in which placeholders are filled in. */
export interface PlaceholderContext {
  readonly tenant: string;
  readonly namespace: string;
  readonly environment: string | undefined;
}

/**
 * Builds the values of the placeholders that every namespace has.
 * @param lack the reason to report if there is no environment
 */
export function buildPlaceholderValues(
  { tenant, namespace, environment }: PlaceholderContext,
  lack: string,
): Map<string, PlaceholderValue> {
  return new Map<string, PlaceholderValue>([
    ['tenant', { value: tenant }],
    ['namespace', { value: namespace }],
    ['environment', environment === undefined ? { missing: lack } : { value: environment }],
  ]);
}
