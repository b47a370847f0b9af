import type { ClassException } from '../../crds/types.ts';
import type { Ceilings, TenantClassSpec } from '../../crds/tenant-class.ts';
import { ALLOW_LISTS } from '../allow-lists/lists.ts';
import type { Finding } from '@tenantry/kube/finding';
import { errorAt } from '../findings/tenant-finding.ts';
import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { formatPath, show, type Path } from '@tenantry/kube/problem';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { Origins } from '../origins.ts';
import { findHighestBindableRole, builtinOpenKeys } from './allowances.ts';

type Allowed = NonNullable<TenantClassSpec['allow']>;
type Reach = NonNullable<NonNullable<Ceilings['network']>['ingressFrom']>;
type Amounts = Readonly<Record<string, string | number>>;

/** An exception, and its position in the class. */
export interface IndexedException {
  readonly index: number;
  readonly exception: ClassException;
}

const byTenant = new WeakMap<TenantClassSpec, ReadonlyMap<string, readonly IndexedException[]>>();

/** Lists the exceptions that a class makes for a tenant, for the whole tenant or for single namespaces. */
export function findExceptions(spec: TenantClassSpec, tenant: string): readonly IndexedException[] {
  if (!spec.exceptions) return [];
  const known = byTenant.get(spec) ?? indexByTenant(spec.exceptions);
  byTenant.set(spec, known);
  return known.get(tenant) ?? [];
}

function indexByTenant(
  exceptions: readonly ClassException[],
): ReadonlyMap<string, IndexedException[]> {
  const index = new Map<string, IndexedException[]>();
  for (const [i, exception] of exceptions.entries()) {
    for (const tenant of new Set(exception.tenants)) {
      index.set(tenant, [...(index.get(tenant) ?? []), { index: i, exception }]);
    }
  }
  return index;
}

/**
 * Applies the exceptions for one tenant to a class. The result is an ordinary class, so rules need no knowledge of
 * exceptions. Exceptions replace ceilings by field and key, and add to lists. Exceptions for single namespaces come
 * last and override those for the whole tenant. For a tenant without exceptions it returns the class itself.
 * @param namespace the namespace whose exceptions apply too. Default: only those for the whole tenant
 * @param origins records where the values that exceptions change are from
 */
export function applyExceptions(
  klass: TenantClassDeclaration,
  tenant: string,
  namespace?: string,
  origins?: Origins,
): TenantClassDeclaration {
  const all = findExceptions(klass.spec, tenant);
  const everywhere = all.filter(({ exception }) => exception.namespaces === undefined);
  const here = all.filter(
    ({ exception: { namespaces } }) => namespace !== undefined && namespaces?.includes(namespace),
  );
  const { exceptions: _exceptions, ...spec } = klass.spec;
  const held = [...everywhere, ...here];
  if (held.length === 0) return klass;
  return {
    ...klass,
    spec: held.reduce<TenantClassSpec>((so, { exception, index }) => {
      const applied = applyException(so, exception);
      if (origins) recordException(origins, { exception, index }, so, applied);
      return applied;
    }, spec),
  };
}

/** Records what an exception replaced, and what it added at the ends of lists. */
function recordException(
  origins: Origins,
  { exception, index }: IndexedException,
  before: TenantClassSpec,
  after: TenantClassSpec,
): void {
  const { ceilings, allow } = exception;
  const record = (above: unknown, path: Path): void => {
    const origin = ['class', 'spec', 'exceptions', index, ...path];
    const value = valueAt(after, path);
    if (value === undefined || above === undefined) return;
    if (Array.isArray(above)) {
      // The list that replaces an absent one is built in.
      if (valueAt(before, path) === undefined) origins.record(path, ['builtin', 'class', ...path]);
      const first = listAt(after, path).length - above.length;
      for (const i of above.keys()) origins.record([...path, first + i], [...origin, i]);
    } else if (isMapping(above)) {
      for (const [key, inner] of Object.entries(above)) record(inner, [...path, key]);
    } else origins.record(path, origin);
  };
  record(ceilings, ['ceilings']);
  record(allow, ['allow']);
}

function applyException(
  spec: TenantClassSpec,
  { ceilings, allow }: Pick<ClassException, 'ceilings' | 'allow'>,
): TenantClassSpec {
  const allowed = { ...spec, ...(allow && { allow: mergeAllow(spec.allow ?? {}, allow) }) };
  return ceilings ? { ...allowed, ceilings: mergeCeilings(allowed, ceilings) } : allowed;
}

/** Merges two lists. An absent list means the default and is different from an empty one. */
function mergeAllow(below: Allowed, above: Allowed): Allowed {
  const { labels, annotations, clusterRoles, clusters, serviceAccounts, resources } = above;
  const { sourceRepos, namespaceResourceWhitelist, sourceNamespaces, applicationSets } = above;
  const { priorityClasses, tolerations, crossNamespaceAffinity, uncountedObjects } = above;
  return {
    ...below,
    ...(labels && { labels: [...(below.labels ?? builtinOpenKeys), ...labels] }),
    ...(annotations && {
      annotations: [...(below.annotations ?? builtinOpenKeys), ...annotations],
    }),
    ...(clusterRoles && { clusterRoles: [...(below.clusterRoles ?? []), ...clusterRoles] }),
    ...(clusters && below.clusters && { clusters: [...below.clusters, ...clusters] }),
    ...(serviceAccounts && {
      serviceAccounts: [...(below.serviceAccounts ?? []), ...serviceAccounts],
    }),
    ...(resources && { resources: [...(below.resources ?? everyOrdinaryKind), ...resources] }),
    ...(sourceRepos && { sourceRepos: [...(below.sourceRepos ?? []), ...sourceRepos] }),
    ...(namespaceResourceWhitelist && {
      namespaceResourceWhitelist: [
        ...(below.namespaceResourceWhitelist ?? []),
        ...namespaceResourceWhitelist,
      ],
    }),
    ...(sourceNamespaces && { sourceNamespaces }),
    ...(applicationSets && { applicationSets }),
    ...(priorityClasses && {
      priorityClasses: [...(below.priorityClasses ?? everyOrdinaryPriority), ...priorityClasses],
    }),
    ...(tolerations && { tolerations: [...(below.tolerations ?? []), ...tolerations] }),
    ...(crossNamespaceAffinity && { crossNamespaceAffinity }),
    ...(uncountedObjects && { uncountedObjects }),
    ...mergeAllowLists(below, above),
  };
}

/** Adds to the lists that the class has. A list that it does not have allows everything already. */
function mergeAllowLists(below: Allowed, above: Allowed): Allowed {
  return Object.fromEntries(
    ALLOW_LISTS.flatMap(({ field }) => {
      const [some, more] = [below[field], above[field]];
      return some && more ? [[field, [...some, ...more]]] : [];
    }),
  );
}

const everyOrdinaryKind = [{ group: '*', kind: '*' }];
const everyOrdinaryPriority = ['*'];

function mergeCeilings(
  spec: TenantClassSpec,
  above: NonNullable<ClassException['ceilings']>,
): Ceilings {
  const { ceilings: below = {} } = spec;
  const { quota, tenantQuota, limits, network, roles, ...scalars } = above;
  const highest = findHighestBindableRole(spec);
  const ordinaryRoles = highest === undefined ? [] : [{ clusterRole: highest }];
  return {
    ...below,
    ...scalars,
    ...(quota && { quota: mergeAmounts(below.quota, quota) }),
    ...(tenantQuota && { tenantQuota: mergeAmounts(below.tenantQuota, tenantQuota) }),
    ...(limits && { limits: mergeAmounts(below.limits, limits) }),
    ...(network && { network: mergeNetworkCeiling(below.network ?? {}, network) }),
    ...(roles && { roles: [...(below.roles ?? ordinaryRoles), ...roles] }),
  };
}

function mergeAmounts(below: Amounts = {}, above: Amounts): Amounts {
  const entries = Object.entries({ ...below, ...above });
  return Object.fromEntries(entries.filter(([, amount]) => amount !== 'unlimited'));
}

type NetworkCeiling = NonNullable<Ceilings['network']>;

function mergeNetworkCeiling(below: NetworkCeiling, above: NetworkCeiling): NetworkCeiling {
  const { ingressFrom, egressTo, ...scalars } = above;
  return {
    ...below,
    ...scalars,
    ...(ingressFrom && { ingressFrom: mergeReach(below.ingressFrom ?? {}, ingressFrom) }),
    ...(egressTo && { egressTo: mergeReach(below.egressTo ?? {}, egressTo) }),
  };
}

/** Merges two reaches. If the class does not bound address blocks, the result does not either. */
function mergeReach(below: Reach, { cidrs, ...scalars }: Reach): Reach {
  return {
    ...below,
    ...scalars,
    ...(cidrs && below.cidrs && { cidrs: [...below.cidrs, ...cidrs] }),
  };
}

/** A single permission in an exception. */
export interface ExceptionPart {
  /** The path in the exception: `ceilings.quota.pods`, or `allow.clusters[0]` for an item of a list. */
  readonly path: Path;
  readonly value: unknown;
}

/** Lists the smallest parts of an exception that can be removed separately. */
export function listExceptionParts({ ceilings, allow }: ClassException): ExceptionPart[] {
  return [...listParts(ceilings ?? {}, ['ceilings']), ...listParts(allow ?? {}, ['allow'])];
}

function listParts(value: object, path: Path): ExceptionPart[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const at = [...path, key];
    if (Array.isArray(inner)) return inner.map((item, i) => ({ path: [...at, i], value: item }));
    return isMapping(inner) ? listParts(inner, at) : [{ path: at, value: inner }];
  });
}

/** Returns the exception without one of its parts. */
export function removePart(exception: ClassException, { path }: ExceptionPart): ClassException;
export function removePart(exception: object, { path }: ExceptionPart): object {
  return removeAtPath(exception, path);
}

/** Returns a value without what is at a path, which must exist; the items after it move up. */
export function removeAtPath(value: object, [key, ...rest]: Path): object {
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1);
  const entries = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (name !== String(key)) return [[name, inner]];
    return rest.length > 0 ? [[name, removeAtPath(inner as object, rest)]] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * Finds two exceptions that set different values for one field, so that their order would decide. Lists are added up,
 * and an exception for one namespace overrides one for the whole tenant.
 */
export function findExceptionConflict(exceptions: readonly ClassException[]): Finding | undefined {
  const indexByKey = new Map<string, number>();
  for (const [i, exception] of exceptions.entries()) {
    for (const { path, value } of listExceptionParts(exception)) {
      if (typeof path.at(-1) === 'number') continue;
      for (const [tenant, where] of listScopes(exception)) {
        const key = JSON.stringify([tenant, where, path]);
        const other = indexByKey.get(key);
        if (other !== undefined && other !== i) {
          const whom = where === undefined ? `tenant ${tenant}` : `namespace ${where}`;
          const got = `${show(value)} beside ${formatPath(['spec', 'exceptions', other])}`;
          const message = `must be set once for ${whom}, got ${got}`;
          return errorAt(['spec', 'exceptions', i, ...path], message, 'exception-conflict');
        }
        indexByKey.set(key, i);
      }
    }
  }
  return undefined;
}

function listScopes({ tenants, namespaces }: ClassException): [string, string | undefined][] {
  return tenants.flatMap((tenant) =>
    (namespaces ?? [undefined]).map((where): [string, string | undefined] => [tenant, where]),
  );
}
