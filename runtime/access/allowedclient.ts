import type { Verb } from '../../kube/access.ts';
import type {
  ApplyOptions,
  CallOptions,
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
} from '../client/client.ts';
import type { Pod } from '../kinds/core.ts';
import type { FieldsOf, Live, ObjectName, Written } from '../kinds/kind.ts';
import type { Grant } from './grant.ts';

/** The kinds of grants that have the verb, of objects or of subresources. */
export type GrantedKinds<G, V extends Verb> =
  G extends Grant<infer K, infer Verbs, infer _> ? (V extends Verbs ? K : never) : never;

/** The kinds of grants that have the verb for the objects themselves. */
export type GrantedWholeKinds<G, V extends Verb> =
  G extends Grant<infer K, infer Verbs, infer S>
    ? V extends Verbs
      ? undefined extends S
        ? K
        : never
      : never
    : never;

/** The subresources of a kind for which a grant has the verb; undefined stands for the objects. */
export type GrantedParts<G, K, V extends Verb> =
  G extends Grant<infer Own, infer Verbs, infer S>
    ? V extends Verbs
      ? K extends Own
        ? S
        : never
      : never
    : never;

/** Options that may name granted subresources alone, and must where the objects are not granted. */
export type GrantedOptions<G, K, V extends Verb, Options> =
  undefined extends GrantedParts<G, K, V>
    ? [options?: Omit<Options, 'subresource'> & { readonly subresource?: GrantedParts<G, K, V> }]
    : [options: Omit<Options, 'subresource'> & { readonly subresource: GrantedParts<G, K, V> }];

/** The name of a pod, where logs of pods are granted. */
export type GrantedLog<G> = 'log' extends GrantedParts<G, typeof Pod, 'get'> ? ObjectName : never;

/**
 * A client whose calls compile where one of the grants allows them: by verb, kind and subresource.
 * Kinds differ for the compiler by group and kind, as far as their types say them; names and namespaces
 * are for `restricted` to see. `G` is the union of the grants; a `Client` is one of any.
 */
export interface AllowedClient<G extends Grant> {
  get<K extends GrantedKinds<G, 'get'>>(
    kind: K,
    name: ObjectName,
    ...options: GrantedOptions<G, K, 'get', ReadOptions>
  ): Promise<Live<K>>;
  list<K extends GrantedWholeKinds<G, 'list'>>(kind: K, options?: ListOptions): Promise<List<K>>;
  watch<K extends GrantedWholeKinds<G, 'watch'>>(
    kind: K,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<K>>;
  create<K extends GrantedKinds<G, 'create'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'create', WriteOptions>
  ): Promise<Live<K>>;
  update<K extends GrantedKinds<G, 'update'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'update', WriteOptions>
  ): Promise<Live<K>>;
  patch<K extends GrantedKinds<G, 'patch'>>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    ...options: GrantedOptions<G, K, 'patch', WriteOptions>
  ): Promise<Live<K>>;
  apply<K extends GrantedKinds<G, 'patch'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'patch', ApplyOptions>
  ): Promise<Live<K>>;
  delete<K extends GrantedWholeKinds<G, 'delete'>>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined>;
  deleteCollection(
    kind: GrantedWholeKinds<G, 'deletecollection'>,
    options: Selection & DeleteOptions,
  ): Promise<void>;
  podLog(pod: GrantedLog<G>, options?: PodLogOptions & CallOptions): Promise<string>;
  followPodLog(pod: GrantedLog<G>, options?: PodLogOptions): AsyncIterable<string>;
}
