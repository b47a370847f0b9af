import { TENANT_LABEL } from '../../kube/cascade-root.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import type { CacheView } from '../../runtime/controller/caches.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
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
import { otherKindOf, type OtherKind } from './other-kinds.ts';
import { isLongOutage } from './unobserved.ts';

/**
 * Why an object is not compared: the platform does not name its kind among those that are, or the kind is not
 * on the cluster, or may not be read, or the object itself cannot be read.
 */
export type NotComparedReason = 'NotNamed' | 'NotRead';

/** An object of which tenants consist, as it is kept. */
export type KeptLive = Live & Kept;

const kinds = new Map(observedKinds.map((one) => [`${one.group}/${one.kind}`, one]));

/** The kind of an object, if tenants' objects of it are compared. */
export function observedKindOf({ apiVersion, kind }: KubeObject): ObservedKind | undefined {
  return kinds.get(`${groupOf(apiVersion)}/${kind}`);
}

const tenantOf = ({ metadata }: Live): readonly string[] => {
  const tenant = metadata.labels?.[TENANT_LABEL];
  return tenant === undefined ? [] : [tenant];
};
/** One function for all who ask: the cache keeps an index for each. */
const namespaceOf = ({ metadata }: Live): readonly string[] =>
  metadata.namespace === undefined ? [] : [metadata.namespace];

/** What there is of tenants on the cluster, from memory. */
export class TenantObjects {
  readonly #cache: CacheView<ObservedKind | OtherKind>;
  readonly #others: readonly OtherKind[];

  /** @param others kinds of `resources` that are compared */
  constructor(cache: CacheView<ObservedKind | OtherKind>, others: readonly OtherKind[] = []) {
    this.#cache = cache;
    this.#others = others;
  }

  /** How objects of a kind that tenants have among `resources` can be compared. */
  comparabilityOf(object: KubeObject): 'compared' | NotComparedReason {
    const kind = otherKindOf(object, this.#others);
    if (!kind) return 'NotNamed';
    const isRead = this.#cache.isRead(kind) && !isLongOutage(this.#cache.outageOf(kind));
    return isRead ? 'compared' : 'NotRead';
  }

  /** Whether it is known what there is of an object: of its kind, and of itself. True of kinds of `resources`. */
  isRead(object: KubeObject): boolean {
    const kind = observedKindOf(object);
    if (kind === undefined) return true;
    if (!this.#cache.isRead(kind)) return false;
    const { name, namespace } = object.metadata;
    return !this.#cache
      .unreadableOf(kind)
      .some(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  }

  /** The live object of the kind and the name of a declared one. */
  find(declared: KubeObject): KeptLive | undefined {
    const kind = observedKindOf(declared) ?? otherKindOf(declared, this.#others);
    const { name, namespace } = declared.metadata;
    return (
      kind &&
      (this.#cache.get<ObservedKind | OtherKind>(kind, { name, namespace }) as KeptLive | undefined)
    );
  }

  /** The value of the label that says whose a namespace is; undefined where it is none's, or not there. */
  tenantOf(namespace: string): string | undefined {
    return this.#cache.get(namespaces, { name: namespace })?.metadata.labels?.[TENANT_LABEL];
  }

  /** The namespaces whose label says that they are the tenant's. */
  namespacesOf(tenant: string): readonly string[] {
    return this.#by(namespaces, tenantOf, tenant).map(({ metadata: { name } }) => name);
  }

  /**
   * What carries the label of a tenant: Namespaces, and what lies in its own. Whoever may write elsewhere can
   * write any label there, which is nothing that this tenant is to be told of.
   * @param declared namespaces that are the tenant's whether or not they carry its label
   */
  labelled(tenant: string, declared: readonly string[]): readonly KeptLive[] {
    const isOwn = (namespace: string): boolean =>
      declared.includes(namespace) || this.tenantOf(namespace) === tenant;
    return [...observedKinds, ...this.#others]
      .flatMap((kind) => this.#by(kind, tenantOf, tenant))
      .filter((one) => !('isOwned' in one))
      .filter(({ metadata: { namespace } }) => namespace === undefined || isOwn(namespace));
  }

  /** The role bindings that carry the label of a tenant, in namespaces that carry it too. */
  bindingsOf(tenant: string): readonly KeptLive[] {
    return this.#by(roleBindings, tenantOf, tenant).filter(
      ({ metadata: { namespace = '' } }) => this.tenantOf(namespace) === tenant,
    );
  }

  /** The role bindings of a namespace, whoever made them. */
  bindingsIn(namespace: string): readonly KeptLive[] {
    return this.#by(roleBindings, namespaceOf, namespace);
  }

  /**
   * By what access, isolation and limits erode in a namespace: its role bindings, network policies, broad roles,
   * quotas and limit ranges.
   */
  listAccessAndLimits(namespace: string): readonly KeptLive[] {
    const all = [roleBindings, networkPolicies, roles, quotas, limitRanges].flatMap((kind) =>
      this.#by(kind, namespaceOf, namespace),
    );
    return all.filter(({ kind, isBroad }) => kind !== 'Role' || isBroad);
  }

  /** The service accounts of a namespace. */
  serviceAccounts(namespace: string): readonly KeptLive[] {
    return this.#by(serviceAccounts, namespaceOf, namespace);
  }

  /** The quotas of a namespace, with what is used of them. */
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
