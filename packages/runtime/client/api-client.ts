import { omitUndefined } from '@tenantry/kube/mapping';
import type { Call } from '../connection/call.ts';
import type { Stream, Transport } from '../connection/transport.ts';
import {
  apiVersionOf,
  resourceOf,
  type FieldsOf,
  type Kind,
  type Live,
  type ObjectName,
  type Written,
} from '../kinds/kind.ts';
import {
  parseList,
  parseObject,
  parsePendingDeletion,
  splitLines,
  parseWatchEvents,
} from './answers.ts';
import { buildCollectionPath, buildObjectPath, buildPodLogCall } from './paths.ts';
import type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  PodLogOptions,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.ts';

/** How a client writes. */
export interface ApiClientOptions {
  /** The field manager of writes whose call names none. @default tenantry */
  readonly fieldManager?: string | undefined;
}

/**
 * The API of a cluster over one transport. Paths are derived from the kinds without discovery, so a kind that is not
 * served is a 404. An invalid call, for example with an empty name, rejects with an `Error` and is not sent.
 */
export class ApiClient implements Client {
  readonly #transport: Transport;
  readonly #fieldManager: string;

  constructor(transport: Transport, { fieldManager = 'tenantry' }: ApiClientOptions = {}) {
    this.#transport = transport;
    this.#fieldManager = fieldManager;
  }

  async get<K extends Kind>(
    kind: K,
    name: ObjectName,
    options: ReadOptions = {},
  ): Promise<Live<K>> {
    const path = buildObjectPath(kind, name, options.subresource);
    const resource = formatResource(kind, options.subresource);
    return this.#requestObject(kind, {
      method: 'GET',
      path,
      resource,
      ...pickCallOptions(options),
    });
  }

  async list<K extends Kind>(kind: K, options: ListOptions = {}): Promise<List<K>> {
    const { metadataOnly, limit = 500, resourceVersion, resourceVersionMatch } = options;
    const { onUnreadable } = options;
    const path = buildCollectionPath(kind, options.namespace, 'many');
    const { labelSelector, fieldSelector } = options;
    const selected = { labelSelector, fieldSelector, limit, continue: options.continue };
    const query = { ...selected, resourceVersion, resourceVersionMatch };
    const accept = metadataOnly ? buildMetadataAccept('PartialObjectMetadataList') : undefined;
    const what = { method: 'GET', path, resource: formatResource(kind), query, accept } as const;
    const call = { ...what, ...pickCallOptions(options, 'list') };
    const answer = await this.#transport.callMarked(call);
    return parseList(kind, answer, { request: `GET ${path}`, onUnreadable });
  }

  async *watch<K extends Kind>(
    kind: K,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    yield* parseWatchEvents(kind, await this.#openWatch(kind, options), options.onUnreadable);
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    const { namespace } = object.metadata;
    const path =
      options.subresource === undefined
        ? buildCollectionPath(kind, namespace, 'one')
        : buildObjectPath(kind, requireName(object), options.subresource);
    return this.#write(kind, { method: 'POST', path, body: buildBody(kind, object) }, options);
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    const path = buildObjectPath(kind, requireName(object), options.subresource);
    return this.#write(kind, { method: 'PUT', path, body: buildBody(kind, object) }, options);
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    const path = buildObjectPath(kind, name, options.subresource);
    const contentType = 'application/merge-patch+json';
    return this.#write(kind, { method: 'PATCH', path, body: patch, contentType }, options);
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    { force = false, ...options }: ApplyOptions = {},
  ): Promise<Live<K>> {
    const path = buildObjectPath(kind, requireName(object), options.subresource);
    const body = buildBody(kind, object);
    // JSON is valid YAML, and servers before 1.33 accept only this media type.
    const contentType = 'application/apply-patch+yaml';
    const query = { force };
    const isIdempotent = object.metadata.resourceVersion === undefined;
    const call = { method: 'PATCH', path, body, contentType, query, isIdempotent } as const;
    return this.#write(kind, call, options);
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options: DeleteOptions = {},
  ): Promise<Live<K> | undefined> {
    const path = buildObjectPath(kind, name);
    const body = buildDeleteOptions(options);
    const answer = await this.#transport.call({
      method: 'DELETE',
      path,
      resource: formatResource(kind),
      body,
      ...pickCallOptions(options),
    });
    return parsePendingDeletion(kind, answer);
  }

  async deleteCollection(kind: Kind, options: Selection & DeleteOptions): Promise<void> {
    const path = buildCollectionPath(kind, options.namespace, 'one');
    const { labelSelector, fieldSelector } = options;
    const query = { labelSelector, fieldSelector };
    const body = buildDeleteOptions(options);
    const what = { method: 'DELETE', path, resource: formatResource(kind), query, body } as const;
    await this.#transport.call({ ...what, ...pickCallOptions(options) });
  }

  async podLog(pod: ObjectName, options: PodLogOptions & CallOptions = {}): Promise<string> {
    return this.#transport.text({
      ...buildPodLogCall(pod, options, { follow: false }),
      ...pickCallOptions(options),
    });
  }

  async *followPodLog(
    pod: ObjectName,
    options: PodLogOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const { chunks } = await this.#transport.open(buildPodLogCall(pod, options, { follow: true }));
    for await (const line of splitLines(chunks)) yield line.replace(/\n$/, '');
  }

  #openWatch(kind: Kind, options: WatchOptions): Promise<Stream> {
    const { metadataOnly, namespace, signal, onUnreadable: _, ...query } = options;
    const accept = metadataOnly ? buildMetadataAccept('PartialObjectMetadata') : undefined;
    return this.#transport.open({
      method: 'GET',
      path: buildCollectionPath(kind, namespace, 'many'),
      resource: formatResource(kind),
      query: { ...query, watch: true, allowWatchBookmarks: true },
      accept,
      priority: 'list',
      signal,
    });
  }

  #write<K extends Kind>(kind: K, call: Call, options: WriteOptions): Promise<Live<K>> {
    const { dryRun, fieldValidation = 'Strict', fieldManager = this.#fieldManager } = options;
    const parameters = { dryRun: dryRun ? 'All' : undefined, fieldValidation, fieldManager };
    const query = { ...call.query, ...parameters };
    const resource = formatResource(kind, options.subresource);
    return this.#requestObject(kind, { ...call, resource, query, ...pickCallOptions(options) });
  }

  async #requestObject<K extends Kind>(kind: K, call: Call): Promise<Live<K>> {
    return parseObject(kind, await this.#transport.call(call), `${call.method} ${call.path}`);
  }
}

function pickCallOptions(
  { signal, timeout, isUrgent, permit }: CallOptions,
  priority: 'call' | 'list' = 'call',
): Pick<Call, 'signal' | 'timeout' | 'priority' | 'permit'> {
  return { signal, timeout, priority: isUrgent ? 'lease' : priority, permit };
}

/** `pods`, `deployments.apps/scale`. */
function formatResource(kind: Kind, subresource = kind.part?.subresource): string {
  return subresource === undefined ? resourceOf(kind) : `${resourceOf(kind)}/${subresource}`;
}

function requireName({ metadata: { name, namespace } }: Written): ObjectName {
  if (name === undefined) throw new Error('metadata.name must be set');
  return { name, namespace };
}

/** @throws {Error} if the object's apiVersion or kind is another one */
function buildBody<K extends Kind>(kind: K, object: Written<K>): object {
  const apiVersion = apiVersionOf(kind);
  const own = { apiVersion, kind: kind.kind };
  const declared = { apiVersion: object.apiVersion ?? apiVersion, kind: object.kind ?? kind.kind };
  if (declared.apiVersion !== own.apiVersion || declared.kind !== own.kind) {
    const expected = `${own.apiVersion} ${own.kind}`;
    throw new Error(
      `the object must be of ${expected}, got ${declared.apiVersion} ${declared.kind}`,
    );
  }
  return { ...object, ...own };
}

function buildDeleteOptions(options: DeleteOptions): object {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  return omitUndefined({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    dryRun: dryRun ? ['All'] : undefined,
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
  });
}

/** Requests only apiVersion, kind and metadata of each object (meta/v1, PartialObjectMetadata). */
function buildMetadataAccept(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}
