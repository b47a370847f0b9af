import type { CustomResourceDefinitionManifest } from './custom-resource-definition.ts';
import { API_VERSION, stripClusterFields, formatWrongVersion } from './manifests/document.ts';
import { LEFT_OUT } from './fields/field-values.ts';
import { readAsWritten } from './fields/written-reading.ts';
import { parseJson } from '../kube/json.ts';
import { errorAt, toProblem, warningAt, prefixFinding, type Finding } from '../kube/finding.ts';
import { formatProblem, show, type Path, type Problem } from '../kube/problem.ts';
import { MAX_ANNOTATIONS } from '../kube/names.ts';
import { isMapping } from '../kube/mapping.ts';
import { explainMisread, readDocuments, type YamlDocument } from '../kube/yaml/read.ts';

/** A CustomResourceDefinition and where it was read. */
export interface LocatedDefinition {
  /** Without status, and without what only a cluster writes into metadata. */
  readonly manifest: CustomResourceDefinitionManifest;
  /** All that the text says of it, but for what only a cluster writes. */
  readonly asRead: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** `status.storedVersions`, which only a cluster writes. */
  readonly storedVersions?: readonly string[];
  /** What is said of something inside the definition, with its place. */
  problem(finding: Finding): Problem;
}

/** An object beside the definitions that is not one. */
export interface SkippedObject {
  readonly file: string;
  readonly kind: string;
  readonly name?: string;
}

export interface ReadDefinitions {
  readonly definitions: readonly LocatedDefinition[];
  /** Why something cannot be used. A definition that has one is not among `definitions`. */
  readonly problems: readonly Problem[];
  /**
   * What was read and is worth knowing: fields that the API server drops, or takes for false where they
   * are left out (the rule `left-out`), definitions that are too large for `kubectl apply`.
   */
  readonly warnings: readonly Problem[];
  /** Objects of other kinds, in the order of the text. */
  readonly skipped: readonly SkippedObject[];
}

/** In UTF-16 units. A text that is longer is not read. */
const MAX_YAML = 64 * 2 ** 20;
export const MAX_JSON = 256 * 2 ** 20;

/**
 * What etcd takes in one request, in bytes: no definition can be larger.
 * Source: https://etcd.io/docs/v3.5/dev-guide/limit/
 */
export const MAX_DEFINITION = 1.5 * 2 ** 20;

/**
 * Problems, and warnings, that are reported for one definition: each is looked for in the text, and
 * whoever has fixed so many then sees the others.
 */
const MOST_TOLD = 20;
/** In UTF-16 units: in JSON that is longer, which no person wrote, no places are given. */
const MAX_PLACED = 4 * 2 ** 20;

const KIND = 'CustomResourceDefinition';

/**
 * Reads the CustomResourceDefinitions of a text: YAML or JSON, several documents, and lists of
 * objects. What the API server drops is dropped (null, unknown fields, status); what it cannot
 * decode is a problem. Whether the API server would take a definition is not asked here. A text
 * without any definition is a problem with the rule `no-definition`. Never throws for what a text
 * says.
 * @param file the name of the file as problems should say it
 */
export function readDefinitions(file: string, text: string): ReadDefinitions {
  const reading = new ManifestReader(file);
  const json = jsonOf(text);
  const limit = json === undefined ? MAX_YAML : MAX_JSON;
  if (text.length > limit) {
    const message = `must be at most ${limit / 2 ** 20} MiB, got ${Math.ceil(text.length / 2 ** 20)}`;
    return {
      definitions: [],
      problems: [{ file, path: '', message, rule: 'size' }],
      warnings: [],
      skipped: [],
    };
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

/** The position of something in JSON is asked for only when something is wrong with it. */
function laterDocument(text: string): () => YamlDocument | undefined {
  let read: { readonly document: YamlDocument | undefined } | undefined;
  return () => {
    read ??= { document: text.length > MAX_PLACED ? undefined : readDocuments(text).documents[0] };
    return read.document;
  };
}

/** The value of a text that is one JSON document; undefined for any other. */
function jsonOf(text: string): unknown {
  if (!/^\uFEFF?\s*[{[]/.test(text)) return undefined;
  try {
    return parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** A line that begins with an action of a Go template, or has one for a value. */
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

  /** Takes one object of the text, which stands at a path of its document. */
  readObject(value: unknown, at: Path, document: () => YamlDocument | undefined): void {
    const tell = this.#teller(at, document);
    if (!isMapping(value)) {
      const message = `must be a ${KIND} (${API_VERSION}), got ${show(value)}`;
      this.problems.push(tell(errorAt([], message, 'kind')));
      return;
    }
    const { kind, apiVersion, items } = value;
    if (typeof kind !== 'string') {
      const got = kind === undefined ? 'no kind' : `kind ${show(kind)}`;
      const message = `must be ${KIND} (${API_VERSION}), got ${got}`;
      this.problems.push(tell(errorAt(['kind'], message, 'kind')));
    } else if (kind === KIND) {
      if (apiVersion === API_VERSION) this.#definition(value, tell);
      else
        this.problems.push(
          tell(errorAt(['apiVersion'], formatWrongVersion(apiVersion), 'version')),
        );
    } else if (
      (kind === 'List' || kind === `${KIND}List`) &&
      Array.isArray(items) &&
      at.length < 8
    ) {
      // The items of a typed list may leave out what the list says of them.
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

  /** Nothing more comes. */
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

  #definition(value: Record<string, unknown>, tell: LocatedDefinition['problem']): void {
    const before = this.problems.length;
    const wrong = new CappedProblems(tell, this.problems);
    const dropped = new CappedProblems(tell, this.warnings);
    const asRead = stripClusterFields(value);
    const manifest = readAsWritten(asRead, {
      wrong: (path, message, rule) => wrong.report(errorAt(path, message, rule)),
      dropped: (path, message) => dropped.report(warningAt(path, message, 'unknown-field')),
      assumed: (path, message) => dropped.report(warningAt(path, message, LEFT_OUT)),
    });
    // To the API server it may be missing, as it is of what has a generateName; here nothing has one.
    const { name }: { readonly name?: string } = manifest.metadata ?? {};
    if (name === undefined && this.problems.length === before) {
      const message = 'must be a string, got nothing';
      wrong.report(errorAt(['metadata', 'name'], message, 'shape'));
    }
    wrong.finish();
    dropped.finish();
    if (this.problems.length > before) return;
    for (const [path, text] of namesOf(manifest)) {
      if (!text.includes('{{')) continue;
      this.problems.push(tell(errorAt(path, notTemplate(text), 'template')));
    }
    this.#measure(manifest, tell);
    if (this.problems.length > before) return;
    const stored = storedVersionsOf(value['status']);
    this.definitions.push({
      manifest,
      asRead,
      file: this.#file,
      ...(stored && { storedVersions: stored }),
      problem: tell,
    });
  }

  #measure(manifest: CustomResourceDefinitionManifest, tell: LocatedDefinition['problem']): void {
    const size = Buffer.byteLength(JSON.stringify(manifest));
    if (size > MAX_DEFINITION) {
      const must = `must be at most ${MAX_DEFINITION} bytes as JSON, which is what etcd takes`;
      this.problems.push(tell(errorAt([], `${must}, got ${size}`, 'size')));
    } else if (size > MAX_ANNOTATIONS) {
      const must = `must be at most ${MAX_ANNOTATIONS} bytes as JSON for \`kubectl apply\``;
      const instead = 'use `kubectl apply --server-side`, and ServerSideApply=true in Argo CD';
      this.warnings.push(tell(warningAt([], `${must}, got ${size}; ${instead}`, 'size')));
    }
  }

  #teller(at: Path, document: () => YamlDocument | undefined): LocatedDefinition['problem'] {
    return (finding) => {
      const whole = prefixFinding(at, finding);
      const read = document();
      const place = { file: this.#file, ...read?.positionAt(whole.path) };
      return toProblem(explainMisread(whole, read), place);
    };
  }
}

/** The first of many problems of one definition, and how many there are besides. */
export class CappedProblems {
  readonly #problem: LocatedDefinition['problem'];
  readonly #told: Problem[];
  #count = 0;

  constructor(problem: LocatedDefinition['problem'], problems: Problem[]) {
    this.#problem = problem;
    this.#told = problems;
  }

  report(finding: Finding): void {
    this.#count += 1;
    if (this.#count <= MOST_TOLD) this.#told.push(this.#problem(finding));
  }

  finish(): void {
    const more = this.#count - MOST_TOLD;
    if (more <= 0) return;
    this.#told.push(this.#problem(errorAt([], `and ${more} more of the same`, 'more')));
  }
}

/** The strings of a definition that can hold no brace. */
function namesOf({ metadata, spec }: CustomResourceDefinitionManifest): [Path, string][] {
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

function storedVersionsOf(status: unknown): string[] | undefined {
  const stored = isMapping(status) ? status['storedVersions'] : undefined;
  return Array.isArray(stored) ? stored.map(String) : undefined;
}

/** Two definitions of one name that are not the same: the problem of the second one. */
export function buildRepeatedProblem(first: LocatedDefinition, again: LocatedDefinition): Problem {
  const at: Path = ['metadata', 'name'];
  const where = formatProblem({ ...first.problem(errorAt(at, '', '')), path: '' }).trim();
  const name = show(again.manifest.metadata.name);
  const message = `must be defined once, got ${name} again, and different from ${where}`;
  return again.problem(errorAt(at, message, 'repeated'));
}
