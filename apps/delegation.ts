import { errorAt, warningAt, type Finding } from '@tenantry/kube/finding';
import { formatList, show, findNearest, type Path, type Problem } from '@tenantry/kube/problem';
import { tenant as tenantKind } from '../crds/tenant.ts';
import { tenantClass as classKind } from '../crds/tenant-class.ts';
import type { Declared } from '../crds/declarations.ts';
import type { TenantClassDeclaration, TenantDeclaration } from '../model/declaration.ts';
import { findFolder, type Delegation, type FolderMatch, CLASSES } from '../model/delegation.ts';
import { matchesName } from '../model/name-pattern.ts';
import { helpsToMatch } from '@tenantry/kube/label-selector';
import type { PlatformPlace } from './platform-file.ts';
import { withoutDigits } from './undefined-names.ts';

const TABLE = 'spec.delegation of the platform file';

/**
 * Explains why a declaration may not be where it is: because of the folder, its kind or its name.
 * @param place the file, relative to the folder of tenants
 */
export function checkPlacement(
  { kind, name }: Pick<Declared, 'kind' | 'name'>,
  place: string,
  delegation: Delegation,
): Finding | undefined {
  const found = findFolder(delegation, place);
  if (!found) {
    const known = formatList(delegation.folders.map(({ folder }) => folder));
    const must = `must be in a folder of ${TABLE} (${known})`;
    const about = { unknownName: place };
    return { ...error(['kind'], `${must}, got ${show(place)}`), about };
  }
  const names = namesFor(kind, found);
  const where = `the folder ${show(found.folder)}`;
  if (names === undefined) {
    const others = delegation.folders.filter((row) => namesFor(kind, { row }) !== undefined);
    const known = formatList(others.map(({ folder }) => folder)) || 'none';
    const must = `must be in a folder that ${TABLE} lets declare a ${kind} (${known})`;
    return error(['kind'], `${must}, got ${where}`);
  }
  if (matchesName(names, name)) return undefined;
  const must = `must be a name that ${where} may give a ${kind} (${formatList(names) || 'none'})`;
  return error(['metadata', 'name'], `${must} under ${TABLE}, got ${show(name)}`);
}

/** Returns the namespaces of a tenant whose names the folder may not use. */
export function findForbiddenNamespaceNames(
  namespaces: readonly string[],
  pathOf: (namespace: string) => Finding['path'],
  place: string,
  delegation: Delegation,
): Finding[] {
  const found = findFolder(delegation, place);
  const names = found?.row.namespaces;
  if (!found || !names) return [];
  return [...new Set(namespaces)]
    .filter((namespace) => !matchesName(names, namespace))
    .map((namespace) => {
      const must = `must be a name that the folder ${show(found.folder)} may give a namespace`;
      const known = formatList(names) || 'none';
      return error(pathOf(namespace), `${must} (${known}) under ${TABLE}, got ${show(namespace)}`);
    });
}

/**
 * Returns the labels of a Tenant that can gain it permissions from any class, if the folder is not
 * trusted to set them.
 */
export function findUngrantedLabels(
  { labels = {} }: Pick<TenantDeclaration, 'labels'>,
  classes: readonly TenantClassDeclaration[],
  place: string,
  delegation: Delegation,
): Finding[] {
  const found = findFolder(delegation, place);
  if (!found) return [];
  return Object.entries(labels).flatMap(([key, value]) => {
    const klass = classes.find(({ spec }) => {
      const selector = spec.allowedTenants?.selector;
      return selector && helpsToMatch(selector, key, value);
    });
    if (!klass || isGranted(found, key, value)) return [];
    const must = `must be granted to the folder ${show(found.folder)} in ${TABLE}`;
    const why = `since class ${klass.name} selects by it (allowedTenants.selector)`;
    const path = ['metadata', 'labels', key];
    const message = `${must}, ${why}, got ${show(value)}`;
    return [errorAt(path, message, 'delegated-label')];
  });
}

/** Warns about a class that trusts tenant names while no table guards them. */
export function checkTrustedNames(
  { spec }: Pick<TenantClassDeclaration, 'spec'>,
  { isGiven }: Delegation,
): Finding | undefined {
  const names = spec.allowedTenants?.names;
  if (isGiven || !names || names.includes('*')) return undefined;
  const message = `must be guarded by folders in ${TABLE}, got none: every file may declare a Tenant with these names`;
  return warningAt(['spec', 'allowedTenants', 'names'], message, 'delegation-off');
}

function namesFor(kind: string, { row }: Pick<FolderMatch, 'row'>): readonly string[] | undefined {
  if (kind === tenantKind.kind) return row.tenants;
  return kind === classKind.kind ? row.classes : undefined;
}

function isGranted({ row }: FolderMatch, key: string, value: string): boolean {
  const grant = row.labels?.find((label) => label.key === key);
  return grant !== undefined && (grant.values?.includes(value) ?? true);
}

function error(path: Finding['path'], message: string): Finding {
  return errorAt(path, message, 'delegation');
}

/** A declaration that its folder is not allowed to hold. */
export interface MisplacedDeclaration {
  /** The path of the file, relative to the folder of tenants. */
  readonly name: string;
  readonly finding: Finding;
  readonly problem: Problem;
}

/** The delegation table of the platform file, and its place there. */
interface DelegationTable {
  readonly delegation: Delegation;
  readonly place: PlatformPlace;
}

/** A suspected mistake in the table, with the text before and after the list of affected files. */
interface TableProblem {
  readonly path: Path;
  readonly before: string;
  readonly after: string;
}

/**
 * Finds the cause of declarations in folders that may not hold them. The table is at fault if
 * several files are in a folder whose name resembles an unused row, or resembles no row. Otherwise
 * each file is at fault.
 */
export class MisplacedDeclarations {
  readonly #table: DelegationTable | undefined;
  readonly #withheld: MisplacedDeclaration[] = [];

  /** @param table undefined if no platform file has one; then nothing is deferred */
  constructor(table: DelegationTable | undefined) {
    this.#table = table;
  }

  /** Defers a declaration until all files are known; returns whether it did. */
  tryDefer(misplaced: MisplacedDeclaration): boolean {
    if (!this.#table) return false;
    this.#withheld.push(misplaced);
    return true;
  }

  /** @param names the paths of all files, relative to the folder of tenants */
  flush(names: readonly string[]): Problem[] {
    const table = this.#table;
    if (!table || this.#withheld.length === 0) return [];
    const used = new Set(names.map((name) => findFolder(table.delegation, name)?.row));
    const suspicions = this.#withheld.map((misplaced) => ({
      misplaced,
      suspicion: findTableProblem(misplaced, table.delegation, used),
    }));
    const groups = Map.groupBy(suspicions, ({ suspicion }) => JSON.stringify(suspicion));
    return [...groups.values()].flatMap((found) => {
      const files = [...new Set(found.map(({ misplaced }) => misplaced.problem.file ?? ''))];
      const { suspicion } = found[0]!;
      if (!suspicion || files.length === 1) return found.map(({ misplaced }) => misplaced.problem);
      const { path, before, after } = suspicion;
      const message = `${before}${files.length} files (${formatList(files)})${after}`;
      return [table.place(errorAt(path, message, 'delegation'))];
    });
  }
}

type Rows = Delegation['folders'];

function findTableProblem(
  { name, finding }: MisplacedDeclaration,
  { folders }: Delegation,
  used: ReadonlySet<Rows[number] | undefined>,
): TableProblem | undefined {
  const path = ['spec', 'delegation', 'folders'];
  const around = name.split('/').slice(0, -1);
  const like = folders.flatMap((row, i) => {
    const meant = guessIntendedPattern(row.folder, around);
    return meant === undefined ? [] : [{ row, i, meant }];
  });
  const unused = like.find(({ row }) => !used.has(row) && row.folder !== CLASSES);
  if (unused) {
    const { row, i, meant } = unused;
    const must = `must be a folder that holds files, got ${show(row.folder)}`;
    const before = `${must}; did you mean ${show(meant)}, which holds `;
    return { path: [...path, i, 'folder'], before, after: '?' };
  }
  if (like.length > 0 || finding.about?.unknownName === undefined) return undefined;
  const before = `must have a row for ${show(around[0] ?? '.')}, which holds `;
  return { path, before, after: `, got ${formatList(folders.map(({ folder }) => folder))}` };
}

/** Finds the intended spelling of a misspelled pattern among the folders of a file. */
function guessIntendedPattern(pattern: string, around: readonly string[]): string | undefined {
  const names = pattern.split('/');
  const isFixed = (_name: string | undefined, i: number): boolean => names[i] !== '*';
  const fixed = names.filter(isFixed).join('/');
  const here = around.slice(0, names.length);
  const fixedHere = here.filter(isFixed).join('/');
  if (here.length < names.length || fixed === fixedHere) return undefined;
  // Names that differ by a number, such as team1 and team2, are not one name spelled twice.
  if (withoutDigits(fixed) === withoutDigits(fixedHere)) return undefined;
  if (findNearest(fixedHere, [fixed]) === undefined) return undefined;
  return names.map((name, i) => (name === '*' ? name : here[i])).join('/');
}
