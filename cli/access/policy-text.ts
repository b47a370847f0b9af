import { isPolicyObject } from '@tenantry/kube/authorization';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { isMapping } from '@tenantry/kube/mapping';
import { validateDocument } from '@tenantry/kube/document';
import type { Path, Problem } from '@tenantry/kube/problem';
import { nameObject } from '../reported-objects.ts';
import { mayContainWord, readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';

/** A role, a binding or a Namespace of a file. */
export interface PolicyText {
  readonly object: KubeObject;
  readonly file: string;
  /** Returns the line of the value at a path, from 1. */
  findLine(path: Path): number;
}

/** The start of a document. */
const DOCUMENT = /^---(?=\s|$)/gm;

/** Words, of which one is in every document that is read. */
const words = ['Role', 'Namespace'];

/**
 * Reads the roles, bindings and Namespaces of a text, lists of them too. It does not parse documents that can have none.
 * @param file the name for problems
 */
export function readPolicyText(
  file: string,
  text: string,
): { readonly found: readonly PolicyText[]; readonly problems: readonly Problem[] } {
  const found: PolicyText[] = [];
  const problems: Problem[] = [];
  if (!words.some((word) => mayContainWord(text, word))) return { found, problems };
  for (const { start, source } of splitDocuments(text)) {
    if (!words.some((word) => mayContainWord(source, word))) continue;
    const before = countLines(text.slice(0, start));
    const { documents, problems: wrong } = readDocuments(source);
    for (const { line, ...problem } of wrong) {
      problems.push({ ...problem, line: line + before, file, path: '', rule: 'yaml' });
    }
    for (const document of documents) {
      for (const { value, path } of listItems(document.value, [])) {
        if (!isWanted(value) && !isList(value)) continue;
        const findLine = (inner: Path) => findLineIn(document, [...path, ...inner], before);
        const message = explainInvalid(value);
        if (message === undefined) found.push({ object: value as KubeObject, file, findLine });
        else
          problems.push({
            file,
            line: findLine([]),
            column: 1,
            path: '',
            message,
            rule: 'document',
          });
      }
    }
  }
  return { found, problems };
}

function* splitDocuments(text: string): Iterable<{ start: number; source: string }> {
  let start = 0;
  for (const { index } of text.matchAll(DOCUMENT)) {
    if (index > start) yield { start, source: text.slice(start, index) };
    start = index;
  }
  yield { start, source: text.slice(start) };
}

const countLines = (text: string): number => text.split('\n').length - 1;

const findLineIn = (document: YamlDocument, path: Path, before: number): number =>
  document.positionAt(path).line + before;

/** How deep lists may be in lists. */
const MAX_LISTS = 3;

/** Lists the items of a list such as `kubectl get -o yaml` prints it, or the value itself. */
function* listItems(value: unknown, path: Path): Iterable<{ value: unknown; path: Path }> {
  if (!isList(value) || path.length >= 2 * MAX_LISTS) return yield { value, path };
  for (const [i, item] of value.items.entries()) yield* listItems(item, [...path, 'items', i]);
}

const isList = (value: unknown): value is { readonly items: readonly unknown[] } =>
  isMapping(value) && String(value['kind']).endsWith('List') && Array.isArray(value['items']);

const isNamespace = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion === 'v1' && kind === 'Namespace';

function isWanted(value: unknown): boolean {
  if (!isMapping(value) || typeof value['apiVersion'] !== 'string') return false;
  const object = value as unknown as KubeObject;
  return isPolicyObject(object) || isNamespace(object);
}

/** Explains why an object cannot be evaluated; undefined if it can. */
function explainInvalid(value: unknown): string | undefined {
  if (isList(value)) return `must be in at most ${MAX_LISTS} lists, got one more`;
  const finding = validateDocument(value);
  if (finding) return finding.message;
  const { kind, metadata } = value as KubeObject;
  const isNamespaced = kind === 'Role' || kind === 'RoleBinding';
  return isNamespaced && !metadata.namespace
    ? `must have metadata.namespace, got a ${kind} without one: it is not known where it applies`
    : undefined;
}

/** Reports objects that are in two places: only one of them can be in the cluster. */
export function findDuplicates(all: readonly PolicyText[]): Problem[] {
  const seen = new Map<string, PolicyText>();
  return all.flatMap((one): Problem[] => {
    const key = identityOf(one.object);
    const first = seen.get(key);
    seen.set(key, first ?? one);
    if (!first) return [];
    const message = `must be the only ${nameObject(one.object)}, got another one in ${first.file}:${first.findLine([])}`;
    return [
      { file: one.file, line: one.findLine([]), column: 1, path: '', message, rule: 'identity' },
    ];
  });
}
