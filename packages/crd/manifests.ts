import type { CustomResourceDefinitionManifest } from './custom-resource-definition.ts';
import {
  API_VERSION,
  stripClusterFields,
  formatWrongVersion,
  readAsWritten,
} from './read-definition.ts';
import { LEFT_OUT } from './fields/field-reader.ts';
import { parseJson } from '@tenantry/kube/json';
import { errorAt, toProblem, warningAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { formatProblem, show, type Path, type Problem } from '@tenantry/kube/problem';
import { MAX_ANNOTATIONS } from '@tenantry/kube/names';
import { isMapping } from '@tenantry/kube/mapping';
import { explainMisread, readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';

/** A CustomResourceDefinition and its place in a file. */
export interface LocatedDefinition {
  /** Without status, and without the metadata that only a cluster writes. */
  readonly manifest: CustomResourceDefinitionManifest;
  /** The object as it is written, without what only a cluster writes. */
  readonly asRead: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** `status.storedVersions`, which only a cluster writes. */
  readonly storedVersions?: readonly string[];
  /** Converts a finding about the definition into a problem with its place in the file. */
  problem(finding: Finding): Problem;
}

/** An object in the text that is not a definition. */
export interface SkippedObject {
  readonly file: string;
  readonly kind: string;
  readonly name?: string;
}

interface ReadDefinitions {
  readonly definitions: readonly LocatedDefinition[];
  /** What makes definitions unusable. A definition with a problem is not among `definitions`. */
  readonly problems: readonly Problem[];
  /**
   * What was read but deserves attention. Examples are fields that the API server drops, or takes
   * for false if they are left out (the rule `left-out`), and definitions too large for `kubectl
   * apply`.
   */
  readonly warnings: readonly Problem[];
  /** Objects of other kinds, in the order of the text. */
  readonly skipped: readonly SkippedObject[];
}

/** In UTF-16 units. A longer text is refused. */
const MAX_YAML = 64 * 2 ** 20;
export const MAX_JSON = 256 * 2 ** 20;

/**
 * The maximum size of an etcd request in bytes, which no definition can exceed. Source:
 * https://etcd.io/docs/v3.5/dev-guide/limit/
 */
export const MAX_DEFINITION = 1.5 * 2 ** 20;

/**
 * The maximum number of problems, and of warnings, per definition. Each is located in the text. The
 * others are reported once these are fixed.
 */
const MAX_PROBLEMS = 20;
/** In UTF-16 units. In longer JSON, which no person wrote, problems have no line and column. */
const MAX_PLACED = 4 * 2 ** 20;

const KIND = 'CustomResourceDefinition';

/**
 * Reads the CustomResourceDefinitions of a text: YAML or JSON, several documents, and lists of
 * objects. Drops what the API server drops: null, unknown fields, status. Reports what it cannot
 * decode as a problem.
 *
 * Does not validate the definitions. A text without any definition is a problem with the rule
 * `no-definition`. Never throws for the content of a text.
 * @param file the name of the file in problems
 */
export function readDefinitions(file: string, text: string): ReadDefinitions {
  const reading = new ManifestReader(file);
  const json = parseJsonText(text);
  const limit = json === undefined ? MAX_YAML : MAX_JSON;
  if (text.length > limit) {
    const message = `must be at most ${limit / 2 ** 20} MiB, got ${Math.ceil(text.length / 2 ** 20)}`;
    reading.problems.push({ file, path: '', message, rule: 'size' });
    return reading;
  }
  if (json !== undefined) reading.readObject(json, [], laterDocument(text));
  else {
    const { documents, problems } = readDocuments(text);
    for (const document of documents) reading.readObject(document.value, [], () => document);
    const template = problems.length > 0 ? templateAction(text) : undefined;
    if (template) reading.problems.unshift({ file, path: '', ...template, rule: 'template' });
    else
      reading.problems.unshift(
        ...problems.map(({ message, ...position }) =>
          toProblem(errorAt([], message, 'yaml'), { file, ...position }),
        ),
      );
  }
  reading.finish();
  return reading;
}

/** Parses the JSON for positions only when there is a problem to report. */
function laterDocument(text: string): () => YamlDocument | undefined {
  let read: { readonly document: YamlDocument | undefined } | undefined;
  return () => {
    read ??= { document: text.length > MAX_PLACED ? undefined : readDocuments(text).documents[0] };
    return read.document;
  };
}

/** Parses a text that is one JSON document; returns undefined for any other text. */
function parseJsonText(text: string): unknown {
  if (!/^\uFEFF?\s*[{[]/.test(text)) return undefined;
  try {
    return parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** A line that begins with an action of a Go template, or has one as a value. */
const ACTION = /^[ \t]*(?:- )?(?:[^\s:#]+:[ \t]+)?(?<action>\{\{.*)$/m;

function templateAction(text: string): Pick<Problem, 'line' | 'column' | 'message'> | undefined {
  const match = ACTION.exec(text);
  const action = match?.groups?.['action'];
  if (!match || action === undefined) return undefined;
  const line = text.slice(0, match.index).split('\n').length;
  const column = match[0].length - action.length + 1;
  return { line, column, message: notTemplate(action) };
}

function notTemplate(action: string): string {
  return `must be plain YAML, got ${show(action)} of a template; render it first, for example with \`helm template\``;
}

class ManifestReader implements ReadDefinitions {
  readonly definitions: LocatedDefinition[] = [];
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly skipped: SkippedObject[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes one object of the text, at a path of its document. */
  readObject(value: unknown, at: Path, document: () => YamlDocument | undefined): void {
    const locate = this.#locator(at, document);
    if (!isMapping(value)) {
      const message = `must be a ${KIND} (${API_VERSION}), got ${show(value)}`;
      this.problems.push(locate(errorAt([], message, 'kind')));
      return;
    }
    const { kind, apiVersion, items } = value;
    if (typeof kind !== 'string') {
      const got = kind === undefined ? 'no kind' : `kind ${show(kind)}`;
      const message = `must be ${KIND} (${API_VERSION}), got ${got}`;
      this.problems.push(locate(errorAt(['kind'], message, 'kind')));
    } else if (kind === KIND) {
      if (apiVersion === API_VERSION) this.#definition(value, locate);
      else
        this.problems.push(
          locate(errorAt(['apiVersion'], formatWrongVersion(apiVersion), 'version')),
        );
    } else if (
      (kind === 'List' || kind === `${KIND}List`) &&
      Array.isArray(items) &&
      at.length < 8
    ) {
      // Items of a typed list may leave out what the kind of the list implies.
      const implied = kind === 'List' ? {} : { apiVersion, kind: KIND };
      items.forEach((item: unknown, i) => {
        const whole = isMapping(item) ? { ...implied, ...item } : item;
        this.readObject(whole, [...at, 'items', i], document);
      });
    } else {
      const { metadata } = value;
      const name = isMapping(metadata) ? metadata['name'] : undefined;
      this.skipped.push({ file: this.#file, kind, ...(typeof name === 'string' && { name }) });
    }
  }

  /** Reports what can only be decided at the end of the text. */
  finish(): void {
    if (this.definitions.length > 0 || this.problems.length > 0) return;
    const kinds = [...new Set(this.skipped.map(({ kind }) => kind))];
    const got = kinds.length === 0 ? 'nothing' : kinds.slice(0, 5).join(', ');
    const more = kinds.length > 5 ? ` and ${kinds.length - 5} other kinds` : '';
    this.problems.push({
      file: this.#file,
      path: '',
      message: `must hold a ${KIND}, got ${got}${more}`,
      rule: 'no-definition',
    });
  }

  #definition(value: Record<string, unknown>, locate: LocatedDefinition['problem']): void {
    const before = this.problems.length;
    const wrong = new CappedProblems(locate, this.problems);
    const dropped = new CappedProblems(locate, this.warnings);
    const asRead = stripClusterFields(value);
    const manifest = readAsWritten(asRead, {
      wrong: (path, message, rule) => wrong.report(errorAt(path, message, rule)),
      dropped: (path, message) => dropped.report(warningAt(path, message, 'unknown-field')),
      assumed: (path, message) => dropped.report(warningAt(path, message, LEFT_OUT)),
    });
    // The API server accepts an object without a name, because of generateName; a file here needs one.
    const { name }: { readonly name?: string } = manifest.metadata ?? {};
    if (name === undefined && this.problems.length === before) {
      const message = 'must be a string, got nothing';
      wrong.report(errorAt(['metadata', 'name'], message, 'shape'));
    }
    wrong.finish();
    dropped.finish();
    if (this.problems.length > before) return;
    for (const [path, text] of listNames(manifest)) {
      if (!text.includes('{{')) continue;
      this.problems.push(locate(errorAt(path, notTemplate(text), 'template')));
    }
    this.#measure(manifest, locate);
    if (this.problems.length > before) return;
    const stored = readStoredVersions(value['status']);
    this.definitions.push({
      manifest,
      asRead,
      file: this.#file,
      ...(stored && { storedVersions: stored }),
      problem: locate,
    });
  }

  #measure(manifest: CustomResourceDefinitionManifest, locate: LocatedDefinition['problem']): void {
    const size = Buffer.byteLength(JSON.stringify(manifest));
    if (size > MAX_DEFINITION) {
      const must = `must be at most ${MAX_DEFINITION} bytes as JSON, which is what etcd takes`;
      this.problems.push(locate(errorAt([], `${must}, got ${size}`, 'size')));
    } else if (size > MAX_ANNOTATIONS) {
      const must = `must be at most ${MAX_ANNOTATIONS} bytes as JSON for \`kubectl apply\``;
      const instead = 'use `kubectl apply --server-side`, and ServerSideApply=true in Argo CD';
      this.warnings.push(locate(warningAt([], `${must}, got ${size}; ${instead}`, 'size')));
    }
  }

  #locator(at: Path, document: () => YamlDocument | undefined): LocatedDefinition['problem'] {
    return (finding) => {
      const whole = prefixFinding(at, finding);
      const read = document();
      const place = { file: this.#file, ...read?.positionAt(whole.path) };
      return toProblem(explainMisread(whole, read), place);
    };
  }
}

/** Reports the first problems of a definition, and the number of further ones. */
export class CappedProblems {
  readonly #problem: LocatedDefinition['problem'];
  readonly #problems: Problem[];
  #count = 0;

  constructor(problem: LocatedDefinition['problem'], problems: Problem[]) {
    this.#problem = problem;
    this.#problems = problems;
  }

  report(finding: Finding): void {
    this.#count += 1;
    if (this.#count <= MAX_PROBLEMS) this.#problems.push(this.#problem(finding));
  }

  finish(): void {
    const more = this.#count - MAX_PROBLEMS;
    if (more <= 0) return;
    this.#problems.push(this.#problem(errorAt([], `and ${more} more`, 'more')));
  }
}

/** Returns the strings of a definition that cannot contain a brace. */
function listNames({ metadata, spec }: CustomResourceDefinitionManifest): [Path, string][] {
  return [
    [['metadata', 'name'], metadata.name],
    [['spec', 'group'], spec.group],
    [['spec', 'names', 'kind'], spec.names.kind],
    ...Object.entries(metadata.labels ?? {}).map(([key, value]): [Path, string] => [
      ['metadata', 'labels', key],
      value,
    ]),
  ];
}

function readStoredVersions(status: unknown): string[] | undefined {
  const stored = isMapping(status) ? status['storedVersions'] : undefined;
  return Array.isArray(stored) ? stored.map(String) : undefined;
}

/** Builds the problem of the second of two different definitions with the same name. */
export function buildRepeatedProblem(first: LocatedDefinition, again: LocatedDefinition): Problem {
  const at: Path = ['metadata', 'name'];
  const where = formatProblem({ ...first.problem(errorAt(at, '', '')), path: '' }).trim();
  const name = show(again.manifest.metadata.name);
  const message = `must be defined once, got ${name} again, and different from ${where}`;
  return again.problem(errorAt(at, message, 'repeated'));
}
