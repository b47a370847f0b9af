import { brief, show, type Path } from '../../kube/problem.ts';
import { errorAt, type Finding } from '../../kube/finding.ts';
import { isMapping } from '../../kube/mapping.ts';
import { readDocuments } from '../../kube/yaml/read.ts';

/** Reads a file that a declaration names. Throws an Error whose message says why it cannot. */
export type ReadFile = (path: string) => string;

/** A document with what it includes. */
export interface Expansion {
  readonly value: Record<string, unknown>;
  readonly files: readonly string[];
  readonly problems: readonly Finding[];
  /** Where a path of the expanded value stands in what was written. */
  origin(path: Path): { readonly path: Path; readonly file?: string };
}

interface Origin {
  readonly index: number;
  readonly file?: string;
}

/**
 * Puts the objects of the files that `resources[].file` names in place of the entries, and the
 * items of a List in place of the List, wherever a Tenant or TenantClass may have resources. What
 * holds neither comes back as it is.
 */
export function expandResources(value: Record<string, unknown>, readFile: ReadFile): Expansion {
  const files: string[] = [];
  const problems: Finding[] = [];
  const origins = new Map<string, readonly Origin[]>();

  const expand = (holder: unknown, path: Path): unknown => {
    if (!isMapping(holder)) return holder;
    const copy = { ...holder };
    if (Array.isArray(holder['resources'])) {
      const at = [...path, 'resources'];
      const { items, from } = expandList(holder['resources'], at, readFile, files, problems);
      origins.set(at.join('\0'), from);
      copy['resources'] = items;
    }
    for (const key of ['namespaces', 'environments']) {
      const list = holder[key];
      if (Array.isArray(list)) copy[key] = list.map((one, i) => expand(one, [...path, key, i]));
    }
    if (isMapping(holder['defaults']))
      copy['defaults'] = expand(holder['defaults'], [...path, 'defaults']);
    return copy;
  };

  const expanded = mentionsResources(value['spec'])
    ? { ...value, spec: expand(value['spec'], ['spec']) }
    : value;
  return {
    value: expanded,
    files,
    problems,
    origin(path) {
      const depth = path.indexOf('resources') + 1;
      const from = origins.get(path.slice(0, depth).join('\0'))?.[Number(path[depth])];
      if (depth === 0 || from === undefined) return { path };
      if (from.file === undefined) {
        return { path: [...path.slice(0, depth), from.index, ...path.slice(depth + 1)] };
      }
      return { path: [...path.slice(0, depth), from.index, 'file'], file: from.file };
    },
  };
}

function mentionsResources(spec: unknown): boolean {
  if (!isMapping(spec)) return false;
  if ('resources' in spec || 'defaults' in spec) return true;
  return [spec['namespaces'], spec['environments']].some(
    (list) => Array.isArray(list) && list.some((one) => isMapping(one) && 'resources' in one),
  );
}

function expandList(
  list: readonly unknown[],
  path: Path,
  readFile: ReadFile,
  files: string[],
  problems: Finding[],
): { items: unknown[]; from: Origin[] } {
  const items: unknown[] = [];
  const from: Origin[] = [];
  const refuse = (at: Path, message: string): void => {
    problems.push(errorAt(at, message, 'file'));
  };
  const add = (manifest: unknown, origin: Origin): void => {
    for (const one of unpack(manifest)) {
      items.push({ manifest: one });
      from.push(origin);
    }
  };
  list.forEach((entry, index) => {
    if (!isMapping(entry) || Object.keys(entry).join() !== 'file') {
      if (isMapping(entry) && Object.keys(entry).join() === 'manifest')
        add(entry['manifest'], { index });
      else {
        items.push(entry);
        from.push({ index });
      }
      return;
    }
    const { file } = entry;
    const at = [...path, index, 'file'];
    if (typeof file !== 'string' || file === '') {
      refuse(at, `must be the path of a file, got ${show(file)}`);
      return;
    }
    try {
      const { documents, problems: broken } = readDocuments(readFile(file));
      files.push(file);
      for (const { line, column, message } of broken) {
        refuse(at, `${message} (in ${brief(file)}:${line}:${column})`);
      }
      for (const { value } of documents) add(value, { index, file });
    } catch (cause) {
      const got = `${show(file)}: ${(cause as Error).message}`;
      refuse(at, `must be a file that can be read, got ${got}`);
    }
  });
  return { items, from };
}

/** The items of a List as `kubectl get -o yaml` writes it, or the object itself. */
function unpack(manifest: unknown): unknown[] {
  if (!isMapping(manifest)) return [manifest];
  const { apiVersion, kind, items } = manifest;
  const isList = apiVersion === 'v1' && kind === 'List' && Array.isArray(items);
  return isList ? items.flatMap(unpack) : [manifest];
}
