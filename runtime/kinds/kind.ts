import type { ObjectMeta, WrittenMeta } from '../../kube/api/object-meta.ts';
import type { Scope } from '../../kube/builtin-kinds.ts';
import type { Immutable } from '../../kube/immutable.ts';

export type {
  ManagedFields,
  ObjectMeta,
  OwnerReference,
  WrittenMeta,
} from '../../kube/api/object-meta.ts';
export type { Immutable } from '../../kube/immutable.ts';

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

/** A value as it is sent: nothing of it can be assigned, and what need not be said may be undefined, which is not sent. */
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
