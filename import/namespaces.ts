import { dirname } from 'node:path';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { A_DNS_LABEL, A_SUBDOMAIN, isDnsLabel, isSubdomain } from '@tenantry/kube/names';
import { isMapping } from '@tenantry/kube/mapping';
import { normalizeBuiltinObject } from '@tenantry/kube/builtin-stored';
import { formatFinding } from '@tenantry/kube/finding';
import { groupOf, identityOfNames, type KubeObject } from '@tenantry/kube/object';
import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import { RBAC_GROUP } from '../model/layers/grants.ts';
import { isEqual } from './counting.ts';
import { findMadeReason, type MadeReason } from './made-objects.ts';
import { findDefinedScopes, isNamespaced, type FoundObject } from './manifests.ts';
import type { ObjectManager } from './object-managers.ts';

/** A namespace of the source: its Namespace, and the objects in it. */
export interface FoundNamespace {
  readonly name: string;
  readonly namespace: FoundObject;
  /** The objects in it, each with the name of the namespace. */
  readonly objects: readonly FoundObject[];
}

/** An object that becomes no part of a tenant, and why. */
export interface LeftOut {
  readonly found: FoundObject;
  readonly reason: string;
  /** Set if a controller makes the object, so that nobody needs to declare it. */
  readonly made?: MadeReason;
}

/** Kinds that fields of a Tenant declare, with their groups. */
const withField: ReadonlyMap<string, string> = new Map([
  ['Role', RBAC_GROUP],
  ['RoleBinding', RBAC_GROUP],
  ['ResourceQuota', ''],
  ['LimitRange', ''],
  ['ServiceAccount', ''],
  ['NetworkPolicy', 'networking.k8s.io'],
  ['PodDisruptionBudget', 'policy'],
]);

/** Whether a field of a Tenant declares objects of the kind; all others are declared in `resources`. */
export function hasField({ apiVersion, kind }: KubeObject): boolean {
  const group = withField.get(kind);
  return group !== undefined && group === groupOf(apiVersion);
}

/** The objects of a source by their namespaces. */
export interface SortedObjects {
  /** Sorted by name. */
  readonly namespaces: readonly FoundNamespace[];
  readonly leftOut: readonly LeftOut[];
}

/** What decides which objects of a source become part of a tenant. */
export interface SortRules {
  /** Returns why tenants may not have a namespace. */
  readonly isProtected: (namespace: string) => string | undefined;
  /** Whether objects of a manager are imported though it does not manage the Namespace. Default: never */
  readonly isManagerAccepted?: (id: string) => boolean;
  /** Objects that are in no folder of the source. Default: none */
  readonly derived?: ReadonlySet<FoundObject>;
}

/**
 * Sorts objects by their namespaces. An object without a namespace belongs to the one Namespace of its folder, as a
 * deployment of the folder would put it there. Left out are cluster-scoped objects, Secrets, objects that a controller
 * made, those of another manager than the Namespace's, and those whose namespace is not in the source.
 */
export function sortByNamespace(
  found: readonly FoundObject[],
  { isProtected, isManagerAccepted = () => false, derived = new Set() }: SortRules,
): SortedObjects {
  const scopes = findDefinedScopes(found);
  const byFolder = findFolderNamespaces(found.filter((one) => !derived.has(one)));
  const [unique, leftOut] = separateRepeated(found, byFolder);
  const namespaces = new Map<string, { namespace: FoundObject; objects: FoundObject[] }>();
  for (const one of unique) {
    if (!isNamespace(one.object)) continue;
    const { name } = one.object.metadata;
    const reason = isDnsLabel(name) ? isProtected(name) : `its name must be ${A_DNS_LABEL}`;
    if (reason === undefined) namespaces.set(name, { namespace: one, objects: [] });
    else leftOut.push({ found: one, reason });
  }
  for (const one of unique) {
    if (isNamespace(one.object)) continue;
    const made = one.live?.made ?? findMadeReason(one.object);
    const reason = findReason(one, scopes, made);
    const name = findNamespaceName(one, byFolder);
    if (reason !== undefined) {
      leftOut.push({ found: one, reason, ...(reason === made?.reason && { made }) });
    } else if (name === undefined) {
      leftOut.push({
        found: one,
        reason: 'it names no namespace, and its folder does not have exactly one',
      });
    } else if (!namespaces.has(name)) {
      const why = isProtected(name) ?? `the source has no Namespace '${name}'`;
      leftOut.push({ found: one, reason: why });
    } else {
      const { namespace, objects } = namespaces.get(name)!;
      const other = findOtherManager(one, namespace);
      if (!other || isManagerAccepted(other.id)) objects.push(withNamespace(one, name));
      else leftOut.push({ found: one, reason: `${other.name} manages it` });
    }
  }
  return {
    namespaces: [...namespaces]
      .map(([name, parts]) => ({ name, ...parts }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    leftOut,
  };
}

function findNamespaceName(
  { object, file }: FoundObject,
  byFolder: ReadonlyMap<string, string>,
): string | undefined {
  const { namespace } = object.metadata;
  return namespace ?? (file === undefined ? undefined : byFolder.get(dirname(file)));
}

/**
 * Returns the manager of an object if it is another one than the Namespace's. The Namespace's own manager is the
 * platform's.
 */
function findOtherManager(found: FoundObject, namespace: FoundObject): ObjectManager | undefined {
  const [manager, platforms] = [found.live?.manager, namespace.live?.manager];
  const isSame = manager?.id === platforms?.id && manager?.name === platforms?.name;
  return isSame ? undefined : manager;
}

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Namespace';
}

function withNamespace(found: FoundObject, namespace: string): FoundObject {
  // A null field is an absent one.
  const object = hasField(found.object) ? normalizeBuiltinObject(found.object) : found.object;
  if (object.metadata.namespace === namespace && object === found.object) return found;
  return { ...found, object: { ...object, metadata: { ...object.metadata, namespace } } };
}

/** Returns the namespace of each folder that has exactly one Namespace. */
export function findFolderNamespaces(found: readonly FoundObject[]): ReadonlyMap<string, string> {
  const byFolder = new Map<string, Set<string>>();
  for (const { object, file } of found) {
    if (!isNamespace(object) || file === undefined) continue;
    const folder = dirname(file);
    byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(object.metadata.name));
  }
  return new Map(
    [...byFolder].flatMap(([folder, names]) =>
      names.size === 1 ? [[folder, [...names][0]!] as const] : [],
    ),
  );
}

/**
 * Separates the objects that a later one of the same identity overwrites, as `kubectl apply` does. A repetition with
 * the same content is one object.
 */
function separateRepeated(
  found: readonly FoundObject[],
  byFolder: ReadonlyMap<string, string>,
): [FoundObject[], LeftOut[]] {
  const byIdentity = Map.groupBy(found, (one) => {
    const { apiVersion, kind, metadata } = one.object;
    const namespace = findNamespaceName(one, byFolder) ?? '';
    return identityOfNames({ group: groupOf(apiVersion), kind, namespace, name: metadata.name });
  });
  const leftOut: LeftOut[] = [];
  const last = new Set<FoundObject>();
  for (const same of byIdentity.values()) {
    const kept = same.at(-1)!;
    last.add(kept);
    for (const one of same.slice(0, -1)) {
      if (isEqual(one.object, kept.object)) continue;
      const reason = `${kept.file}:${kept.line} has the same kind and name, and overwrites it`;
      leftOut.push({ found: one, reason });
    }
  }
  return [found.filter((one) => last.has(one)), leftOut];
}

/** Returns why an object becomes no part of a tenant, whatever its namespace. */
function findReason(
  found: FoundObject,
  scopes: ReadonlyMap<string, string>,
  made: MadeReason | undefined,
): string | undefined {
  const { object, live } = found;
  const { kind, apiVersion } = object;
  if (kind === 'Secret') return 'Secrets stay out of Git';
  if (!isNamespaced(found, scopes)) return 'it is cluster-scoped, and belongs to the platform';
  if (made) return made.reason;
  if (live?.fault !== undefined) return live.fault;
  if (groupOf(apiVersion) === '' && builtinScope('', kind) === undefined) {
    return `Kubernetes has no ${kind} of ${apiVersion}`;
  }
  return hasField(object) ? (findNameFault(object) ?? findSchemaFault(object)) : undefined;
}

/** Returns why Tenantry cannot render an object under its name. */
function findNameFault({ apiVersion, metadata: { name } }: KubeObject): string | undefined {
  if (groupOf(apiVersion) !== RBAC_GROUP) {
    return isSubdomain(name) ? undefined : `its name must be ${A_SUBDOMAIN}`;
  }
  // https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names
  return /[{}]/.test(name) ? 'braces in its name would be placeholders of Tenantry' : undefined;
}

/** Returns why the API server would refuse an object of one of Kubernetes' own kinds. */
function findSchemaFault(object: KubeObject): string | undefined {
  const faults = validateBuiltinObject(object);
  if (!faults) return `Kubernetes has no ${object.kind} of ${object.apiVersion}`;
  const [fault] = faults;
  if (fault) return `the API server refuses it: ${formatFinding(fault)}`;
  return hasNullItem(object) ? 'a list in it has an empty item' : undefined;
}

function hasNullItem(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => item === null || hasNullItem(item));
  return isMapping(value) && Object.values(value).some(hasNullItem);
}
