import { errorAt, warningAt, type Finding } from '../kube/finding.ts';
import { formatList, show } from '../kube/problem.ts';
import { tenant as tenantKind } from '../crds/tenantry/tenant.ts';
import { tenantClass as classKind } from '../crds/tenantry/tenant-class.ts';
import type { Declared } from '../crds/tenantry/declarations.ts';
import type {
  TenantClassDeclaration,
  TenantDeclaration,
} from '../constructs/tenant/declaration.ts';
import { findFolder, type Delegation, type FolderMatch } from '../constructs/tenant/delegation.ts';
import { matchesName } from '../constructs/tenant/name-pattern.ts';
import { helpsToMatch } from '../kube/label-selector.ts';

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
export function misnamed(
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
export function selfDeclared(
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
export function unguarded(
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
