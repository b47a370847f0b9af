import { JsonTooDeep, parseJson } from '@tenantry/kube/json';
import type { Path } from '@tenantry/kube/problem';
import { Lines, readDocuments, type YamlProblem } from '@tenantry/kube/yaml/read';

/** A position in a text; lines and columns count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A value of a text, and the position of everything in it. */
export interface TextValue {
  readonly value: unknown;
  /** Returns the position of the value at a path (or of its key), or else of its nearest ancestor. */
  position(path: Path, atKey?: boolean): Position;
}

/** The values of a text, and the errors of those that could not be read. */
interface TextValues {
  readonly values: readonly TextValue[];
  readonly problems: readonly YamlProblem[];
}

/** Reads a stream of YAML documents, or of JSON values, which need no separator. */
export function readValues(text: string): TextValues {
  return jsonValues(text) ?? yamlValues(text);
}

function yamlValues(text: string): TextValues {
  const { documents, problems } = readDocuments(text);
  const values = documents.map((document) => ({
    value: document.value,
    position: (path: Path, atKey = false) =>
      atKey ? document.keyPositionAt(path) : document.positionAt(path),
  }));
  return { values, problems };
}

/** Reads JSON values; undefined if the text is not JSON. YAML may begin with a brace too. */
function jsonValues(text: string): TextValues | undefined {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined;
  const lines = new Lines(text);
  const values: TextValue[] = [];
  const problems: YamlProblem[] = [];
  for (const [start, end] of objectsOf(text)) {
    const part = text.slice(start, end);
    try {
      values.push(jsonValue(parseJson(part), part, () => lines.positionOf(start)));
    } catch (error) {
      if (error instanceof JsonTooDeep) {
        const { message, offset } = error;
        problems.push({ ...lines.positionOf(start + offset), message });
        continue;
      }
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
  return { values, problems };
}

/** A JSON value. Its positions are computed on demand, by parsing it as YAML, of which JSON is a subset. */
function jsonValue(value: unknown, part: string, startOf: () => Position): TextValue {
  let read: { readonly start: Position; readonly yaml: TextValue | undefined } | undefined;
  return {
    value,
    position(path, atKey) {
      read ??= { start: startOf(), yaml: yamlValues(part).values[0] };
      const { start, yaml } = read;
      if (!yaml) return start;
      const { line, column } = yaml.position(path, atKey);
      return {
        line: start.line + line - 1,
        column: line === 1 ? start.column + column - 1 : column,
      };
    },
  };
}

const MARKS = /["{}]/g;

/** Yields the start and the end of every top-level object, and finally of the rest of the text. */
function* objectsOf(text: string): Generator<readonly [start: number, end: number]> {
  const marks = new RegExp(MARKS);
  let depth = 0;
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index);
    else depth += mark[0] === '{' ? 1 : -1;
    if (depth > 0 || mark[0] !== '}') continue;
    const begin = start + text.slice(start, mark.index).search(/\S/);
    yield [begin, mark.index + 1];
    start = mark.index + 1;
  }
  if (text.slice(start).trim() !== '') yield [start, text.length];
}

/** Returns the position after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const character = text[i];
    if (character === '"') return i + 1;
    if (character === '\\') i += 1;
  }
  return text.length;
}
