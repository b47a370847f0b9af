import { errorAt, type Finding } from '../../kube/finding.ts';
import { isMapping } from '../../kube/mapping.ts';
import { listed, show, type Path } from '../../kube/problem.ts';

/** What a placeholder stands for. */
export type Meaning =
  /** Any value, which is put in as it is: nothing in it is a placeholder again. */
  | { readonly value: unknown }
  /** Nothing: what is this placeholder alone is left out, the key with its value. */
  | { readonly leftOut: true }
  /** Nothing here, which is a mistake. Why, as in `the namespace has no environment`. */
  | { readonly missing: string };

/** What the placeholders of a value stand for, by their names. */
export type Meanings = ReadonlyMap<string, Meaning>;

/** A value with its placeholders filled in. With findings it must not be used. */
export interface Filled<T> {
  readonly value: T;
  readonly findings: readonly Finding[];
}

/** A placeholder in a value. */
export interface Placeholder {
  readonly name: string;
  /** Of the text that it stands in, or of the key. */
  readonly path: Path;
  /** It stands in the last key of the path. */
  readonly atKey: boolean;
  /** The text consists of it. */
  readonly whole: boolean;
}

const NAME = '[a-z][A-Za-z0-9]*';

/** The form of the names. */
export const PLACEHOLDER_NAME = `^${NAME}$`;

/** `${name}` and `{{name}}` are other languages; `\{name}` is the text `{name}`. */
const PIECE = new RegExp(String.raw`\$\{${NAME}\}|\{\{${NAME}\}\}|(\\)?\{(${NAME})\}`, 'g');
const WHOLE = new RegExp(String.raw`^\{(${NAME})\}$`);

/**
 * Fills in the placeholders of a value. The value is taken as a structure: what a placeholder stands
 * for becomes one value, or a part of one text, and never anything around it.
 *
 * - A text that is one placeholder, `'{hosts}'`, becomes what it stands for, of whatever type.
 * - In a longer text, `'www.{host}'`, and in the keys of mappings, a string, a number or a boolean
 *   is put in as text.
 * - `\{name}` becomes the text `{name}`. `${name}`, `{{name}}` and everything else stay as they are.
 *
 * Pure. The time it takes grows with the size of the value alone.
 * @param path of the value, for findings
 * @returns `undefined` for a value that is left out as a whole
 */
export function fill(value: unknown, meanings: Meanings, path: Path = []): Filled<unknown> {
  const findings: Finding[] = [];
  return { value: filled(value, { meanings, findings }, path), findings };
}

/** The same of one text, which stays one: a placeholder that is all of it is put in as text. */
export function fillText(text: string, meanings: Meanings, path: Path = []): Filled<string> {
  const findings: Finding[] = [];
  return { value: filledText(text, { meanings, findings }, path), findings };
}

/** The placeholders of a value, in the order in which they stand there. */
export function placeholdersIn(value: unknown, path: Path = []): Placeholder[] {
  if (typeof value === 'string') return placeholdersOf(value, path, false);
  if (Array.isArray(value)) return value.flatMap((item, i) => placeholdersIn(item, [...path, i]));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    return [...placeholdersOf(key, at, true), ...placeholdersIn(inner, at)];
  });
}

function placeholdersOf(text: string, path: Path, atKey: boolean): Placeholder[] {
  return [...text.matchAll(PIECE)].flatMap(([piece, escape, name]) =>
    name === undefined || escape !== undefined
      ? []
      : [{ name, path, atKey, whole: piece.length === text.length }],
  );
}

interface Filling {
  readonly meanings: Meanings;
  readonly findings: Finding[];
}

function filled(value: unknown, filling: Filling, path: Path): unknown {
  if (typeof value === 'string') return filledString(value, filling, path);
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => {
      const inner = filled(item, filling, [...path, i]);
      return inner === undefined ? [] : [inner];
    });
  }
  return isMapping(value) ? filledMapping(value, filling, path) : value;
}

function filledMapping(
  value: Readonly<Record<string, unknown>>,
  filling: Filling,
  path: Path,
): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const [written, content] of Object.entries(value)) {
    const at = [...path, written];
    if (isLeftOut(written, filling.meanings)) continue;
    const key = filledText(written, filling, at, true);
    const inner = filled(content, filling, at);
    if (inner === undefined) continue;
    if (entries.has(key)) {
      const message = `must be a key of its own, got ${show(key)}, which another key of the mapping becomes too`;
      filling.findings.push({ ...errorAt(at, message, 'placeholder'), atKey: true });
    }
    entries.set(key, inner);
  }
  return Object.fromEntries(entries);
}

function isLeftOut(text: string, meanings: Meanings): boolean {
  const meaning = meanings.get(WHOLE.exec(text)?.[1] ?? '');
  return meaning !== undefined && 'leftOut' in meaning;
}

/** A text that is one placeholder becomes its value. */
function filledString(text: string, filling: Filling, path: Path): unknown {
  if (!text.includes('{')) return text;
  const whole = WHOLE.exec(text)?.[1];
  const meaning = whole === undefined ? undefined : filling.meanings.get(whole);
  if (!meaning || 'missing' in meaning) return filledText(text, filling, path);
  return 'value' in meaning ? meaning.value : undefined;
}

function filledText(text: string, filling: Filling, path: Path, atKey = false): string {
  if (!text.includes('{')) return text;
  return text.replaceAll(PIECE, (piece: string, escape?: string, name?: string) => {
    if (name === undefined) return piece;
    if (escape !== undefined) return piece.slice(1);
    const put = textOf(name, filling.meanings);
    if (put.fault === undefined) return put.text;
    filling.findings.push({ ...errorAt(path, put.fault, 'placeholder'), ...(atKey && { atKey }) });
    return piece;
  });
}

type Put =
  | { readonly text: string; readonly fault?: never }
  | { readonly text?: never; readonly fault: string };

function textOf(name: string, meanings: Meanings): Put {
  const meaning = meanings.get(name);
  if (!meaning) return { fault: unknownPlaceholder(name, [...meanings.keys()]) };
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

/** What is said of a placeholder that stands for nothing. */
export function unknownPlaceholder(name: string, known: readonly string[]): string {
  const braces = listed(known.map((one) => `{${one}}`));
  const stay = `written as \\{${name}} to stay as it is`;
  return `must be ${braces === '' ? stay : `one of ${braces}, or ${stay}`}, got {${name}}`;
}
