import { parseJson } from '@tenantry/kube/json';
import { errorAt, warningAt } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import { decodeUtf8 } from '@tenantry/kube/utf8';
import {
  readDocuments,
  readLoosely,
  type Position,
  type ReadResult,
  type YamlDocument,
  type YamlProblem,
} from '@tenantry/kube/yaml/read';
import type { BundleDocument, BundleFile, BundleFinding } from './bundle.ts';
import type { ReadingRule } from './reading-rules.ts';

/** The largest file that is read, in bytes. No object that a cluster accepts has a quarter of this size. */
const MAX_TEXT = 8 * 2 ** 20;

/** The maximum number of documents in a file. OLM reads only the first, and a file of 8 MiB has room for a million. */
const MAX_DOCUMENTS = 10_000;

/** The maximum number of reported findings of one kind in one file. The others are reported after these are fixed. */
export const MAX_REPORTED = 20;

/** The contents of a file of a bundle. */
export interface BundleFileContents {
  readonly documents: readonly BundleDocument[];
  /** The errors of reading the file, or a part of it. */
  readonly faults: readonly BundleFinding[];
}

/** Reads the YAML or the JSON of a file: all of its documents. Never throws, whatever is in it. */
export function readBundleFile({ path: file, bytes }: BundleFile): BundleFileContents {
  const fault = (message: string, rule: ReadingRule, position?: Position): BundleFinding => ({
    ...errorAt([], message, rule),
    file,
    ...(position && { position }),
  });
  if (bytes.length > MAX_TEXT) {
    const got = `${Math.ceil(bytes.length / 2 ** 20)} MiB`;
    return none(fault(`must be at most ${MAX_TEXT / 2 ** 20} MiB, got ${got}`, 'file-size'));
  }
  const { text, fault: why, ...place } = decodeUtf8(bytes);
  if (text === undefined) {
    const { line, column } = { line: undefined, column: undefined, ...place };
    const position = line === undefined || column === undefined ? undefined : { line, column };
    return none(fault(why, 'file-text', position));
  }
  const json = jsonOf(text);
  if (json !== undefined) return { documents: [new JsonDocument(file, json, text)], faults: [] };
  const count = separatorsIn(text) + 1;
  if (count > MAX_DOCUMENTS) {
    const message = `must contain at most ${MAX_DOCUMENTS} documents, got ${count}`;
    return none(fault(message, 'file-size'));
  }
  const { documents, problems, odd } = readYaml(text);
  const faults = problems.slice(0, MAX_REPORTED).map(({ message, ...position }) => {
    return fault(message, 'yaml', position);
  });
  if (odd)
    faults.push({
      ...warningAt([], odd.message, 'yaml-dialect'),
      file,
      position: { line: odd.line, column: odd.column },
    });
  return { documents: documents.map((one) => new LocatedDocument(file, one)), faults };
}

function separatorsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n---'); at !== -1; at = text.indexOf('\n---', at + 1)) count += 1;
  return count;
}

/** Parses YAML as kubectl does in strict mode, or else as OLM's tools do, with the first problem of the strict mode. */
function readYaml(text: string): ReadResult & { readonly odd?: YamlProblem } {
  const strict = readDocuments(text);
  const [odd] = strict.problems;
  if (!odd) return strict;
  const loose = readLoosely(text);
  return loose.problems.length > 0 ? loose : { ...loose, odd };
}

function none(fault: BundleFinding): BundleFileContents {
  return { documents: [], faults: [fault] };
}

/** Returns the value of a text that is a single JSON object; undefined for any other text. */
function jsonOf(text: string): object | undefined {
  if (!/^\uFEFF?\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

class LocatedDocument implements BundleDocument {
  readonly file: string;
  readonly #document: YamlDocument;

  constructor(file: string, document: YamlDocument) {
    this.file = file;
    this.#document = document;
  }

  get index(): number {
    return this.#document.index;
  }

  get value(): unknown {
    return this.#document.value;
  }

  position(path: Path, atKey = false): Position {
    return atKey ? this.#document.keyPositionAt(path) : this.#document.positionAt(path);
  }
}

/** A JSON document. Positions are computed only when something is wrong. */
class JsonDocument implements BundleDocument {
  readonly file: string;
  readonly index = 0;
  readonly value: unknown;
  readonly #text: string;
  #read: YamlDocument | undefined;

  constructor(file: string, value: object, text: string) {
    this.file = file;
    this.value = value;
    this.#text = text;
  }

  position(path: Path, atKey = false): Position {
    this.#read ??= readLoosely(this.#text).documents[0];
    if (!this.#read) return { line: 1, column: 1 };
    return atKey ? this.#read.keyPositionAt(path) : this.#read.positionAt(path);
  }
}
