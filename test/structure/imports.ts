import { dirname, join, normalize } from 'node:path/posix';
import { entryPoints } from '../../scripts/packages.ts';

export interface Import {
  /** 1 for the first line. */
  readonly line: number;
  /** As written: './b.ts', 'node:fs', 'cdk8s'. */
  readonly specifier: string;
}

/** Text of TypeScript files by their path from the root, with '/'. */
export type Sources = ReadonlyMap<string, string>;

const commentOrText =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/g;
const clause = String.raw`(?:type\s+)?[\w$*{},\s]*?\bfrom\s*`;
const statement = new RegExp(
  String.raw`(?:^|;)[ \t]*(?:(?:import|export)\s+${clause}|import\s*)(['"])(?<name>[^'"\n]+)\1`,
  'gm',
);
const expression = /\bimport\s*\(\s*(['"])(?<name>[^'"\n]+)\1/g;

/**
 * Returns the imports of a file: `import`, `import type`, `export ... from`, and `import(...)` of a literal, in types
 * too. Comments and templates are ignored.
 */
export function importsOf(source: string): Import[] {
  const code = codeOf(source);
  return [...code.matchAll(statement), ...code.matchAll(expression)]
    .map((match) => ({
      line: code.slice(0, match.index + match[0].length).split('\n').length,
      specifier: match.groups?.name ?? '',
    }))
    .toSorted((a, b) => a.line - b.line);
}

/** Returns the source with its comments and templates blanked. */
function codeOf(source: string): string {
  return source.replace(commentOrText, (text) =>
    text.startsWith('/') || text.startsWith('`') ? text.replace(/[^\n]/g, ' ') : text,
  );
}

const hidden =
  /\b(?:createRequire|getBuiltinModule)\b|\brequire\s*\(|\bimport\s*\((?!\s*['"][^'"\n]+['"]\s*,?\s*\))/g;

/** Returns every place that loads code in a way that bundlers do not follow, as `file:line code`. */
export function hiddenLoads(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const code = codeOf(source);
    return [...code.matchAll(hidden)].map(({ 0: text, index }) => {
      const line = code.slice(0, index).split('\n').length;
      return `${path}:${line} ${text}`;
    });
  });
}

/** Returns the project file that an import refers to; undefined for a foreign package or a module of Node. */
export function target(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  const [, name, path = 'index'] = /^@tenantry\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name !== undefined) {
    return name === 'test-tools' ? `test/${path}.ts` : `packages/${name}/${path}.ts`;
  }
  return entryPoints.find((entry) => entry.name === specifier)?.source;
}

/** Returns the name of the package that an import refers to; undefined for a file or a module of Node. */
export function packageNameIn(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier)) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Returns the package or the top folder of a path; a file in the root is its own room. */
export function roomOf(path: string): string {
  const [first = path, second] = path.split('/');
  return first === 'packages' ? `${first}/${second}` : first;
}

/** Returns the imports that the table does not allow, one line each. Rooms that are not listed may import anything. */
export function violations(
  sources: Sources,
  table: Readonly<Record<string, readonly string[]>>,
): string[] {
  return [...sources].flatMap(([path, source]) => {
    const room = roomOf(path);
    const allowed = table[room];
    if (!allowed) return [];
    return importsOf(source).flatMap(({ line, specifier }) => {
      const file = target(path, specifier);
      if (!file || roomOf(file) === room || allowed.includes(roomOf(file))) return [];
      const rooms = allowed.length > 0 ? allowed.join(', ') : 'no other room';
      return [`${path}:${line} must import from ${rooms}, got '${specifier}'`];
    });
  });
}

/** Returns every import cycle as `a.ts -> b.ts -> a.ts`; types count. */
export function cycles(sources: Sources, find = target): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    trail.push(path);
    for (const { specifier } of importsOf(sources.get(path) ?? '')) {
      const file = find(path, specifier);
      if (file && sources.has(file)) visit(file);
    }
    trail.pop();
    done.add(path);
  };
  for (const path of sources.keys()) visit(path);
  return found;
}

/**
 * Returns the cycles between the entries of every folder, as `crds: define -> validation -> define`. A file and the
 * folder of its name count as one entry: `a.ts` with `a/`.
 */
export function findFolderCycles(sources: Sources): string[] {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const [path, source] of sources) {
    for (const { specifier } of importsOf(source)) {
      const file = target(path, specifier);
      if (!file || !sources.has(file)) continue;
      const [from, to] = [namesOf(path), namesOf(file)];
      const depth = from.findIndex((name, i) => name !== to[i]);
      if (depth < 1 || to[depth] === undefined) continue;
      const folder = from.slice(0, depth).join('/');
      const entries = folders.get(folder) ?? new Map<string, Set<string>>();
      folders.set(folder, entries);
      entries.set(from[depth]!, (entries.get(from[depth]!) ?? new Set()).add(to[depth]));
    }
  }
  return [...folders].flatMap(([folder, entries]) => {
    const graph = [...entries].map(([from, to]): [string, string] => [
      from,
      [...to].map((one) => `import '${one}';`).join(' '),
    ]);
    return cycles(new Map(graph), (_, entry) => entry).map((cycle) => `${folder}: ${cycle}`);
  });
}

/**
 * Returns public files that no other part of the product imports, and private files that another part imports.
 * @param partOf returns the part that a file belongs to
 */
export function findVisibilityErrors(
  sources: Sources,
  partOf: (path: string) => string,
  isPublic: (path: string) => boolean,
): string[] {
  const importers = new Map<string, string>();
  for (const [path, source] of sources) {
    for (const { specifier } of importsOf(source)) {
      const file = target(path, specifier);
      if (file && partOf(file) !== partOf(path)) importers.set(file, path);
    }
  }
  return [...sources.keys()].flatMap((path) => {
    const importer = importers.get(path);
    if (isPublic(path)) return importer ? [] : [`${path} is public, and nobody imports it`];
    return importer ? [`${path} is private, and ${importer} imports it`] : [];
  });
}

const namesOf = (path: string): string[] => path.replace(/\.ts$/, '').split('/');
