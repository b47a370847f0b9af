import { isMapping } from '../mapping.ts';
import { formatInlineString, formatStringValue } from './write-string.ts';

/** The width at which values change from braces on one line to a block. */
const WIDTH = 100;

/**
 * Formats a document as people write it: in block style, with values in braces or brackets where they fit on a line of
 * 100 columns. Undefined fields are left out. `readDocuments` reads the same value back.
 * @param document plain data, of which the top level is a mapping
 */
export function formatCompactYaml(document: object): string {
  const lines: string[] = [];
  for (const [key, value] of entriesOf(document))
    addField(lines, key, value, '', key !== 'metadata');
  return `${lines.join('\n')}\n`;
}

const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, inner]) => inner !== undefined);

/** @param isBlock whether the value must not be in braces */
function addField(
  lines: string[],
  key: string,
  value: unknown,
  indent: string,
  isBlock = false,
): void {
  const head = `${indent}${formatInlineString(key)}:`;
  if (!isCollection(value)) {
    lines.push(`${head} ${formatScalar(value, indent)}`);
    return;
  }
  const isEmpty = entriesOf(value as object).length === 0;
  const flow = isBlock && !isEmpty ? undefined : formatFlow(value);
  if (flow !== undefined && (isEmpty || head.length + 1 + flow.length <= WIDTH)) {
    lines.push(`${head} ${flow}`);
    return;
  }
  lines.push(head);
  addContent(lines, value, `${indent}  `);
}

function addContent(lines: string[], value: unknown, indent: string): void {
  if (Array.isArray(value)) for (const item of value) addItem(lines, item, indent);
  else {
    for (const [key, inner] of entriesOf(value as object)) addField(lines, key, inner, indent);
  }
}

function addItem(lines: string[], item: unknown, indent: string): void {
  if (!isCollection(item)) {
    lines.push(`${indent}- ${formatScalar(item, indent)}`);
    return;
  }
  const isEmpty = entriesOf(item as object).length === 0;
  const flow = formatFlow(item);
  if (flow !== undefined && (isEmpty || indent.length + 2 + flow.length <= WIDTH)) {
    lines.push(`${indent}- ${flow}`);
    return;
  }
  const inner: string[] = [];
  addContent(inner, item, `${indent}  `);
  const [first = '', ...rest] = inner;
  lines.push(`${indent}- ${first.slice(indent.length + 2)}`, ...rest);
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || isMapping(value);
}

function formatScalar(value: unknown, indent: string): string {
  return typeof value === 'string' ? formatStringValue(value, indent) : String(value);
}

/** Returns a value on one line; undefined for texts of several lines, and for what is longer than a line. */
function formatFlow(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? undefined : formatFlowString(value);
  if (!isCollection(value)) return String(value);
  const parts: string[] = [];
  let length = 0;
  for (const [key, inner] of entriesOf(value as object)) {
    const text = formatFlow(inner);
    if (text === undefined) return undefined;
    const part = Array.isArray(value) ? text : `${formatFlowString(key)}: ${text}`;
    length += part.length;
    if (length > WIDTH) return undefined;
    parts.push(part);
  }
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** In braces, commas and brackets end a plain text too. */
function formatFlowString(text: string): string {
  const inline = formatInlineString(text);
  const isPlain = inline === text;
  return isPlain && /[,[\]{}]|:$|^[?-]/.test(text) ? JSON.stringify(text) : inline;
}
