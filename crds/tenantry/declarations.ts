import type { DeclaredKind } from './declaredkind.ts';
import { brief, formatPath, show, type Path, type Problem } from '../../kube/problem.ts';
import { isMapping } from '../../kube/mapping.ts';
import { validate } from '../../schema/validate.ts';
import { expandResources, type ReadFile } from './includes.ts';
import { isInSecret, isSecret, withheld } from '../../kube/secret.ts';
import { NO_STEERING_TEXT, steeringPath } from '../../kube/steering.ts';
import { readDocuments, type YamlDocument } from '../../kube/yaml/read.ts';

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
  /** Kind and name of what has a problem, as far as they can be told. */
  readonly refused: readonly Pick<Declared, 'kind' | 'name'>[];
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
  const declared: Declared[] = [];
  const refused: Pick<Declared, 'kind' | 'name'>[] = [];
  for (const document of documents) {
    const one = readOne(file, document, kinds, readFile, problems);
    if (one) declared.push(one);
    else refused.push(...namedIn(document.value));
  }
  return { declared, refused, problems };
}

function namedIn(value: unknown): Pick<Declared, 'kind' | 'name'>[] {
  if (!isMapping(value) || !isMapping(value['metadata'])) return [];
  const { kind, metadata } = value;
  const { name } = metadata as Record<string, unknown>;
  return typeof kind === 'string' && typeof name === 'string' ? [{ kind, name }] : [];
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
  const steering = steeringPath(expansion.value);
  if (steering) {
    problems.push(place(steering, NO_STEERING_TEXT, 'steering-text'));
    return undefined;
  }

  function place(path: Path, message: string, rule: string, atKey?: boolean): Problem {
    const origin = expansion.origin(path);
    const mayLeak = isSecret(path) || isInSecret(expansion.value, path);
    const told = mayLeak && !atKey ? withheld(message) : message;
    const where = origin.file === undefined ? '' : ` (in ${brief(origin.file)})`;
    return at(origin.path, told + where, rule, atKey);
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
