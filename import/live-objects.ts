import type { ObjectMeta } from '@tenantry/kube/api/object-meta';
import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { findBookkeeper, isReplacedKey } from './bookkeeping.ts';
import { findMadeReason, findProgramReason, type MadeReason } from './made-objects.ts';
import type { DroppedPart, FoundObject, LiveFacts } from './manifests.ts';
import { hasField } from './namespaces.ts';
import { tenancySystems } from './systems/translate-systems.ts';
import { findMarkedManager, findProgram, listMakers } from './object-managers.ts';

/** An object as an API server returns it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, 'name'> & Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}

/**
 * Reads a live object: who made it, and what people declared. What only the API server and controllers write is removed.
 * Of an object that a controller made, only the name is kept.
 */
export function readLiveObject(live: LiveObject): FoundObject {
  const manager = findMarkedManager(live);
  const makers = manager ? [] : listMakers(live.metadata);
  // Whether the objects of its system explain it is decided by its content.
  const isOfSystem = tenancySystems.some((system) => system.isMade?.(live as KubeObject));
  const made = isNamespace(live) || isOfSystem ? undefined : findMade(live, makers);
  if (made) return { object: pickIdentity(live), live: { made } };
  const facts = omitUndefined<LiveFacts>({
    manager: manager ?? findProgram(makers),
    isTerminating: live.metadata.deletionTimestamp === undefined ? undefined : true,
  });
  const dropped: DroppedPart[] = [];
  const object = cleanObject(live, facts, dropped);
  return { object, live: dropped.length > 0 ? { ...facts, dropped } : facts };
}

/** Returns the object of which only the metadata can be read. */
export function readUnreadableObject(live: LiveObject, message: string): FoundObject {
  return { object: pickIdentity(live), live: { fault: `it cannot be read: ${message}` } };
}

const isNamespace = ({ apiVersion, kind }: LiveObject): boolean =>
  apiVersion === 'v1' && kind === 'Namespace';

const beingDeleted: MadeReason = {
  reason: 'it is being deleted',
  summary: 'it is being deleted',
};

function findMade(live: LiveObject, makers: readonly string[]): MadeReason | undefined {
  if (live.metadata.deletionTimestamp !== undefined) return beingDeleted;
  return findMadeReason(live as KubeObject) ?? findProgramReason(makers);
}

function pickIdentity({ apiVersion, kind, metadata: { name, namespace } }: LiveObject): KubeObject {
  return { apiVersion, kind, metadata: omitUndefined({ name, namespace }) };
}

/** Fields of every kind that only the API server and controllers write. */
const writtenByServer: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function cleanObject(live: LiveObject, facts: LiveFacts, dropped: DroppedPart[]): KubeObject {
  const { apiVersion, kind, metadata } = live;
  const { name, namespace, finalizers = [] } = metadata;
  if (finalizers.length > 0) dropped.push({ what: 'finalizers', writer: 'controllers' });
  const pick = (part: 'labels' | 'annotations') => pickDeclared(live, part, facts, dropped);
  const content = Object.entries(live).filter(([field]) => !writtenByServer.has(field));
  const [labels, annotations] = [pick('labels'), pick('annotations')];
  return dropAssigned({
    apiVersion,
    kind,
    metadata: omitUndefined({ name, namespace, labels, annotations }),
    ...Object.fromEntries(content),
  });
}

const FORMER_MANAGER = 'the former manager, which Tenantry replaces';

function pickDeclared(
  live: LiveObject,
  part: 'labels' | 'annotations',
  { manager }: LiveFacts,
  dropped: DroppedPart[],
): Readonly<Record<string, string>> | undefined {
  const isDeclaredByField = isNamespace(live) || hasField(live as KubeObject);
  const kept = Object.entries(live.metadata[part] ?? {}).filter(([key]) => {
    const writer =
      findBookkeeper(part, key, live as KubeObject, manager) ??
      (isDeclaredByField && isReplacedKey(part, key) ? FORMER_MANAGER : undefined);
    if (writer !== undefined) {
      dropped.push({ what: `${part === 'labels' ? 'label' : 'annotation'} ${key}`, writer });
    }
    return writer === undefined;
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Removes values that the cluster assigns to objects of some kinds. A declaration without them keeps them. */
function dropAssigned(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  if (apiVersion === 'v1' && kind === 'Namespace') {
    const { spec: _finalizers, ...rest } = object;
    return rest as KubeObject;
  }
  if (apiVersion === 'v1' && kind === 'ServiceAccount') return dropTokens(object);
  if (apiVersion === 'v1' && kind === 'Service') return dropAddresses(object);
  return object;
}

/** Kubernetes before 1.24 made a token for each account, and OpenShift makes one for its registry. */
function dropTokens(account: KubeObject): KubeObject {
  const start = `${account.metadata.name}-`;
  const isAssigned = (name: string): boolean =>
    name.startsWith(start) && /^(token|dockercfg)-[a-z0-9]{5}$/.test(name.slice(start.length));
  const rest: Record<string, unknown> = { ...account };
  for (const field of ['secrets', 'imagePullSecrets']) {
    const list = account[field];
    if (!Array.isArray(list)) continue;
    const own = list.filter(
      (one) => !(isMapping(one) && typeof one['name'] === 'string' && isAssigned(one['name'])),
    );
    if (own.length === 0) delete rest[field];
    else rest[field] = own;
  }
  return rest as unknown as KubeObject;
}

/** A Service without an address, `None`, is declared so. */
function dropAddresses(service: KubeObject): KubeObject {
  const { spec } = service;
  if (!isMapping(spec) || spec['clusterIP'] === 'None') return service;
  const { clusterIP: _one, clusterIPs: _all, healthCheckNodePort: _port, ...rest } = spec;
  return { ...service, spec: rest };
}
