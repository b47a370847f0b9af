import type { DeclaredKind } from './tenantry/kind.ts';
import { formatPath, show, type Path, type Problem } from './problem.ts';
import { isMapping } from './value/kinds.ts';
import { validate } from './value/validate.ts';
import { expandResources, type ReadFile } from './resources.ts';
import { readDocuments, type YamlDocument } from './yaml/read.ts';

/** An object of one of our kinds, valid against its schema, and where it was declared. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: object;
  /** Files that were taken into it (`resources[].file`), as they were named to `readFile`. */
  readonly files: readonly string[];
  /** Turns something that is wrong inside the object into a problem with its place in the file. */
  problem(path: Path, message: string, rule: string): Problem;
}

export interface Declarations {
  readonly declared: readonly Declared[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the objects of a YAML text, each against the schema of its kind. What has a problem is
 * left out of `declared`; the problems of all documents come together.
 * @param file the name of the file as problems should say it
 * @param kinds the kinds that the text may hold
 * @param readFile reads a file that a declaration names, relative to `file`
 */
export function readDeclarations(
  file: string,
  text: string,
  kinds: readonly DeclaredKind[],
  readFile: ReadFile,
): Declarations {
  const { documents, problems: broken } = readDocuments(text);
  const problems: Problem[] = broken.map((problem) => ({
    file,
    path: '',
    rule: 'yaml',
    ...problem,
  }));
  const declared = documents.flatMap((document) => {
    const one = readOne(file, document, kinds, readFile, problems);
    return one ? [one] : [];
  });
  return { declared, problems };
}

function readOne(
  file: string,
  document: YamlDocument,
  kinds: readonly DeclaredKind[],
  readFile: ReadFile,
  problems: Problem[],
): Declared | undefined {
  const at = (path: Path, message: string, rule: string, atKey?: boolean): Problem => ({
    file,
    ...(atKey ? document.keyPositionAt(path) : document.positionAt(path)),
    path: formatPath(path),
    message,
    rule,
  });
  const { value } = document;
  const expected = kinds.map(({ kind, apiVersion }) => `${kind} (${apiVersion})`).join(' or ');
  if (!isMapping(value)) {
    problems.push(at([], `must be a ${expected}, got ${show(value)}`, 'kind'));
    return undefined;
  }
  const definition = kinds.find(({ kind }) => kind === value['kind']);
  if (!definition) {
    const got = value['kind'] === undefined ? 'no kind' : `kind ${show(value['kind'])}`;
    problems.push(at(['kind'], `must be a ${expected}, got ${got}`, 'kind'));
    return undefined;
  }
  if (value['apiVersion'] !== definition.apiVersion) {
    const got = show(value['apiVersion']);
    problems.push(at(['apiVersion'], `must be '${definition.apiVersion}', got ${got}`, 'kind'));
    return undefined;
  }
  const expansion = expandResources(value, readFile);
  const before = problems.length;
  for (const { path, message } of expansion.problems) problems.push(at(path, message, 'file'));
  for (const { path, message, atKey } of validate(definition.file, expansion.value)) {
    problems.push(place(path, message, 'schema', atKey));
  }
  if (problems.length > before) return undefined;

  function place(path: Path, message: string, rule: string, atKey?: boolean): Problem {
    const origin = expansion.origin(path);
    const problem = at(origin.path, message, rule, atKey);
    return origin.file === undefined
      ? problem
      : { ...problem, message: `${message} (in ${origin.file})` };
  }
  const { name, labels, annotations } = expansion.value['metadata'] as Declared;
  return {
    kind: definition.kind,
    name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    spec: (expansion.value['spec'] as object | undefined) ?? {},
    files: expansion.files,
    problem: place,
  };
}
