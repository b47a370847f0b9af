import type { OutputTexts } from '../output-texts.ts';
import { parseCluster, validateObject } from '../../synth/manifests/manifests.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { omitUndefined } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Problem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { ChangeLocation } from './change.ts';
import { createTenantCounter } from './class-tenants.ts';

/** An object before and after a change. Equal objects form no pair. */
export interface Pair {
  readonly where: ChangeLocation;
  readonly before?: LocatedObject;
  readonly after?: LocatedObject;
}

/** An object, and its file. */
export interface LocatedObject {
  readonly path: string;
  readonly object: KubeObject;
}

/** The contents of two outputs for one cluster. */
export interface ClusterChange {
  readonly cluster: string;
  readonly pairs: readonly Pair[];
  /** All objects of the files that were read. */
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
  /** The folders that are not empty after the change. */
  readonly applications: ReadonlySet<string>;
  /** Counts the tenants of a class after the change, in all clusters that were read. */
  tenantsOfClass(name: string): number;
}

/**
 * Returns the changes by cluster, sorted by name, and the files that cannot be read. Clusters
 * without a changed file are left out.
 */
export function clusterChanges(before: OutputTexts, after: OutputTexts): ClusterChanges {
  const unread: Problem[] = [];
  const [olds, news] = [textsByCluster(before), textsByCluster(after)];
  const names = [...new Set([...olds.keys(), ...news.keys()])].toSorted();
  const changed = names.flatMap((cluster) => {
    const [was, is] = [olds.get(cluster) ?? new Map(), news.get(cluster) ?? new Map()];
    if (was.size === is.size && was.entries().every(([path, text]) => is.get(path) === text))
      return [];
    const old = readObjects(was, unread);
    // A file that is the same on both sides is read once, and its objects are the same ones.
    const now = readObjects(is, unread, (path, text) =>
      was.get(path) === text ? old.byFile.get(path) : undefined,
    );
    return [buildChange(cluster, old, now)];
  });
  const tenantsOfClass = createTenantCounter(changed.map((one) => one.after));
  const clusters = changed.map((one): ClusterChange => ({ ...one, tenantsOfClass }));
  const readExisting = (): ClusterChange[] =>
    names.flatMap((cluster) => {
      const [was, is] = [olds.get(cluster), news.get(cluster)];
      if (cluster === '' || !was || !is) return [];
      const now = readObjects(is, []);
      return [{ ...buildChange(cluster, { byKey: new Map() }, now), tenantsOfClass }];
    });
  return { clusters, unread, readExisting };
}

/** What changes in the clusters of an output. */
interface ClusterChanges {
  readonly clusters: readonly ClusterChange[];
  readonly unread: readonly Problem[];
  /** Returns the clusters that exist before and after, each as if it were new. */
  readExisting(): readonly ClusterChange[];
}

type Read = { readonly byKey: Objects };

function buildChange(cluster: string, old: Read, now: Read): Omit<ClusterChange, 'tenantsOfClass'> {
  return {
    cluster,
    pairs: pairObjects(cluster, old.byKey, now.byKey),
    before: [...old.byKey.values()].map(({ object }) => object),
    after: [...now.byKey.values()].map(({ object }) => object),
    applications: new Set(
      [...new Set(now.byKey.values().map(({ path }) => path))].map(parseApplication),
    ),
  };
}

type Texts = ReadonlyMap<string, string>;

/**
 * Includes only manifests that Argo CD and kubectl apply. Bundles belong to OLM; `bundle diff`
 * compares them.
 */
function textsByCluster(texts: OutputTexts): ReadonlyMap<string, Texts> {
  const manifests = [...texts].filter(([path]) => /\.(?:ya?ml|json)$/.test(path));
  const bundles = manifests.flatMap(([path]) => BUNDLE.exec(path)?.[1] ?? []);
  const clusters = new Map<string, Map<string, string>>();
  for (const [path, text] of manifests) {
    if (bundles.some((folder) => path.startsWith(folder))) continue;
    const cluster = parseCluster(path);
    const known = clusters.get(cluster) ?? new Map<string, string>();
    clusters.set(cluster, known.set(path, text));
  }
  return clusters;
}

/** Matches the folder of a bundle by the name of its ClusterServiceVersion. */
const BUNDLE = /^(.+\/)manifests\/[^/]+\.clusterserviceversion\.yaml$/;

type Objects = ReadonlyMap<string, LocatedObject>;

/** The objects of a file, by their keys. */
type FileObjects = readonly (readonly [key: string, one: LocatedObject])[];

/** @param known the objects of a file that was read already */
function readObjects(
  texts: Texts,
  unread: Problem[],
  known: (path: string, text: string) => FileObjects | undefined = () => undefined,
) {
  const byKey = new Map<string, LocatedObject>();
  const byFile = new Map<string, FileObjects>();
  for (const [path, text] of texts) {
    const objects = known(path, text) ?? objectsIn(path, text, unread);
    byFile.set(path, objects);
    for (const [key, one] of objects) byKey.set(key, one);
  }
  return { byKey: byKey as Objects, byFile };
}

function objectsIn(path: string, text: string, unread: Problem[]): FileObjects {
  const { documents, problems } = readDocuments(text);
  for (const problem of problems) unread.push({ ...problem, file: path, path: '', rule: 'yaml' });
  return documents.flatMap(({ value }) => {
    if (validateObject(value) !== undefined) return [];
    const object = value as KubeObject;
    return [[keyOf(object), { path, object }] as const];
  });
}

function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return JSON.stringify([groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name]);
}

function pairObjects(cluster: string, old: Objects, now: Objects): Pair[] {
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].flatMap((key): Pair[] => {
    const [before, after] = [old.get(key), now.get(key)];
    if (before === after) return [];
    const isSame = before && after && isDeepEqual(before.object, after.object);
    if (isSame && parseApplication(before.path) === parseApplication(after.path)) return [];
    const where = buildLocation(cluster, (after ?? before)!.object);
    return [omitUndefined({ where, before, after })];
  });
}

/** Returns the folder that one Application of Argo CD syncs: that of a tenant, or of the cluster. */
export function parseApplication(path: string): string {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, parts[2] === 'tenants' ? 4 : 3).join('/');
}

function buildLocation(cluster: string, { kind, metadata }: KubeObject): ChangeLocation {
  const { namespace, name, labels } = metadata;
  const tenant = kind === 'Tenant' ? name : labels?.[TENANT_LABEL];
  const held = kind === 'Namespace' ? name : namespace;
  return omitUndefined({
    cluster,
    namespace: held,
    tenant,
  });
}

/** Returns the pairs of a kind. */
export function filterByKind(pairs: readonly Pair[], group: string, ...kinds: string[]): Pair[] {
  return pairs.filter(({ before, after }) => {
    const { apiVersion, kind } = (after ?? before)!.object;
    return groupOf(apiVersion) === group && kinds.includes(kind);
  });
}

/** Returns the new and the removed namespaces. */
export function findNamespaceChanges(pairs: readonly Pair[]): {
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
} {
  const found = filterByKind(pairs, '', 'Namespace');
  const names = (some: readonly Pair[]) => new Set(some.map(({ where }) => where.namespace!));
  return {
    added: names(found.filter(({ before }) => before === undefined)),
    removed: names(found.filter(({ after }) => after === undefined)),
  };
}

/** The API groups of the kinds that a plan knows. */
export const TENANT_GROUP = 'tenantry.dev';
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
export const NETWORK_GROUP = 'networking.k8s.io';
export const ADMISSION_GROUP = 'admissionregistration.k8s.io';
export const DEFINITIONS_GROUP = 'apiextensions.k8s.io';
export const ARGO_GROUP = 'argoproj.io';
