import { EVENT_ID, YAMLException, parseEvents } from 'js-yaml';
import type { Event } from 'js-yaml';
import { show } from '../problem.ts';
import { readBlockStyle } from './block-style.ts';
import { Construction, MAX_DEPTH, type Budget, type ConstructOptions } from './construct.ts';
import { indentContinuations } from './continuation.ts';
import { explainSyntaxError, type SyntaxFault } from './syntax-error.ts';
import {
  eventOffset,
  Lines,
  LOOSE_DEPTH,
  YamlDocument,
  type Chunk,
  type Position,
} from './yaml-document.ts';

export { MAX_DEPTH } from './construct.ts';
export { Lines, type Position, type YamlDocument } from './yaml-document.ts';
export { explainMisread } from './scalar.ts';
export { explainPair } from './syntax-error.ts';
export { mayContainWord } from './dialect.ts';

/** One problem in a YAML text. */
export interface YamlProblem extends Position {
  /** `must be ..., got ...`. */
  readonly message: string;
}

export interface ReadResult {
  readonly documents: readonly YamlDocument[];
  /** The problems in the order of the text. A document with a problem is not in `documents`. */
  readonly problems: readonly YamlProblem[];
}

/**
 * Reads YAML as kubectl does. The text is split at lines `---` (YAMLReader of k8s.io/apimachinery, which adds the line
 * break of the last line). Then every document is read with the scalars of scalar.ts. Empty and null documents are
 * skipped. It never throws for the content of a text. The text is decoded UTF-8; a byte order mark at its start is
 * ignored.
 *
 * Accepted, because kubectl accepts it: lines of a quoted value that are not indented deeper than its key.
 *
 * Refused, because kubectl refuses it or because two readers would differ: syntax errors, repeated keys, keys that are
 * no strings or read as another one (`y` as `true`, `0644` as `420`), merge keys `<<`, tags other than `!!str !!int
 * !!float !!bool !!null !!map !!seq`, infinities, integers beyond 2^53, control characters, raw U+0085, U+2028, U+2029
 * and byte order marks, escapes of surrogates, directives, text on a line `---`, nesting deeper than 64, an alias
 * inside its own anchor, aliases that add more than 100,000 values, a plain `?a`, and `{a:}` without a space. A syntax
 * error hides other problems of its document only. Merge conflicts and unrendered templates are one problem of the
 * whole text.
 *
 * Positions are computed on demand; the text stays in memory as long as its documents.
 */
export function readDocuments(text: string): ReadResult {
  return readAll(text, {});
}

/**
 * Reads the documents of a text like `readDocuments`, but each as `decodeDocument` does: for texts of others that are
 * only inspected.
 */
export function readLoosely(text: string): ReadResult {
  return readAll(text, LOOSELY);
}

function readAll(text: string, taking: ConstructOptions): ReadResult {
  const documents: YamlDocument[] = [];
  const problems: YamlProblem[] = [];
  const budget: Budget = { aliasedNodes: 0 };
  const lines = new Lines(text);
  let index = 0;
  for (const [start, end] of splitChunks(text)) {
    const source = start === 0 && end === text.length ? text : text.slice(start, end);
    const before = problems.length;
    const read = readChunk({ text, lines, start, source }, budget, problems, taking);
    if (problems.length > before) index += 1;
    else if (read.value !== undefined && read.value !== null) {
      documents.push(new YamlDocument(read.value, index, read.chunk, read.root));
      index += 1;
    }
  }
  const foreign = problems.length > 0 ? detectNonYaml(text) : undefined;
  if (foreign) {
    const { offset, message } = foreign;
    return { documents: [], problems: [{ ...lines.findPosition(offset), message }] };
  }
  if (problems.length > 1) problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { documents, problems };
}

/** The value that a decoder of Go reads from a text, or the reason why it reads none. */
type Decoding =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: YamlProblem };

/**
 * Reads the first document as lenient programs of Kubernetes do (`Unmarshal` of sigs.k8s.io/yaml): the last of repeated
 * keys counts, merge keys are merged, unknown tags are ignored, and integers are rounded. It returns null for an empty
 * text. Use it for texts of others that such a program reads, where its result counts. Use `readDocuments` for texts
 * that users write.
 */
export function decodeDocument(text: string): Decoding {
  const problems: YamlProblem[] = [];
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const chunk = { text, lines: new Lines(text), start, source: text.slice(start) };
  const { value } = readChunk(chunk, { aliasedNodes: 0 }, problems, LOOSELY);
  const [problem] = problems;
  return problem === undefined ? { value: value ?? null } : { problem };
}

const LOOSELY: ConstructOptions = { depth: LOOSE_DEPTH, isLoose: true };

const BYTE_ORDER_MARK = 0xfeff;

/** Returns the start and end of every document: the text between lines that start with `---`. */
function splitChunks(text: string): [number, number][] {
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const chunks: [number, number][] = [];
  for (let at = text.indexOf('\n---', start); at !== -1; at = text.indexOf('\n---', at + 1)) {
    chunks.push([start, at + 1]);
    start = at + 1;
  }
  chunks.push([start, text.length]);
  return chunks;
}

/** Matches a line `---` with more text: the first line of every chunk, except perhaps of the first chunk. */
const CROWDED_SEPARATOR = /^---(?![ \t]*(?:[ \t]#[^\n]*)?\r?(?:\n|$))[^\n]*/;

/** Characters that go-yaml refuses anywhere, and those that it treats as line breaks. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
/** Characters that go-yaml refuses. Its other line breaks are text to js-yaml, which changes only that text. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN_LOOSELY = /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

const OUTDENTED = 'deficient indentation';

/** Returns the chunk with quoted values indented as YAML requires, if that was the only problem. */
function indentedChunk({ text, start, source }: Chunk): Chunk | undefined {
  const indented = indentContinuations(source);
  if (indented === source || !parse(indented).events) return undefined;
  const whole = text.slice(0, start) + indented + text.slice(start + source.length);
  return { text: whole, lines: new Lines(whole), start, source: indented };
}

/** A value, and the chunk in which it has its place. */
interface ReadChunk {
  readonly chunk: Chunk;
  readonly value?: unknown;
  /** The offset of the value in the chunk. */
  readonly root?: number;
}

function readChunk(
  chunk: Chunk,
  budget: Budget,
  problems: YamlProblem[],
  taking: ConstructOptions = {},
): ReadChunk {
  const { lines, start, source } = chunk;
  const report = (offset: number, message: string): void => {
    problems.push({ ...lines.findPosition(start + offset), message });
  };
  const unreadable = findUnreadable(source, taking);
  if (unreadable) {
    report(unreadable.offset, unreadable.message);
    return { chunk };
  }
  const simple = readBlockStyle(source);
  if (simple) return { chunk, ...simple };
  const { events, error } = parse(source, taking.depth);
  if (error) {
    const indented = error.reason === OUTDENTED ? indentedChunk(chunk) : undefined;
    if (indented) return readChunk(indented, budget, problems, taking);
    if (error.reason.startsWith('nesting exceeded')) {
      report(error.offset, `must be nested at most ${taking.depth ?? MAX_DEPTH} deep, got more`);
    } else {
      const locate = (offset: number): Position => lines.findPosition(start + offset);
      const { offset, message } = explainSyntaxError(source, { ...error, locate });
      report(offset, message);
    }
    return { chunk };
  }
  if (events.length === 0) return { chunk };
  if (!taking.isLoose) checkDocuments(source, events, report);
  const value = new Construction(source, events, budget, report, taking).document();
  return { chunk, value, root: eventOffset(source, events, 1) };
}

/** Finds what the parser accepts and kubectl refuses. */
function findUnreadable(source: string, taking: ConstructOptions): SyntaxFault | undefined {
  const forbidden =
    (taking.isLoose ? FORBIDDEN_LOOSELY : FORBIDDEN).exec(source) ??
    (source.isWellFormed() ? null : LONE_SURROGATE.exec(source));
  if (forbidden !== null) {
    const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const message = `must be an escape in double quotes, got the raw character U+${code}`;
    return { offset: forbidden.index, message };
  }
  if (source.startsWith('---') && CROWDED_SEPARATOR.test(source)) {
    return { offset: 0, message: `must be '---' alone on its line, got more` };
  }
  if (!source.startsWith('%')) return undefined;
  return { offset: 0, message: 'must not start with a directive (kubectl reads none)' };
}

/** The events of a text, or where and why the parser gave up. */
type Parsed =
  | { readonly events: Event[]; readonly error?: undefined }
  | { readonly events?: undefined; readonly error: { offset: number; reason: string } };

function parse(source: string, depth = MAX_DEPTH): Parsed {
  try {
    return { events: parseEvents(source, { maxDepth: depth + 2 }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const offset = Math.min(error.mark?.position ?? 0, source.length);
    return { error: { offset, reason: error.reason } };
  }
}

/** Checks that each chunk has one document: kubectl reads one between two lines `---` and silently drops the rest. */
function checkDocuments(
  source: string,
  events: readonly Event[],
  report: (offset: number, message: string) => void,
): void {
  const second = events.findIndex((event, i) => i > 0 && event.type === EVENT_ID.DOCUMENT);
  if (second === -1) return;
  const end = source.search(/^(?:\.\.\.|---)/m);
  report(Math.max(0, end), `must be a line '---' between two documents`);
}

/** Matches a conflict marker of Git, at the beginning of a line. */
const CONFLICT = /^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$/m;

/** Splits between lines; each line keeps its end. */
const LINES = /(?<=[\n\r\u2028\u2029])/;

/** Matches the begin of a template action, on a line without quotes or a comment before it. */
const ACTION = /^[^'"#]*?(\{\{-?[ \t]*[.$("A-Za-z/])/;

/**
 * Detects texts that people take for YAML: an unresolved merge conflict, or an unrendered template. This message is
 * more helpful than all of the syntax errors.
 */
function detectNonYaml(
  text: string,
): { readonly offset: number; readonly message: string } | undefined {
  const conflict = CONFLICT.exec(text);
  if (conflict) {
    const message = `must be YAML without conflicts, got ${show(conflict[0].trimEnd())}: resolve the merge conflict`;
    return { offset: conflict.index, message };
  }
  let offset = 0;
  for (const line of text.split(LINES)) {
    const action = actionIn(line);
    if (action) {
      const message = `must be YAML, got a template with ${show(action.text)}: render it first, such as with \`helm template\``;
      return { offset: offset + action.index, message };
    }
    offset += line.length;
  }
  return undefined;
}

/** Finds the first action of a line; if it does not end, no later one does. */
function actionIn(line: string): { readonly index: number; readonly text: string } | undefined {
  const begun = ACTION.exec(line);
  const end = begun ? line.indexOf('}}', begun[0].length) : -1;
  if (!begun || end < 0) return undefined;
  const index = begun[0].length - begun[1]!.length;
  return { index, text: line.slice(index, end + 2) };
}
