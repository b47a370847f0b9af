import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Live } from '@tenantry/runtime/kinds/kind';
import {
  limitRanges,
  namespaces,
  networkPolicies,
  observedKinds,
  quotas,
  roleBindings,
  roles,
  serviceAccounts,
  type Kept,
  type ObservedKind,
} from './kinds.ts';
import { findOtherKind, type OtherKind } from './other-kinds.ts';
import { isLongOutage } from './unobserved.ts';

/**
 * Why an object is not compared. `NotNamed`: the platform does not list its kind among the compared kinds. `NotRead`:
 * the kind is not installed or may not be read, or the object itself cannot be read.
 */
type NotComparedReason = 'NotNamed' | 'NotRead';

/** An object of a tenant, as kept in memory. */
export type KeptLive = Live & Kept;

const kinds = new Map(observedKinds.map((one) => [`${one.group}/${one.kind}`, one]));

/** Returns the kind of an object if tenants' objects of that kind are compared. */
export function findObservedKind({ apiVersion, kind }: KubeObject): ObservedKind | undefined {
  return kinds.get(`${groupOf(apiVersion)}/${kind}`);
}

const tenantOf = ({ metadata }: Live): readonly string[] => {
  const tenant = metadata.labels?.[TENANT_LABEL];
  return tenant === undefined ? [] : [tenant];
};
/** An index by namespace. One shared function, because the cache keeps one index per function. */
export const namespaceOf = ({ metadata }: Live): readonly string[] =>
  metadata.namespace === undefined ? [] : [metadata.namespace];

/** The objects of tenants in the cluster, read from memory. */
export class TenantObjects {
  readonly #cache: CacheView<ObservedKind | OtherKind>;
  readonly #others: readonly OtherKind[];

  /** @param others kinds of `resources` that are compared */
  constructor(cache: CacheView<ObservedKind | OtherKind>, others: readonly OtherKind[] = []) {
    this.#cache = cache;
    this.#others = others;
  }

  /** Returns whether objects of a kind among a tenant's `resources` can be compared, or why not. */
  assessComparability(object: KubeObject): 'compared' | NotComparedReason {
    const kind = findOtherKind(object, this.#others);
    if (!kind) return 'NotNamed';
    const isRead = this.#cache.isRead(kind) && !isLongOutage(this.#cache.outageOf(kind));
    return isRead ? 'compared' : 'NotRead';
  }

  /** Whether the kind and the object itself can be read. Always true for kinds of `resources`. */
  isRead(object: KubeObject): boolean {
    const kind = findObservedKind(object);
    if (kind === undefined) return true;
    if (!this.#cache.isRead(kind)) return false;
    const { name, namespace } = object.metadata;
    return !this.#cache
      .unreadableOf(kind)
      .some(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  }

  /** Returns the live object with the kind and name of a declared one. */
  find(declared: KubeObject): KeptLive | undefined {
    const kind = findObservedKind(declared) ?? findOtherKind(declared, this.#others);
    const { name, namespace } = declared.metadata;
    return (
      kind &&
      (this.#cache.get<ObservedKind | OtherKind>(kind, { name, namespace }) as KeptLive | undefined)
    );
  }

  /** Returns the tenant in the namespace's label; undefined if the namespace has none or does not exist. */
  tenantOf(namespace: string): string | undefined {
    return this.#cache.get(namespaces, { name: namespace })?.metadata.labels?.[TENANT_LABEL];
  }

  /** Returns the namespaces that carry the tenant's label. */
  namespacesOf(tenant: string): readonly string[] {
    return this.#by(namespaces, tenantOf, tenant).map(({ metadata: { name } }) => name);
  }

  /**
   * Returns the objects that carry the label of a tenant: Namespaces, and objects in the tenant's own namespaces.
   * Labels elsewhere are ignored: anyone who may write there can set any label, and the tenant must not hear of it.
   * @param declared namespaces that belong to the tenant even without its label
   */
  labelled(tenant: string, declared: readonly string[]): readonly KeptLive[] {
    const isOwn = (namespace: string): boolean =>
      declared.includes(namespace) || this.tenantOf(namespace) === tenant;
    return [...observedKinds, ...this.#others]
      .flatMap((kind) => this.#by(kind, tenantOf, tenant))
      .filter((one) => !('isOwned' in one))
      .filter(({ metadata: { namespace } }) => namespace === undefined || isOwn(namespace));
  }

  /** Returns the role bindings that carry the tenant's label, in namespaces that carry it too. */
  bindingsOf(tenant: string): readonly KeptLive[] {
    return this.#by(roleBindings, tenantOf, tenant).filter(
      ({ metadata: { namespace = '' } }) => this.tenantOf(namespace) === tenant,
    );
  }

  /** Returns all role bindings of a namespace, regardless of who created them. */
  bindingsIn(namespace: string): readonly KeptLive[] {
    return this.#by(roleBindings, namespaceOf, namespace);
  }

  /**
   * Returns the objects through which access, isolation and limits of a namespace erode: role bindings, network
   * policies, broad roles, quotas and limit ranges.
   */
  listAccessAndLimits(namespace: string): readonly KeptLive[] {
    const all = [roleBindings, networkPolicies, roles, quotas, limitRanges].flatMap((kind) =>
      this.#by(kind, namespaceOf, namespace),
    );
    return all.filter(({ kind, isBroad }) => kind !== 'Role' || isBroad);
  }

  /** Returns the service accounts of a namespace. */
  serviceAccounts(namespace: string): readonly KeptLive[] {
    return this.#by(serviceAccounts, namespaceOf, namespace);
  }

  /** Returns the quotas of a namespace, with their usage. */
  quotas(namespace: string): readonly Live<typeof quotas>[] {
    return this.#cache.list(quotas, { index: { by: namespaceOf, is: namespace } });
  }

  #by(
    kind: ObservedKind | OtherKind,
    by: (object: Live) => readonly string[],
    is: string,
  ): readonly KeptLive[] {
    return this.#cache.list<ObservedKind | OtherKind>(kind, {
      index: { by, is },
    }) as readonly KeptLive[];
  }
}
