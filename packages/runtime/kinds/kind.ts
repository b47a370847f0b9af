import type { ObjectMeta, WrittenMeta } from '@tenantry/kube/api/object-meta';
import type { Scope } from '@tenantry/kube/builtin-kinds';
import type { Immutable } from '@tenantry/kube/immutable';
import { getVersion, type Definition, type Schemas } from '@tenantry/crd/definition';
import type { Input, Static } from '@tenantry/crd/schema/language';

export type {
  ManagedFields,
  ObjectMeta,
  OwnerReference,
  WrittenMeta,
} from '@tenantry/kube/api/object-meta';
export type { Immutable } from '@tenantry/kube/immutable';

/**
 * A kind as controllers use it: the resource of its objects and, in T, their type. Kinds of a definition come from
 * `kindOf`; built-in ones are `core.Pod`, `apps.Deployment` and so on.
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
   * Set if the objects are subresources of those of the plural, with an apiVersion of their own, such as the scale of a
   * Deployment. They are read and written by name, but neither listed nor created.
   * @default - the objects are those of the plural
   */
  readonly part?: { readonly subresource: string; readonly apiVersion: string };
  /** Exists in the type only: the type of the objects. */
  readonly '~object'?: T;
  /** Exists in the type only: the type of the written objects, in which fields with a default may be absent. */
  readonly '~written'?: In;
}

/** The fields of a kind's objects as they are read, except apiVersion, kind and metadata. */
export type FieldsOf<K extends Kind> = K extends { readonly '~object'?: infer T } ? T : never;

/** The fields of a kind's objects as they are written. */
export type WrittenFieldsOf<K extends Kind> = K extends { readonly '~written'?: infer In }
  ? In
  : never;

/** The type of a value to send: it is immutable, and optional fields may be undefined, which omits them. */
export type Sent<T> = T extends (...args: never) => unknown
  ? T
  : T extends readonly (infer I)[]
    ? readonly Sent<I>[]
    : T extends object
      ? {
          readonly [F in keyof T]: undefined extends T[F] ? Sent<T[F]> | undefined : Sent<T[F]>;
        }
      : T;

/** An object of a kind as the API server returns it. It is immutable. */
export type Live<K extends Kind = Kind> = Immutable<FieldsOf<K>> & {
  readonly apiVersion: string;
  readonly kind: K['kind'];
  readonly metadata: ObjectMeta;
};

/** An object of a kind to write; apiVersion and kind default to the kind's. */
export type Written<K extends Kind = Kind> = Sent<WrittenFieldsOf<K>> & {
  readonly apiVersion?: string;
  readonly kind?: K['kind'];
  readonly metadata: WrittenMeta;
};

/** The name of an object of a kind. */
export interface ObjectName {
  readonly name: string;
  /** The namespace, for namespaced kinds. */
  readonly namespace?: string | undefined;
}

/** Returns `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version, part }: Kind): string {
  if (part) return part.apiVersion;
  return group === '' ? version : `${group}/${version}`;
}

/** Returns `deployments.apps`, or `pods` for the core group, as kubectl prints it. */
export function resourceOf({ group, plural }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/**
 * Returns the object's name as logs and queues contain it: `namespace/name`, or `name`.
 *
 * @example
 * ```ts
 * import { keyOf } from '@tenantry/runtime';
 *
 * console.log(keyOf({ name: 'web', namespace: 'shop' })); // shop/web
 * ```
 */
export function keyOf({ name, namespace }: ObjectName): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/**
 * Parses a key of `keyOf`. Names and namespaces contain no `/`.
 *
 * @example
 * ```ts
 * import { parseKey } from '@tenantry/runtime';
 *
 * console.log(parseKey('shop/web')); // { namespace: 'shop', name: 'web' }
 * ```
 */
export function parseKey(key: string): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The fields of an object except those that all kinds have. */
export type OwnFields<T> = {
  readonly [F in keyof T as Exclude<F, 'apiVersion' | 'kind' | 'metadata'>]: T[F];
};

/**
 * Returns the kind of one version of a definition. Objects that are read have the defaults of the schema; written ones
 * may omit them.
 *
 * @example
 * ```ts
 * import { kindOf, type Client, type Live } from '@tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * const redises = kindOf(redis, 'v1');
 * console.log(redises.group, redises.plural); // cache.example.com redises
 *
 * export async function imageOf(client: Client, name: string): Promise<string> {
 *   const sessions: Live<typeof redises> = await client.get(redises, { namespace: 'shop', name });
 *   return sessions.spec.image;
 * }
 * ```
 *
 * @throws {Error} if the definition has no such version, which the compiler cannot check for a definition from YAML
 */
export function kindOf<
  S extends Schemas,
  N extends keyof S & string,
  Group extends string,
  Name extends string,
>(
  definition: Definition<S, Group, Name>,
  version: N,
): Kind<OwnFields<Static<S[N]>>, Group, Name, OwnFields<Input<S[N]>>> {
  const { group, kind, plural, scope } = definition;
  return { group, version: getVersion(definition, version).name, kind, plural, scope };
}

/** The desired and the actual number of an object's replicas (autoscaling/v1, Scale). */
export interface Scale {
  readonly spec?: {
    /** The desired number. */
    readonly replicas?: number;
  };
  readonly status?: {
    /** The actual number. */
    readonly replicas: number;
    /** The labels of its pods, as a selector in text. */
    readonly selector?: string;
  };
}

/**
 * Returns the kind of the scales of a kind's objects. All scalable kinds have the same one.
 *
 * @example
 * ```ts
 * import { apps, scaleOf, type Client, type ObjectName } from '@tenantry/runtime';
 *
 * export async function stop(client: Client, name: ObjectName): Promise<void> {
 *   await client.patch(scaleOf(apps.Deployment), name, { spec: { replicas: 0 } });
 * }
 * ```
 */
export function scaleOf<Group extends string>({
  group,
  version,
  plural,
  scope,
}: Kind<object, Group>): Kind<Scale, Group, 'Scale'> {
  const part = { subresource: 'scale', apiVersion: 'autoscaling/v1' };
  return { group, version, kind: 'Scale', plural, scope, part };
}

/** A kind of whose objects a part is kept, in addition to apiVersion, kind and metadata. */
export type ProjectionOf<K extends Kind, Kept extends object> = Kind<
  Kept,
  K['group'],
  K['kind']
> & {
  /** Returns what caches keep of an object. Always the same function, so that all users of the kind share a cache. */
  readonly project: (object: Live) => Live;
};

/**
 * Returns a kind of whose objects controllers keep only metadata and what `keep` picks, such as the phase of a Pod. The
 * server still sends whole objects, and `keep` is called for each; it must be pure. All controllers of a manager that
 * watch the kind must use one projection, so create it once.
 *
 * @example
 * ```ts
 * import { controller, core, done, projectionOf } from '@tenantry/runtime';
 *
 * const pods = projectionOf(core.Pod, ({ spec }) => ({ node: spec?.nodeName ?? '' }));
 *
 * // Logs how many pods a node has, without keeping their containers in memory.
 * export const crowds = controller({
 *   name: 'crowds',
 *   for: core.Node,
 *   watches: [{ kind: pods, map: ({ node }) => (node === '' ? [] : [{ name: node }]) }],
 *   reconcile: async ({ cache, object, log }) => {
 *     const here = cache.list(pods).filter(({ node }) => node === object.metadata.name);
 *     log.info('the pods of a node', { count: here.length });
 *     return done;
 *   },
 * });
 * ```
 */
export function projectionOf<K extends Kind, Kept extends object>(
  kind: K,
  keep: (object: Live<K>) => Kept,
): ProjectionOf<K, Kept> {
  const { group, version, plural, scope } = kind;
  const project = (object: Live): Live => {
    const { apiVersion, kind, metadata } = object;
    return { ...keep(object as Live<K>), apiVersion, kind, metadata };
  };
  return { group, version, kind: kind.kind, plural, scope, project };
}

/** Returns what is kept of the objects of a kind; undefined for whole objects. */
export function findProjection(kind: Kind): ((object: Live) => Live) | undefined {
  return 'project' in kind ? (kind as ProjectionOf<Kind, object>).project : undefined;
}

/** A kind of which only apiVersion, kind and metadata are read. */
export type MetadataOf<K extends Kind> = Kind<object, K['group'], K['kind']> & {
  readonly metadataOnly: true;
};

/**
 * Returns a kind whose objects are watched without their content, which saves traffic and memory. Nothing of their
 * spec, data or status is kept. Listing and watching still need the access to whole objects.
 *
 * @example
 * ```ts
 * import { controller, core, done, metadataOf } from '@tenantry/runtime';
 *
 * const secrets = metadataOf(core.Secret);
 *
 * // Reconciles a namespace when one of its Secrets is added, changed or deleted.
 * export const registries = controller({
 *   name: 'registries',
 *   for: core.Namespace,
 *   watches: [
 *     {
 *       kind: secrets,
 *       map: ({ metadata: { namespace } }) => (namespace === undefined ? [] : [{ name: namespace }]),
 *     },
 *   ],
 *   reconcile: async ({ cache, object, log }) => {
 *     const found = cache.list(secrets, { namespace: object.metadata.name });
 *     log.info('the Secrets of a namespace', { count: found.length });
 *     return done;
 *   },
 * });
 * ```
 */
export function metadataOf<K extends Kind>(kind: K): MetadataOf<K> {
  const { group, version, plural, scope } = kind;
  return { group, version, kind: kind.kind, plural, scope, metadataOnly: true };
}

export function isMetadataOnly(kind: Kind): boolean {
  return 'metadataOnly' in kind;
}
