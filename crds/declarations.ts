import { type DeclaredKind, markValid } from './declared-kind.ts';
import { show, type Problem } from '@tenantry/kube/problem';
import { errorAt, toProblem, type Finding, type ProblemLocation } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { validateTyped } from '@tenantry/crd/schema/validate';
import { addAdvice } from './advice.ts';
import { expandResources, type Expansion, type IncludeFault, type ReadFile } from './includes.ts';
import { isInSecret, isSecret, redactMessage } from '@tenantry/kube/secret';
import { NO_SKIP_MARKER, findSkipMarker } from '@tenantry/kube/argocd-directives';
import { explainMisread, readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';

/** A valid object of one of our kinds, and where it was declared. */
export interface Declared<Kind extends string = string, Spec extends object = object> {
  readonly kind: Kind;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The spec as it is written. Every field of our specs is optional, and so is the spec. */
  readonly spec: Partial<Spec>;
  /** Files that were included in it (`resources[].file`), by the names that `readFile` was called with. */
  readonly files: readonly string[];
  /** Converts a finding about the object into a problem with its place in the file, or in one of `files`. */
  problem(finding: Finding): Problem;
}

/** The result of reading an object of a kind; for several kinds a union that `kind` discriminates. */
export type DeclaredOf<K extends DeclaredKind> =
  K extends DeclaredKind<infer Kind, infer Spec> ? Declared<Kind, Spec> : never;

export interface Declarations<D extends Declared = Declared> {
  readonly declared: readonly D[];
  /** The kind and name of each object with a problem, as far as they are known. */
  readonly refused: readonly Pick<Declared, 'kind' | 'name'>[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the objects of a YAML text and validates each against the schema of its kind. An object
 * with a problem is left out of `declared`. Reports the problems of all documents together.
 * @param file the name of the file in problems
 * @param kinds the kinds that the text may contain
 * @param readFile reads a file that a declaration names, relative to `file`
 */
export function readDeclarations<K extends DeclaredKind>(
  file: string,
  text: string,
  kinds: readonly K[],
  readFile: ReadFile,
): Declarations<DeclaredOf<K>>;
export function readDeclarations<Kind extends string, Spec extends object>(
  file: string,
  text: string,
  kinds: readonly DeclaredKind<Kind, Spec>[],
  readFile: ReadFile,
): Declarations<Declared<Kind, Spec>> {
  const { documents, problems: broken } = readDocuments(text);
  const problems = broken.map(({ message, ...position }) =>
    toProblem(errorAt([], message, 'yaml'), { file, ...position }),
  );
  const declared: Declared<Kind, Spec>[] = [];
  const refused: Pick<Declared, 'kind' | 'name'>[] = [];
  for (const document of documents) {
    const one = readDeclaration(kinds, readFile, { file, document }, problems);
    if (one) declared.push(one);
    else refused.push(...namedIn(document));
  }
  return { declared, refused, problems };
}

function namedIn({ value }: YamlDocument): Pick<Declared, 'kind' | 'name'>[] {
  if (!isMapping(value)) return [];
  const { kind, metadata } = value;
  const name = isMapping(metadata) ? metadata['name'] : undefined;
  return typeof kind === 'string' && typeof name === 'string' ? [{ kind, name }] : [];
}

/** A document and its file. */
interface DocumentOrigin {
  readonly file: string;
  readonly document: YamlDocument;
}

function problemIn(
  { file, document }: DocumentOrigin,
  finding: Finding,
  more: ProblemLocation = {},
): Problem {
  const { path, atKey } = finding;
  const position = atKey ? document.keyPositionAt(path) : document.positionAt(path);
  return toProblem(explainMisread(finding, document), { file, ...position, ...more });
}

function faultIn(origin: DocumentOrigin, { finding, place, lacks }: IncludeFault): Problem {
  return place
    ? toProblem(finding, { ...place, includedBy: origin.file })
    : problemIn(origin, finding, lacks && { lacks });
}

function readDeclaration<Kind extends string, Spec extends object>(
  kinds: readonly DeclaredKind<Kind, Spec>[],
  readFile: ReadFile,
  origin: DocumentOrigin,
  problems: Problem[],
): Declared<Kind, Spec> | undefined {
  const found = matchKind(origin.document.value, kinds);
  if (!found.definition) {
    problems.push(problemIn(origin, found.fault));
    return undefined;
  }
  const { kind, file: whole } = found.definition;
  const expansion = expandResources(found.value, readFile);
  const place = (finding: Finding): Problem => buildSourceProblem(finding, expansion, origin);
  const { value, errors = [] } = validateTyped(whole, expansion.value);
  const wrong = [
    ...expansion.faults.map((one) => faultIn(origin, one)),
    ...addAdvice(errors, expansion.value, whole).map((one) => place({ ...one, rule: 'schema' })),
  ];
  const steering = wrong.length === 0 ? findSkipMarker(expansion.value) : undefined;
  if (steering) wrong.push(place(errorAt(steering, NO_SKIP_MARKER, 'steering-text')));
  problems.push(...wrong);
  if (!value || wrong.length > 0) return undefined;
  const { metadata, spec = {} } = value;
  markValid(found.definition, spec);
  const { name, labels, annotations } = metadata;
  return {
    kind,
    name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    spec,
    files: expansion.files,
    problem: place,
  };
}

type KindMatch<D> =
  | { readonly definition: D; readonly value: Record<string, unknown> }
  | { readonly definition?: never; readonly fault: Finding };

/** Returns the kind that a document names, or why it is none of the kinds. */
function matchKind<D extends DeclaredKind>(value: unknown, kinds: readonly D[]): KindMatch<D> {
  const expected = kinds.map(({ kind, apiVersion }) => `${kind} (${apiVersion})`).join(' or ');
  if (!isMapping(value)) {
    return { fault: errorAt([], `must be a ${expected}, got ${show(value)}`, 'kind') };
  }
  const { kind, apiVersion } = value;
  const definition = kinds.find((one) => one.kind === kind);
  if (!definition) {
    const got = kind === undefined ? 'no kind' : `kind ${show(kind)}`;
    return { fault: errorAt(['kind'], `must be a ${expected}, got ${got}`, 'kind') };
  }
  if (apiVersion === definition.apiVersion) return { definition, value };
  const message = `must be '${definition.apiVersion}', got ${show(apiVersion)}`;
  return { fault: errorAt(['apiVersion'], message, 'kind') };
}

/** Builds the problem of a finding in the expanded value, at its place in the source. Secrets are not shown. */
function buildSourceProblem(
  finding: Finding,
  { value, origin }: Expansion,
  own: DocumentOrigin,
): Problem {
  const { path, message, atKey } = finding;
  const mayLeak = isSecret(path) || isInSecret(value, path);
  const { path: at, from } = origin(path);
  const located = {
    ...finding,
    path: at,
    message: mayLeak && !atKey ? redactMessage(message) : message,
  };
  return from ? problemIn(from, located, { includedBy: own.file }) : problemIn(own, located);
}
