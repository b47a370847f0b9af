import { errorAt, type Finding } from '@tenantry/kube/finding';
import { formatList, findNearest, show, type Problem } from '@tenantry/kube/problem';
import type { Platform } from '../model/declaration.ts';
import { formatUsers } from '../model/unknown-names.ts';
import type { DeclaredClass, DeclaredTenant } from './declaration-files.ts';
import type { PlatformPlace } from './platform-file.ts';

/** Names that the platform file and classes define and other declarations use. */
interface Names {
  readonly environments: readonly string[];
  readonly clusters: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly classes: readonly string[];
}

/** The kind of name that each rule checks. */
const fields: Readonly<Record<string, keyof Names>> = {
  environment: 'environments',
  cluster: 'clusters',
  'contact-key': 'metadataKeys',
  class: 'classes',
};

/** A problem whose cause may be the definition of the names. */
interface DeferredProblem {
  readonly file: string;
  readonly field: keyof Names;
  readonly name: string;
  readonly one: DeclaredTenant | DeclaredClass;
  readonly problem: Problem;
}

/** A declaration that was read, and the file that it is in. */
export interface LocatedDeclaration {
  readonly file: string;
  readonly one: DeclaredTenant | DeclaredClass;
}

/** The declarations that define names, and their places. */
interface NameSources {
  readonly platform: Platform;
  /** Absent where there is no platform file. */
  readonly place?: PlatformPlace;
  /** The classes of files. */
  readonly classes: ReadonlyMap<string, DeclaredClass>;
}

/**
 * Merges the problems of names that are used but not defined. The definition is at fault if several
 * files use the same name and no file uses a similar defined one. Otherwise the users are at fault,
 * and the problem is reported at the first of them.
 */
export class UndefinedNames {
  readonly #givers: NameSources;
  readonly #withheld: DeferredProblem[] = [];

  constructor(givers: NameSources) {
    this.#givers = givers;
  }

  /** Defers a finding until all files are known; returns whether it did. */
  tryDefer({ file, one }: LocatedDeclaration, finding: Finding): boolean {
    const field = fields[finding.rule];
    const name = finding.about?.unknownName;
    if (!field || name === undefined) return false;
    this.#withheld.push({ file, field, name, one, problem: one.problem(finding) });
    return true;
  }

  /** @param all returns all declarations; called only if a finding was deferred */
  flush(all: () => Iterable<LocatedDeclaration>): Problem[] {
    if (this.#withheld.length === 0) return [];
    const uses = usesIn(all());
    const byName = Map.groupBy(this.#withheld, ({ field, name }) => `${field} ${name}`);
    return [...byName.values()].flatMap((found) => {
      const fault = findSourceProblem(this.#givers, found, uses);
      return fault ? [fault] : mergeUserProblems(found);
    });
  }
}

/**
 * Returns one problem at the first declaration that uses the name. A name with one user keeps all
 * its problems.
 */
function mergeUserProblems(found: readonly DeferredProblem[]): Problem[] {
  const users = new Map(found.map(({ one }) => [`${one.kind} ${one.name}`, one]));
  const { problem } = found[0]!;
  if (users.size === 1) return found.map((each) => each.problem);
  const who = [...users.values()].some(({ kind }) => kind === 'TenantClass')
    ? 'tenants and classes'
    : 'tenants';
  const names = [...users.values()].map(({ name }) => name);
  return [{ ...problem, message: `${problem.message} ${formatUsers(names, who)}` }];
}

/** Returns the problem at the definition of the names, if the definition is at fault. */
function findSourceProblem(
  givers: NameSources,
  found: readonly DeferredProblem[],
  uses: ReadonlySet<string>,
): Problem | undefined {
  const { field, name } = found[0]!;
  const files = [...new Set(found.map(({ file }) => file))];
  const known = knownTo(givers, field);
  if (files.length === 1) return undefined;
  // Names that differ by a number, such as eu1 and eu2, are not one name spelled twice.
  const like = findNearest(
    name,
    known.filter((one) => withoutDigits(one) !== withoutDigits(name)),
  );
  const who = `${files.length} files name (${formatList(files)})`;
  if (like === undefined) {
    if (field === 'classes') return undefined;
    if (!givers.place) return undefined;
    const message = `must hold ${show(name)}, which ${who}, got ${formatList(known) || 'nothing'}`;
    return givers.place(errorAt(['spec', field], message, 'name-missing'));
  }
  const isDefault = field === 'clusters' && givers.platform.defaultClusters.includes(like);
  if (isDefault || uses.has(`${field} ${like}`)) return undefined;
  const message = `must be a name in use, got ${show(like)}; did you mean ${show(name)}, which ${who}?`;
  const fault = (path: Finding['path']) => errorAt(path, message, 'name-unused');
  if (field === 'classes') {
    return givers.classes.get(like)?.problem(fault(['metadata', 'name']));
  }
  const at = field === 'metadataKeys' ? [like] : [known.indexOf(like)];
  return givers.place?.(fault(['spec', field, ...at, ...(field === 'clusters' ? ['name'] : [])]));
}

export const withoutDigits = (name: string): string => name.replaceAll(/\d/g, '');

function knownTo({ platform, classes }: NameSources, field: keyof Names): readonly string[] {
  if (field === 'classes') return [...classes.keys()];
  if (field === 'metadataKeys') return Object.keys(platform.metadataKeys);
  const { clusters, environments = [] } = platform;
  return field === 'clusters' ? clusters.map(({ name }) => name) : environments;
}

/** Returns every used name with its field. */
function usesIn(all: Iterable<LocatedDeclaration>): ReadonlySet<string> {
  const uses = new Set<string>();
  for (const { one } of all) {
    for (const [field, names] of Object.entries(listNames(one))) {
      for (const name of names) uses.add(`${field} ${name}`);
    }
  }
  return uses;
}

function listNames(one: DeclaredTenant | DeclaredClass): Names {
  const environments: readonly { readonly name: string }[] =
    one.kind === 'TenantClass' ? (one.spec.environments ?? []) : [];
  const layers = one.kind === 'TenantClass' ? layersOfClass(one) : layersOfTenant(one);
  return {
    environments: [
      ...environments.map(({ name }) => name),
      ...layers.flatMap(({ environment }) => environment ?? []),
    ],
    clusters: [
      ...layers.flatMap(({ clusters = [] }) => clusters),
      ...(one.kind === 'TenantClass' ? (one.spec.allow?.clusters ?? []) : []),
    ],
    metadataKeys: layers.flatMap(({ contact = {} }) => Object.keys(contact)),
    classes: one.kind === 'Tenant' ? [one.spec.className ?? []].flat() : [],
  };
}

/** The names that one layer uses. */
interface LayerNames {
  readonly environment?: string;
  readonly clusters?: readonly string[];
  readonly contact?: Readonly<Record<string, string>>;
}

function layersOfTenant({ spec }: DeclaredTenant): readonly LayerNames[] {
  return [spec, ...(spec.namespaces ?? [])];
}

function layersOfClass({ spec }: DeclaredClass): readonly LayerNames[] {
  return [spec.defaults ?? {}, ...(spec.environments ?? [])];
}
