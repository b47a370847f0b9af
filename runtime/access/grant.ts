import { checkAccessRule, type AccessRule, type Verb } from '../../kube/access.ts';
import { resourceOf, type Kind } from '../kinds/kind.ts';

/**
 * What may be done with a kind: an `AccessRule` that the compiler can read too. It is data, and never
 * changed: each method gives a narrower one.
 *
 * @example
 * ```ts
 * import { allow, core, type Grant } from 'tenantry/runtime';
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
  /** Never there: by it the compiler tells a subresource from the object. */
  declare readonly '~subresource'?: S;

  /** @throws {Error} where the rule grants nothing, or would grant more than it says */
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

  /** The grant of all objects of a kind. */
  static of<K extends Kind, V extends Verb>(kind: K, verbs: readonly V[]): Grant<K, V, undefined> {
    const { group, plural, part } = kind;
    const resource = part ? `${plural}/${part.subresource}` : plural;
    return new Grant(kind, { group, resource, verbs });
  }

  get kind(): K {
    return this.#kind;
  }

  /**
   * Only objects of these names. `list` and `watch` are then of one name at a time, by the field
   * selector `metadata.name`.
   * @throws {Error} where there is no name, or RBAC cannot hold a verb to names: `deletecollection`,
   * and `create` but of a subresource
   */
  named(...names: readonly string[]): Grant<K, V, S> {
    return new Grant(this.#kind, { ...this, resourceNames: names });
  }

  /**
   * Only in these namespaces, by a Role in each.
   * @throws {Error} where there is no namespace, or the kind lies in none
   */
  in(...namespaces: readonly string[]): Grant<K, V, S> {
    if (this.#kind.scope === 'Cluster') {
      throw new Error(
        `${resourceOf(this.#kind)} lie in no namespace, got ${namespaces.join(', ')}`,
      );
    }
    return new Grant(this.#kind, { ...this, namespaces });
  }

  /** Of a subresource, and not of the objects themselves: `status`, `scale`. */
  subresource<N extends string>(name: N): Grant<K, V, N> {
    return new Grant(this.#kind, { ...this, resource: `${this.#kind.plural}/${name}` });
  }
}

/**
 * Declares that something may be done with objects of a kind: with all of them, as long as nothing
 * narrower is said. Server-side apply is `patch`, and `create` where the object may not be there yet.
 * A projection is no kind to be allowed, but what caches keep of one: the API server gives whole objects.
 *
 * @example
 * ```ts
 * import { allow, core, kindOf } from 'tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * export const access = [
 *   allow(core.ConfigMap, 'get', 'update').named('settings').in('shop'),
 *   allow(kindOf(redis, 'v1'), 'patch').subresource('status'),
 * ];
 * console.log(access.map(({ resource }) => resource)); // [ 'configmaps', 'redises/status' ]
 * ```
 *
 * @throws {Error} where there is no verb
 */
export function allow<K extends Kind & { readonly project?: never }, const V extends Verb>(
  kind: K,
  ...verbs: readonly V[]
): Grant<K, V, undefined> {
  return Grant.of(kind, verbs);
}
