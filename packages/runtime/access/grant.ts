import { checkAccessRule, type AccessRule, type Verb } from '@tenantry/kube/access';
import { resourceOf, type Kind } from '../kinds/kind.ts';

/**
 * A grant of verbs on a kind: an `AccessRule` that the compiler can read too. It is immutable data; each method returns
 * a narrower grant.
 *
 * @example
 * ```ts
 * import { allow, core, type Grant } from '@tenantry/runtime';
 *
 * const secrets: Grant = allow(core.Secret, 'get', 'list');
 * const one = secrets.named('registry').in('shop');
 * console.log(one.resourceNames, one.namespaces); // [ 'registry' ] [ 'shop' ]
 * console.log(secrets.resourceNames); // undefined
 * ```
 */
export class Grant<
  out K extends Kind = Kind,
  out V extends Verb = Verb,
  out S extends string | undefined = string | undefined,
> implements AccessRule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly V[];
  readonly resourceNames?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly #kind: K;
  /** Exists in the type only: it lets the compiler distinguish a subresource from the object. */
  declare readonly '~subresource'?: S;

  /** @throws {Error} if the rule grants nothing, or would grant more than it states */
  private constructor(kind: K, rule: AccessRule & { readonly verbs: readonly V[] }) {
    const { group, resource, verbs, resourceNames, namespaces } = checkAccessRule(rule);
    this.#kind = kind;
    this.group = group;
    this.resource = resource;
    this.verbs = verbs;
    if (resourceNames) this.resourceNames = resourceNames;
    if (namespaces) this.namespaces = namespaces;
    Object.freeze(this);
  }

  /** Grants access to all objects of a kind. */
  static of<K extends Kind, V extends Verb>(kind: K, verbs: readonly V[]): Grant<K, V, undefined> {
    const { group, plural, part } = kind;
    const resource = part ? `${plural}/${part.subresource}` : plural;
    return new Grant(kind, { group, resource, verbs });
  }

  get kind(): K {
    return this.#kind;
  }

  /**
   * Limits the grant to objects with these names. `list` and `watch` then work for one name at a time, by the field
   * selector `metadata.name`.
   * @throws {Error} if there is no name, or if RBAC cannot limit a verb to names: `deletecollection`, and `create`
   * except of a subresource
   */
  named(...names: readonly string[]): Grant<K, V, S> {
    return new Grant(this.#kind, { ...this, resourceNames: names });
  }

  /**
   * Limits the grant to these namespaces, by a Role in each.
   * @throws {Error} if there is no namespace, or the kind is not namespaced
   */
  in(...namespaces: readonly string[]): Grant<K, V, S> {
    if (this.#kind.scope === 'Cluster') {
      throw new Error(`${resourceOf(this.#kind)} are not namespaced, got ${namespaces.join(', ')}`);
    }
    return new Grant(this.#kind, { ...this, namespaces });
  }

  /** Limits the grant to a subresource, without the objects themselves: `status`, `scale`. */
  subresource<N extends string>(name: N): Grant<K, V, N> {
    return new Grant(this.#kind, { ...this, resource: `${this.#kind.plural}/${name}` });
  }
}

/**
 * Declares access to objects of a kind: to all of them, until a method narrows it. Server-side apply needs `patch`, and
 * `create` if the object may not exist yet. A projection cannot be granted: it is what caches keep of a kind, while the
 * API server returns whole objects.
 *
 * @example
 * ```ts
 * import { allow, core, kindOf } from '@tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * export const access = [
 *   allow(core.ConfigMap, 'get', 'update').named('settings').in('shop'),
 *   allow(kindOf(redis, 'v1'), 'patch').subresource('status'),
 * ];
 * console.log(access.map(({ resource }) => resource)); // [ 'configmaps', 'redises/status' ]
 * ```
 *
 * @throws {Error} if there is no verb
 */
export function allow<K extends Kind & { readonly project?: never }, const V extends Verb>(
  kind: K,
  ...verbs: readonly V[]
): Grant<K, V, undefined> {
  return Grant.of(kind, verbs);
}
