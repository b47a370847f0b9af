import type { Scope } from '../../kube/builtinkinds.ts';

/** Metadata as an API server gives it (meta/v1, ObjectMeta). */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Counts changes of the spec. Kinds without a generation have none. */
  readonly generation?: number;
  readonly creationTimestamp: string;
  /** Set when it is being deleted, and waits for its finalizers. */
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

/** An object that another one is deleted with (meta/v1, OwnerReference). */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** At most one owner is the controller. */
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Which fields a manager has written (meta/v1, ManagedFieldsEntry). */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
}

/** What can be said of an object's metadata when it is written; what is undefined is not said. */
export type WrittenMeta = { readonly [F in keyof ObjectMeta]?: ObjectMeta[F] | undefined };

/**
 * A kind as controllers name it: where its objects lie, and, by T, what they are. Ones of a
 * definition come from `kindOf`, Kubernetes' own are `core.Pod`, `apps.Deployment` and so on.
 */
export interface Kind<
  T extends object = object,
  Group extends string = string,
  Name extends string = string,
  In extends object = T,
> {
  /** '' is the core group. */
  readonly group: Group;
  readonly version: string;
  readonly kind: Name;
  /** The name in paths. */
  readonly plural: string;
  readonly scope: Scope;
  /**
   * The objects are subresources of those of the plural, with an apiVersion of their own: the scale of
   * a Deployment. They are read and written by name, and neither listed nor made.
   * @default - the objects are what the plural says
   */
  readonly part?: { readonly subresource: string; readonly apiVersion: string };
  /** Never there: it carries the type of the objects. */
  readonly '~object'?: T;
  /** Never there: the type of the objects as they are written, where what has a default may be absent. */
  readonly '~written'?: In;
}

/** What the objects of a kind are, as they are read: fields beside apiVersion, kind and metadata. */
export type FieldsOf<K extends Kind> = K extends { readonly '~object'?: infer T } ? T : never;

/** The same as they are written. */
export type WrittenFieldsOf<K extends Kind> = K extends { readonly '~written'?: infer In }
  ? In
  : never;

/** Nothing of it can be assigned, however deep. */
export type Immutable<T> = T extends string | ((...args: never) => unknown)
  ? T
  : T extends readonly (infer I)[]
    ? readonly Immutable<I>[]
    : T extends object
      ? { readonly [F in keyof T]: Immutable<T[F]> }
      : T;

/** The same as it is sent: what need not be said may be undefined, which is not sent. */
export type Sent<T> = T extends (...args: never) => unknown
  ? T
  : T extends readonly (infer I)[]
    ? readonly Sent<I>[]
    : T extends object
      ? {
          readonly [F in keyof T]: undefined extends T[F] ? Sent<T[F]> | undefined : Sent<T[F]>;
        }
      : T;

/** An object of a kind as the API server has it; who reads it does not change it. */
export type Live<K extends Kind = Kind> = Immutable<FieldsOf<K>> & {
  readonly apiVersion: string;
  readonly kind: K['kind'];
  readonly metadata: ObjectMeta;
};

/** An object of a kind as it is sent; apiVersion and kind are the kind's, and need not be said. */
export type Written<K extends Kind = Kind> = Sent<WrittenFieldsOf<K>> & {
  readonly apiVersion?: string;
  readonly kind?: K['kind'];
  readonly metadata: WrittenMeta;
};

/** Which object of a kind. */
export interface ObjectName {
  readonly name: string;
  /** Of kinds that lie in namespaces. */
  readonly namespace?: string | undefined;
}

/** `apps/v1`, and `v1` of the core group. */
export function apiVersionOf({ group, version, part }: Kind): string {
  if (part) return part.apiVersion;
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, and `pods` of the core group, as kubectl writes it. */
export function resourceOf({ group, plural }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/**
 * The object's name as logs and queues write it: `namespace/name`, or `name`.
 *
 * @example
 * ```ts
 * import { keyOf } from 'tenantry/runtime';
 *
 * console.log(keyOf({ name: 'web', namespace: 'shop' })); // shop/web
 * ```
 */
export function keyOf({ name, namespace }: ObjectName): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/**
 * What `keyOf` wrote. Names and namespaces have no `/`.
 *
 * @example
 * ```ts
 * import { nameOf } from 'tenantry/runtime';
 *
 * console.log(nameOf('shop/web')); // { namespace: 'shop', name: 'web' }
 * ```
 */
export function nameOf(key: string): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
