import type { Call, Query } from '@tenantry/runtime/connection/call';
import { connectionTo, type Connection } from '@tenantry/runtime/connection/connection';
import { Transport } from '@tenantry/runtime/connection/transport';
import type { Credentials } from './credentials.ts';
import {
  toReference,
  type Body,
  type KindReference,
  type ObjectReference,
  type Reply,
} from './objects.ts';

interface WriteOptions {
  /** 'status', 'scale', 'finalize', ... */
  readonly subresource?: string;
  /** Whether the API server does everything except storing the object. */
  readonly dryRun?: boolean;
  /** @default - the API server's default: a field that the kind does not have is a warning */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly fieldManager?: string;
}

interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Whether to take fields that others own. */
  readonly force?: boolean;
}

interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

interface DeleteOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Body;
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** Milliseconds until the head of an answer, on a machine that is busy with many tests. */
const timeout = 60_000;

/**
 * A client of an API server as one user, for tests. Every answer is returned with its status, also a
 * refusal; only a missing answer is an error. It retries no refusal and caches no object. Kinds and
 * objects are named as in YAML. It uses the runtime's transport.
 */
export class Client {
  readonly credentials: Credentials;
  /** The connection for the runtime. */
  readonly connection: Connection;
  readonly #transport: Transport;
  readonly #discovery: Discovery;

  constructor(credentials: Credentials) {
    this.credentials = credentials;
    this.connection = connectionTo(credentials);
    this.#transport = new Transport(this.connection, { qps: Infinity, userAgent: 'test' });
    this.#discovery = new Discovery((path) => this.request({ method: 'GET', path }));
  }

  /** Requests any path of the API server: `/readyz`, `/openapi/v3?timeout=5s`, ... */
  async request({ path, query, ...call }: Call): Promise<Reply> {
    const { pathname, searchParams } = new URL(path, this.credentials.server);
    const answer = await this.#transport.openAnyStatus({
      timeout,
      ...call,
      path: pathname,
      query: { ...Object.fromEntries(searchParams), ...query },
    });
    let text = '';
    for await (const chunk of answer.chunks) text += chunk;
    const { status, contentType, warnings } = answer;
    const body = contentType.includes('json') ? (JSON.parse(text) as Body) : { message: text };
    return { status, body, warnings };
  }

  get(reference: ObjectReference, subresource?: string): Promise<Reply> {
    return this.#at(reference, { method: 'GET' }, reference.name, subresource);
  }

  list(kind: KindReference, options: ListOptions = {}): Promise<Reply> {
    return this.#at(kind, { method: 'GET', query: { ...options } });
  }

  /** Creates an object. `metadata.generateName` can replace the name; a subresource needs the name. */
  create(object: Body, options: WriteOptions = {}): Promise<Reply> {
    const call = { method: 'POST', body: object, query: buildQuery(options) } as const;
    const name = options.subresource === undefined ? undefined : toReference(object).name;
    return this.#at(toKindReference(object), call, name, options.subresource);
  }

  replace(object: Body, options: WriteOptions = {}): Promise<Reply> {
    const call = { method: 'PUT', body: object, query: buildQuery(options) } as const;
    return this.#at(toKindReference(object), call, toReference(object).name, options.subresource);
  }

  /**
   * Replaces a subresource with a body of another kind, such as the `scale` of a Deployment. With
   * `method: 'POST'`, it creates an eviction, or the `token` of a ServiceAccount.
   */
  put(
    reference: ObjectReference,
    subresource: string,
    body: Body,
    options: WriteOptions & { readonly method?: 'PUT' | 'POST' } = {},
  ): Promise<Reply> {
    const call = { method: options.method ?? 'PUT', body, query: buildQuery(options) } as const;
    return this.#at(reference, call, reference.name, subresource);
  }

  patch(
    reference: ObjectReference,
    patch: unknown,
    options: WriteOptions & { readonly type?: keyof typeof patchTypes } = {},
  ): Promise<Reply> {
    const contentType = patchTypes[options.type ?? 'merge'];
    const call = { method: 'PATCH', body: patch, contentType, query: buildQuery(options) } as const;
    return this.#at(reference, call, reference.name, options.subresource);
  }

  /** Sends a server-side apply. */
  apply(object: Body, options: ApplyOptions): Promise<Reply> {
    const call = {
      method: 'PATCH',
      body: object,
      contentType: 'application/apply-patch+yaml',
      query: { ...buildQuery(options), force: options.force },
    } as const;
    return this.#at(toKindReference(object), call, toReference(object).name, options.subresource);
  }

  delete(reference: ObjectReference, options: DeleteOptions = {}): Promise<Reply> {
    const { dryRun, ...rest } = options;
    // The API server ignores the query if there is a body.
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...rest,
      ...(dryRun && { dryRun: ['All'] }),
    };
    return this.#at(reference, { method: 'DELETE', body }, reference.name);
  }

  /** Watches until the API server ends the watch, or until the signal aborts with an AbortError. */
  async *watch(
    kind: KindReference,
    options: ListOptions,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, undefined> {
    const { path, refusal } = await this.#discovery.findPath(kind);
    if (refusal) return yield { type: 'ERROR', object: refusal.body };
    const query = { ...options, watch: true };
    const { chunks } = await this.#transport.openAnyStatus({ method: 'GET', path, query, signal });
    let rest = '';
    for await (const chunk of chunks) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = JSON.parse(line) as WatchEvent | Body;
        yield 'object' in event ? (event as WatchEvent) : { type: 'ERROR', object: event as Body };
      }
    }
  }

  /** Closes idle connections at once and for good. They do not keep the process alive. */
  close(): void {
    this.#transport.close();
  }

  async #at(
    kind: KindReference,
    call: Omit<Call, 'path'>,
    name?: string,
    subresource?: string,
  ): Promise<Reply> {
    const { path, refusal } = await this.#discovery.findPath(kind);
    if (refusal) return refusal;
    const rest = [name, subresource].filter((part) => part !== undefined).map(encodeURIComponent);
    return this.request({ ...call, path: [path, ...rest].join('/') });
  }
}

function toKindReference({ apiVersion = '', kind = '', metadata }: Body): KindReference {
  return { apiVersion, kind, namespace: metadata?.namespace };
}

function buildQuery({ dryRun, fieldValidation, fieldManager }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined, fieldValidation, fieldManager };
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Get = (path: string) => Promise<Reply>;

/** The path of a kind's objects, or the error of the API server. */
type PathResult =
  | { readonly path: string; readonly refusal?: undefined }
  | { readonly refusal: Reply; readonly path?: undefined };

/** Finds the paths of kinds by the API server's discovery, and caches what it found. */
class Discovery {
  readonly #get: Get;
  readonly #found = new Map<string, Resource>();

  constructor(get: Get) {
    this.#get = get;
  }

  /**
   * Returns the path of a kind. A kind that is not served (yet) returns a refusal with status 404,
   * which is not cached.
   */
  async findPath({ apiVersion, kind, namespace }: KindReference): Promise<PathResult> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const key = `${apiVersion} ${kind}`;
    if (!this.#found.has(key)) {
      const reply = await this.#get(root);
      if (reply.status !== 200) return { refusal: reply };
      for (const resource of reply.body['resources'] as Resource[]) {
        if (resource.name.includes('/')) continue;
        this.#found.set(`${apiVersion} ${resource.kind}`, resource);
      }
    }
    const resource = this.#found.get(key);
    if (!resource) return { refusal: createNotServedReply(`${apiVersion} has no kind ${kind}`) };
    const inNamespace =
      resource.namespaced && namespace !== undefined
        ? `/namespaces/${encodeURIComponent(namespace)}`
        : '';
    return { path: `${root}${inNamespace}/${resource.name}` };
  }
}

function createNotServedReply(message: string): Reply {
  const body = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', message };
  return { status: 404, body, warnings: [] };
}

/**
 * Requests a token of the API server (TokenRequest) for an existing service account; it is valid for an
 * hour.
 */
export async function requestToken(
  admin: Client,
  namespace: string,
  name: string,
): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status, body } = await admin.put(account, 'token', request, { method: 'POST' });
  if (status !== 201) throw new Error(`no token for ${namespace}/${name}: ${body.message}`);
  return (body.status as { token: string }).token;
}
