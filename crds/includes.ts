import { show, type LackingFile, type Path } from '@tenantry/kube/problem';
import { errorAt, type Finding, type ProblemLocation } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import type { Decoded } from '@tenantry/kube/utf8';
import { readDocuments, type YamlDocument } from '@tenantry/kube/yaml/read';

/** A file that a declaration includes: its name in problems, and its content. */
export type IncludedFile = Decoded & { readonly file: string };

/**
 * Reads a file that a declaration names. Throws an Error whose message gives the reason if the file
 * cannot be included. Throws an IncludeError if other declarations would get the same error.
 */
export type ReadFile = (path: string) => IncludedFile;

/** Why a file cannot be included. The reason is the same for every declaration that names it. */
export class IncludeError extends Error {
  readonly lacks: LackingFile;

  constructor(message: string, lacks: LackingFile) {
    super(message);
    this.lacks = lacks;
  }
}

/** A document with its included files. */
export interface Expansion {
  readonly value: Record<string, unknown>;
  readonly files: readonly string[];
  readonly faults: readonly IncludeFault[];
  /** Returns the source of a path of the expanded value. */
  origin(path: Path): ExpandedOrigin;
}

/** What is wrong with an included file, at its name or at a place inside it. */
export interface IncludeFault {
  readonly finding: Finding;
  readonly place?: ProblemLocation;
  readonly lacks?: LackingFile;
}

/** A path in the declaration itself, or in a document of an included file. */
interface ExpandedOrigin {
  readonly path: Path;
  readonly from?: Included;
}

interface Included {
  readonly file: string;
  readonly document: YamlDocument;
}

/** The source of an entry of the expanded list, and of its object. */
interface EntrySource {
  readonly index: number;
  /** Absent if the entry itself contains the object. */
  readonly from?: Included;
  /** The path of the object in its document or manifest, such as an item of a List. */
  readonly path: Path;
}

/**
 * Replaces the entries of `resources[].file` with the objects of the files, and a List with its
 * items, wherever a Tenant or TenantClass may have resources. A value with neither is returned
 * unchanged.
 */
export function expandResources(value: Record<string, unknown>, readFile: ReadFile): Expansion {
  const files: string[] = [];
  const faults: IncludeFault[] = [];
  const origins = new Map<string, readonly EntrySource[]>();

  const expand = (holder: unknown, path: Path): unknown => {
    if (!isMapping(holder)) return holder;
    const copy = { ...holder };
    if (Array.isArray(holder['resources'])) {
      const at = [...path, 'resources'];
      const { items, from } = expandList(holder['resources'], at, readFile, files, faults);
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
    faults,
    origin(path) {
      const depth = path.indexOf('resources') + 1;
      const source = origins.get(path.slice(0, depth).join('\0'))?.[Number(path[depth])];
      if (depth === 0 || source === undefined) return { path };
      if (source.from) {
        return { path: [...source.path, ...path.slice(depth + 2)], from: source.from };
      }
      // The object of an entry is in its manifest.
      const [entry, rest] = [path.slice(depth + 1, depth + 2), path.slice(depth + 2)];
      return { path: [...path.slice(0, depth), source.index, ...entry, ...source.path, ...rest] };
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
  faults: IncludeFault[],
): { items: unknown[]; from: EntrySource[] } {
  const items: unknown[] = [];
  const from: EntrySource[] = [];
  const refuse = (at: Path, message: string, more: Omit<IncludeFault, 'finding'> = {}): void => {
    faults.push({ finding: errorAt(at, message, 'file'), ...more });
  };
  const add = (manifest: unknown, index: number, included?: Included): void => {
    for (const { one, path: inside } of unpack(manifest)) {
      items.push({ manifest: one });
      from.push({ index, path: inside, ...(included && { from: included }) });
    }
  };
  list.forEach((entry, index) => {
    if (!isMapping(entry) || Object.keys(entry).join() !== 'file') {
      if (isMapping(entry) && Object.keys(entry).join() === 'manifest')
        add(entry['manifest'], index);
      else {
        items.push(entry);
        from.push({ index, path: [] });
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
      const { file: name, text, fault, ...place } = readFile(file);
      files.push(file);
      if (fault !== undefined) return refuse([], fault, { place: { file: name, ...place } });
      const { documents, problems: broken } = readDocuments(text);
      for (const { message, ...position } of broken) {
        refuse([], message, { place: { file: name, ...position } });
      }
      for (const document of documents) add(document.value, index, { file: name, document });
    } catch (cause) {
      const got = `${show(file)}: ${(cause as Error).message}`;
      const lacks = cause instanceof IncludeError && { lacks: cause.lacks };
      refuse(at, `must be a file that can be read, got ${got}`, { ...lacks });
    }
  });
  return { items, from };
}

/** Returns the items of a List as `kubectl get -o yaml` writes it, or the object itself. */
function unpack(
  manifest: unknown,
  path: Path = [],
): { readonly one: unknown; readonly path: Path }[] {
  const { apiVersion, kind, items } = isMapping(manifest) ? manifest : {};
  const isList = apiVersion === 'v1' && kind === 'List' && Array.isArray(items);
  if (!isList) return [{ one: manifest, path }];
  return items.flatMap((item, i) => unpack(item, [...path, 'items', i]));
}
