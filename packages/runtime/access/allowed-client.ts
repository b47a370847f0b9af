import type { Verb } from '@tenantry/kube/access';
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
import type { FieldsOf, Kind, Live, ObjectName, Written } from '../kinds/kind.ts';
import type { Grant } from './grant.ts';

/** The kinds of the grants that have the verb, for objects or for subresources. */
export type GrantedKinds<G, V extends Verb> =
  G extends Grant<infer K, infer Verbs, infer _> ? (V extends Verbs ? K : never) : never;

/** The kinds of the grants that have the verb for the objects themselves. */
export type GrantedWholeKinds<G, V extends Verb> =
  G extends Grant<infer K, infer Verbs, infer S>
    ? V extends Verbs
      ? undefined extends S
        ? K
        : never
      : never
    : never;

/** The subresources of a kind for which a grant has the verb; undefined means the object itself. */
export type GrantedParts<G, K, V extends Verb> =
  G extends Grant<infer Own, infer Verbs, infer S>
    ? V extends Verbs
      ? K extends Own
        ? S
        : never
      : never
    : never;

/** A type that no argument of a call has. The compiler error shows `Line`: the grant that `access` needs. */
export interface Undeclared<Line extends string> {
  readonly '~declare': Line;
}

/** Options that may name granted subresources only, and must name one if the object itself is not granted. */
export type GrantedOptions<G, K, V extends Verb, Options> =
  K extends Undeclared<string>
    ? [options?: Options]
    : undefined extends GrantedParts<G, K, V>
      ? [options?: Omit<Options, 'subresource'> & { readonly subresource?: GrantedParts<G, K, V> }]
      : [options: Omit<Options, 'subresource'> & { readonly subresource: GrantedParts<G, K, V> }];

/** The granted kinds, or if there are none, the grant that the verb needs. */
export type DeclaredKinds<K extends Kind, V extends Verb> = [K] extends [never]
  ? Kind<never, never, never> & Undeclared<`access must have allow(kind, '${V}')`>
  : K;

/** The name of a pod, if logs of pods are granted. */
export type GrantedLog<G> =
  'log' extends GrantedParts<G, typeof Pod, 'get'>
    ? ObjectName
    : ObjectName & Undeclared<"access must have allow(core.Pod, 'get').subresource('log')">;

/**
 * A client whose calls compile only if one of the grants allows them, by verb, kind and subresource. The compiler
 * distinguishes kinds by group and kind, as far as their types contain them. `restricted` checks names and namespaces.
 * `G` is the union of the grants; a `Client` is the client of any grant.
 */
export interface AllowedClient<G extends Grant> {
  get<K extends DeclaredKinds<GrantedKinds<G, 'get'>, 'get'>>(
    kind: K,
    name: ObjectName,
    ...options: GrantedOptions<G, K, 'get', ReadOptions>
  ): Promise<Live<K>>;
  list<K extends DeclaredKinds<GrantedWholeKinds<G, 'list'>, 'list'>>(
    kind: K,
    options?: ListOptions,
  ): Promise<List<K>>;
  watch<K extends DeclaredKinds<GrantedWholeKinds<G, 'watch'>, 'watch'>>(
    kind: K,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<K>>;
  create<K extends DeclaredKinds<GrantedKinds<G, 'create'>, 'create'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'create', WriteOptions>
  ): Promise<Live<K>>;
  update<K extends DeclaredKinds<GrantedKinds<G, 'update'>, 'update'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'update', WriteOptions>
  ): Promise<Live<K>>;
  patch<K extends DeclaredKinds<GrantedKinds<G, 'patch'>, 'patch'>>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    ...options: GrantedOptions<G, K, 'patch', WriteOptions>
  ): Promise<Live<K>>;
  apply<K extends DeclaredKinds<GrantedKinds<G, 'patch'>, 'patch'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'patch', ApplyOptions>
  ): Promise<Live<K>>;
  delete<K extends DeclaredKinds<GrantedWholeKinds<G, 'delete'>, 'delete'>>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined>;
  deleteCollection(
    kind: DeclaredKinds<GrantedWholeKinds<G, 'deletecollection'>, 'deletecollection'>,
    options: Selection & DeleteOptions,
  ): Promise<void>;
  podLog(pod: GrantedLog<G>, options?: PodLogOptions & CallOptions): Promise<string>;
  followPodLog(pod: GrantedLog<G>, options?: PodLogOptions): AsyncIterable<string>;
}
