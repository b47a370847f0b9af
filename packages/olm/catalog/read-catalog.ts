import { errorAt, toProblem, warningAt, type Finding } from '@tenantry/kube/finding';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import { lowerCase } from '@tenantry/kube/names';
import { formatList, show, type Problem, type Path } from '@tenantry/kube/problem';
import type {
  CatalogFinding,
  Catalog,
  CatalogBlob,
  CatalogBundle,
  CatalogChannel,
  CatalogDeprecations,
  CatalogOther,
  CatalogPackage,
} from './catalog.ts';
import { blobSchemas, decodeCatalogValue } from './read/blob-decoding.ts';
import { JsonTooDeep, parseJson } from '@tenantry/kube/json';
import { Lines, readDocuments, type YamlProblem } from '@tenantry/kube/yaml/read';

/** A file of a catalog. */
export interface CatalogText {
  /** The name of the file in problems. */
  readonly file: string;
  readonly text: string;
}

/** A catalog as it was read. Objects with a problem are not in it. */
export interface ReadCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly Problem[];
  /** The fields that OLM ignores. */
  readonly warnings: readonly Problem[];
  /** Converts a finding about an object of the catalog to a problem with its position in the file. */
  problem(finding: CatalogFinding): Problem;
}

/**
 * Reads the files of a catalog, JSON or YAML, each with any number of objects. Field names match in any case, and
 * unknown fields are ignored, as in OLM. Never throws, whatever a text contains.
 */
export function readCatalog(texts: Iterable<CatalogText>): ReadCatalog {
  const reading = new CatalogReader();
  for (const text of texts) reading.read(text);
  return reading;
}

class CatalogReader implements ReadCatalog {
  readonly catalog = {
    packages: [] as CatalogPackage[],
    channels: [] as CatalogChannel[],
    bundles: [] as CatalogBundle[],
    deprecations: [] as CatalogDeprecations[],
    others: [] as CatalogOther[],
  };
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #places = new Map<object, (finding: Finding) => Problem>();

  read({ file, text }: CatalogText): void {
    const { values, problems } = readValues(text);
    for (const { message, ...position } of problems) {
      this.problems.push(toProblem(errorAt([], message, 'yaml'), { file, ...position }));
    }
    for (const one of values) this.#value(file, one);
    if (values.length === 0 && problems.length === 0) {
      const finding = warningAt(
        [],
        'must contain an object of a catalog, got nothing',
        'empty-file',
      );
      this.warnings.push(toProblem(finding, { file }));
    }
  }

  problem(finding: CatalogFinding): Problem {
    return this.#places.get(finding.blob)?.(finding) ?? toProblem(finding);
  }

  #value(file: string, { value, position }: TextValue): void {
    const place = (finding: Finding): Problem =>
      toProblem(finding, { file, ...position(finding.path, finding.atKey) });
    const refused = findFault(value);
    if (refused || !isMapping(value)) {
      if (refused) this.problems.push(place(refused));
      return;
    }
    const blob = withSchema(value);
    const schema = entryOf(blobSchemas, blob.schema);
    const { value: known, findings } = schema
      ? decodeCatalogValue(schema, value)
      : { value: blob, findings: [] };
    for (const finding of findings) {
      const list = finding.severity === 'error' ? this.problems : this.warnings;
      list.push(place(finding));
    }
    if (findings.some(({ severity }) => severity === 'error')) return;
    this.#places.set(known as object, place);
    this.#add(known as CatalogBlob);
  }

  #add(blob: CatalogBlob): void {
    const { catalog } = this;
    if (hasSchema('olm.package', blob)) catalog.packages.push(blob);
    else if (hasSchema('olm.channel', blob)) catalog.channels.push(blob);
    else if (hasSchema('olm.bundle', blob)) catalog.bundles.push(blob);
    else if (hasSchema('olm.deprecations', blob)) catalog.deprecations.push(blob);
    else catalog.others.push(blob);
  }
}

/** The objects with schemas that OLM knows. */
interface KnownBlobs {
  readonly 'olm.package': CatalogPackage;
  readonly 'olm.channel': CatalogChannel;
  readonly 'olm.bundle': CatalogBundle;
  readonly 'olm.deprecations': CatalogDeprecations;
}

function hasSchema<S extends keyof KnownBlobs>(
  schema: S,
  blob: CatalogBlob,
): blob is KnownBlobs[S] {
  return blob.schema === schema;
}

/** Returns the schema, whose key matches in any case, with the other fields. */
function withSchema(value: Readonly<Record<string, unknown>>): CatalogOther {
  const key = Object.keys(value).find((one) => lowerCase(one) === 'schema');
  return { ...value, schema: String(value[key!]) };
}

/** Explains why a value is not an object of a catalog. */
function findFault(value: unknown): Finding | undefined {
  if (!isMapping(value)) {
    return errorAt([], `must be an object of a catalog, got ${show(value)}`, 'catalog-schema');
  }
  const keys = new Map<string, string[]>();
  for (const key of Object.keys(value)) {
    const folded = lowerCase(key);
    keys.set(folded, [...(keys.get(folded) ?? []), key]);
  }
  const twice = [...keys.values()].find((all) => all.length > 1);
  if (twice) {
    const message = `must be there once, got ${formatList(twice)}: OLM treats them as the same key`;
    return { ...errorAt([twice.at(-1)!], message, 'catalog-repeated-field'), atKey: true };
  }
  for (const field of ['schema', 'package', 'name']) {
    const key = keys.get(field)?.[0];
    if (key !== undefined && typeof value[key] !== 'string') {
      return errorAt([key], `must be a text, got ${show(value[key])}`, 'catalog-type');
    }
  }
  const schema = keys.get('schema')?.[0];
  if (schema !== undefined && value[schema] !== '') return undefined;
  const message = "must have a schema, such as 'olm.package', got none";
  return errorAt([], message, 'catalog-schema');
}

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
  for (const [start, end] of findObjects(text)) {
    const part = text.slice(start, end);
    try {
      values.push(jsonValue(parseJson(part), part, () => lines.findPosition(start)));
    } catch (error) {
      if (error instanceof JsonTooDeep) {
        const { message, offset } = error;
        problems.push({ ...lines.findPosition(start + offset), message });
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
function* findObjects(text: string): Generator<readonly [start: number, end: number]> {
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
