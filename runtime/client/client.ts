import type { TooDeep } from '../errors/too-deep.ts';
import type { FieldsOf, Kind, Live, ObjectMeta, ObjectName, Sent, Written } from '../kinds/kind.ts';

/** Of every call but a watch. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until it is given up as `Unreachable`. @default - 30,000; none of a watch */
  readonly timeout?: number | undefined;
  /**
   * It waits for no other call, whatever the limit of the rate: for the renewal of a lease, and
   * nothing else.
   * @default false
   */
  readonly isUrgent?: boolean | undefined;
  /**
   * Asked at the moment at which the call is sent, and each time that it is sent again, whatever it
   * waited for before. What it throws ends the call.
   */
  readonly permit?: (() => void) | undefined;
}

/** Of a get. */
export interface ReadOptions extends CallOptions {
  /** 'status', 'scale'. @default - the object itself */
  readonly subresource?: string | undefined;
}

/** Of whatever writes an object. */
export interface WriteOptions extends CallOptions {
  /** 'status', 'scale', 'ephemeralcontainers'. @default - the object itself */
  readonly subresource?: string | undefined;
  /** Everything but the storing. @default false */
  readonly dryRun?: boolean | undefined;
  /** @default Strict */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** @default - the name of the client */
  readonly fieldManager?: string | undefined;
}

/** Of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /**
   * Takes over fields that other field managers own. Without, an apply that would change one is refused with an
   * `ApiError`, of which `isFieldConflict` is true. @default false
   */
  readonly force?: boolean | undefined;
}

/** Of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Deletes only this very object, or only this state of it. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** Which objects. */
export interface Selection {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** As kubectl writes it: `app=shop,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** `metadata.name=shop`, `spec.nodeName=a`. */
  readonly fieldSelector?: string | undefined;
}

/** Of a list, which is asked for in pages. */
export interface ListOptions extends Selection, CallOptions {
  /** Objects a page. @default 500 */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact' | undefined;
  /** Only apiVersion, kind and metadata of each (PartialObjectMetadata). @default false */
  readonly metadataOnly?: boolean | undefined;
  /** Gets objects that are nested too deep, in place of the caller. @default - it rejects with `TooDeep` */
  readonly onUnreadable?: ((object: UnreadableObject) => void) | undefined;
}

/** An object of which only its metadata is read, since the rest is nested too deep. */
export interface UnreadableObject {
  /** Without managedFields. */
  readonly metadata: ObjectMeta;
  readonly error: TooDeep;
}

/** One page. */
export interface List<K extends Kind> {
  readonly items: readonly Live<K>[];
  readonly resourceVersion: string;
  /** Of the next page; absent on the last. */
  readonly continue?: string | undefined;
}

/** Of a watch. */
export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** From the state after this one on. @default - the newest, which starts with every object as ADDED */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  /** WatchList: every object as ADDED, then a bookmark with the annotation k8s.io/initial-events-end. */
  readonly sendInitialEvents?: boolean | undefined;
  /** Seconds after which the server ends it. @default - the server's: 30 to 60 minutes */
  readonly timeoutSeconds?: number | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** Gets objects that are nested too deep, in place of the caller. @default - it rejects with `TooDeep` */
  readonly onUnreadable?: ((object: UnreadableObject) => void) | undefined;
}

/** Of the log of a pod (core/v1, PodLogOptions). */
export interface PodLogOptions {
  /** Ends the call or the reading; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Of a pod with several it must be said. @default - the only one */
  readonly container?: string | undefined;
  /** That of the container before this one, which ended. @default false */
  readonly previous?: boolean | undefined;
  /** So many lines at its end. @default - all that the kubelet has */
  readonly tailLines?: number | undefined;
  /** What was written in so many seconds up to now. @default - all */
  readonly sinceSeconds?: number | undefined;
  /** What was written from then on. @default - all */
  readonly sinceTime?: Date | undefined;
  /** So many bytes at the most; the last line may be cut. @default - all */
  readonly limitBytes?: number | undefined;
  /** Each line begins with its time (RFC 3339) and a space. @default false */
  readonly timestamps?: boolean | undefined;
}

/** What a watch tells. An `ERROR` of the server is thrown, as an `ApiError`. */
export type WatchEvent<K extends Kind> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Live<K> }
  | {
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
      /** All objects that were there at the start have been told (WatchList). */
      readonly isInitialEventsEnd: boolean;
    };

/** What the reading part of the runtime asks: list and watch. */
export interface Reader {
  list<K extends Kind>(kind: K, options?: ListOptions): Promise<List<K>>;
  /**
   * Ends when the server ends it, rejects when the connection breaks or the server says ERROR, and
   * yields what is malformed never: that rejects too.
   */
  watch<K extends Kind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<K>>;
}

/**
 * The API of a cluster, typed by kinds. Every method rejects with an `ApiError` when the server
 * refused, with `Unreachable` when there was no answer.
 */
export interface Client extends Reader {
  get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Promise<Live<K>>;
  /** `metadata.generateName` does in place of a name. */
  create<K extends Kind>(kind: K, object: Written<K>, options?: WriteOptions): Promise<Live<K>>;
  /** Replaces. With a resourceVersion in metadata, only that state of it. */
  update<K extends Kind>(kind: K, object: Written<K>, options?: WriteOptions): Promise<Live<K>>;
  /** A JSON merge patch (RFC 7386): null removes a field, a list is replaced whole. */
  patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>>;
  /**
   * Server-side apply: the fields that are said are the field manager's, others stay. What others own is a conflict,
   * unless `force` takes it over. Of a controller, an object with its owner is a conflict too where the cache knows
   * one of this name that the owner does not control.
   */
  apply<K extends Kind>(kind: K, object: Written<K>, options?: ApplyOptions): Promise<Live<K>>;
  /**
   * The object, where it waits for its finalizers or for its grace period to end; undefined where it is
   * gone.
   */
  delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined>;
  deleteCollection(kind: Kind, selection: Selection & DeleteOptions): Promise<void>;
  /** The log of a container as it is now, for which access is `allow(core.Pod, 'get').subresource('log')`. */
  podLog(pod: ObjectName, options?: PodLogOptions & CallOptions): Promise<string>;
  /**
   * The lines of the log of a container, without their breaks, as they are written. Ends with the container;
   * rejects when the connection breaks, and does not go on by itself.
   */
  followPodLog(pod: ObjectName, options?: PodLogOptions): AsyncIterable<string>;
}

/**
 * What a JSON merge patch (RFC 7386) may say of an object: any part of it, and null for what is to go.
 * What is undefined is not said.
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
