import type { TooDeep } from '../errors/client-errors.ts';
import type { FieldsOf, Kind, Live, ObjectMeta, ObjectName, Sent, Written } from '../kinds/kind.ts';

/** Options of every call but a watch. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the call fails as `Unreachable`. @default - 30,000; none for a watch */
  readonly timeout?: number | undefined;
  /**
   * Sends the call without waiting for other calls or the rate limit. Only for the renewal of a lease.
   * @default false
   */
  readonly isUrgent?: boolean | undefined;
  /**
   * Called each time the call is about to be sent, retries included, after all waiting. If it throws, the call rejects
   * with the error.
   */
  readonly permit?: (() => void) | undefined;
}

/** Options of a get. */
export interface ReadOptions extends CallOptions {
  /** 'status', 'scale'. @default - the object itself */
  readonly subresource?: string | undefined;
}

/** Options of all writes of an object. */
export interface WriteOptions extends CallOptions {
  /** 'status', 'scale', 'ephemeralcontainers'. @default - the object itself */
  readonly subresource?: string | undefined;
  /** Processes the request without storing the result. @default false */
  readonly dryRun?: boolean | undefined;
  /** @default Strict */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** @default - the name of the client */
  readonly fieldManager?: string | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /**
   * Takes over fields that other field managers own. Otherwise an apply that would change such a field rejects with an
   * `ApiError` whose `isFieldConflict` is true.
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Deletes only the object with this uid, or only this state of it. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** Selects objects. */
export interface Selection {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** In the syntax of kubectl: `app=shop,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** `metadata.name=shop`, `spec.nodeName=a`. */
  readonly fieldSelector?: string | undefined;
}

/** Options of a list, which is requested in pages. */
export interface ListOptions extends Selection, CallOptions {
  /** Objects per page. @default 500 */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact' | undefined;
  /** Requests only apiVersion, kind and metadata of each object (PartialObjectMetadata). @default false */
  readonly metadataOnly?: boolean | undefined;
  /** Called with objects that are nested too deep, which the list then omits. @default - it rejects with `TooDeep` */
  readonly onUnreadable?: ((object: UnreadableObject) => void) | undefined;
}

/** An object of which only the metadata was read, because it is nested too deep. */
export interface UnreadableObject {
  /** Without managedFields. */
  readonly metadata: ObjectMeta;
  readonly error: TooDeep;
}

/** One page of a list. */
export interface List<K extends Kind> {
  readonly items: readonly Live<K>[];
  readonly resourceVersion: string;
  /** The token of the next page; absent on the last. */
  readonly continue?: string | undefined;
}

/** Options of a watch. */
export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** Watches changes after this state. @default - the newest state, with every object as ADDED first */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  /** WatchList: sends every object as ADDED, then a bookmark with the annotation k8s.io/initial-events-end. */
  readonly sendInitialEvents?: boolean | undefined;
  /** Seconds after which the server ends the watch. @default - the server's: 30 to 60 minutes */
  readonly timeoutSeconds?: number | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** Called with objects that are nested too deep, instead of yielding them. @default - it rejects with `TooDeep` */
  readonly onUnreadable?: ((object: UnreadableObject) => void) | undefined;
}

/** Options of a pod's log (core/v1, PodLogOptions). */
export interface PodLogOptions {
  /** Aborts the call or the reading, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Required for a pod with several containers. @default - the only one */
  readonly container?: string | undefined;
  /** Reads the log of the previous, terminated container. @default false */
  readonly previous?: boolean | undefined;
  /** The number of lines at the end of the log. @default - all that the kubelet has */
  readonly tailLines?: number | undefined;
  /** Only what was written in the last so many seconds. @default - all */
  readonly sinceSeconds?: number | undefined;
  /** Only what was written since this time. @default - all */
  readonly sinceTime?: Date | undefined;
  /** The most bytes; the last line may be cut. @default - all */
  readonly limitBytes?: number | undefined;
  /** Each line begins with its time (RFC 3339) and a space. @default false */
  readonly timestamps?: boolean | undefined;
}

/** An event of a watch. An `ERROR` event of the server is thrown as an `ApiError`. */
export type WatchEvent<K extends Kind> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Live<K> }
  | {
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
      /** All objects that existed at the start have been delivered (WatchList). */
      readonly isInitialEventsEnd: boolean;
    };

/** The calls that informers need: list and watch. */
export interface Reader {
  list<K extends Kind>(kind: K, options?: ListOptions): Promise<List<K>>;
  /**
   * Watches a kind. Ends when the server ends the watch; rejects if the connection breaks, the server sends ERROR or an
   * event is malformed.
   */
  watch<K extends Kind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<K>>;
}

/**
 * The API of a cluster, typed by kinds. Every method rejects with an `ApiError` if the server refused the call, and
 * with `Unreachable` if there was no answer.
 */
export interface Client extends Reader {
  get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Promise<Live<K>>;
  /** Creates an object. `metadata.generateName` may replace the name. */
  create<K extends Kind>(kind: K, object: Written<K>, options?: WriteOptions): Promise<Live<K>>;
  /** Replaces an object. With a resourceVersion in its metadata, only that state of it. */
  update<K extends Kind>(kind: K, object: Written<K>, options?: WriteOptions): Promise<Live<K>>;
  /** Applies a JSON merge patch (RFC 7386): null removes a field, a list is replaced as a whole. */
  patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>>;
  /**
   * Applies an object server-side. The fields in the object become the field manager's; others stay. Fields of other
   * managers are a conflict, unless `force` takes them over. In a controller, an object with an owner is also a
   * conflict if the cache has an object of this name that the owner does not control.
   */
  apply<K extends Kind>(kind: K, object: Written<K>, options?: ApplyOptions): Promise<Live<K>>;
  /** Deletes an object. Returns it if it waits for its finalizers or its grace period; undefined if it is gone. */
  delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined>;
  deleteCollection(kind: Kind, selection: Selection & DeleteOptions): Promise<void>;
  /** Returns the current log of a container. Requires the access `allow(core.Pod, 'get').subresource('log')`. */
  podLog(pod: ObjectName, options?: PodLogOptions & CallOptions): Promise<string>;
  /**
   * Yields the lines of a container's log as they are written, without line breaks. Ends with the container. Rejects if
   * the connection breaks, and does not reconnect.
   */
  followPodLog(pod: ObjectName, options?: PodLogOptions): AsyncIterable<string>;
}

/**
 * A JSON merge patch (RFC 7386) of an object: any part of it, with null for fields to remove. Undefined fields are
 * omitted.
 */
export type MergePatch<T> = {
  readonly [F in keyof T]?:
    | (T[F] extends readonly unknown[] | undefined
        ? Sent<T[F]>
        : T[F] extends object | undefined
          ? MergePatch<NonNullable<T[F]>>
          : T[F])
    | null
    | undefined;
} & { readonly metadata?: object };

/**
 * Yields all pages of a list, each requested once the previous one has been used. All pages show the state of the first
 * one. Rejects with an `ApiError` that `isExpired` if that state is too old; then list again.
 */
export async function* listPages<K extends Kind>(
  reader: Reader,
  kind: K,
  options: Omit<ListOptions, 'continue'> = {},
): AsyncGenerator<List<K>, void, undefined> {
  let page = await reader.list(kind, options);
  yield page;
  while (page.continue !== undefined) {
    // A next page continues the state of the first one, so it takes no resourceVersion.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
    page = await reader.list(kind, { ...rest, continue: page.continue });
    yield page;
  }
}
