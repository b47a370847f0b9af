import { formatTime } from '@tenantry/kube/time';
import type { DesiredNamespace } from '../../model/desired.ts';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { AccessRequest, roleBindings } from '../cluster/kinds.ts';
import { namespaceOf } from '../cluster/tenant-objects.ts';
import { findUnobservedKinds } from '../cluster/unobserved.ts';
import { bindingName, isBindingOf } from './binding.ts';
import { decide } from './decision.ts';

/** The cache of a controller that knows requests. */
export type RequestCache = CacheView<typeof AccessRequest | typeof roleBindings>;

/** The grants of a tenant that exist and are allowed. */
export interface ActiveGrants {
  /** `identityOf` their RoleBindings. */
  readonly bindings: ReadonlySet<string>;
  /** Who has which access, a sentence each. */
  readonly notes: readonly string[];
  /** Milliseconds until the first of them ends. */
  readonly endsIn: number | undefined;
  /** Why requests are not known, if somebody can make any. */
  readonly unobserved: readonly string[];
}

/** There are no grants, and nobody can request any. */
export const noGrants: ActiveGrants = {
  bindings: new Set(),
  notes: [],
  endsIn: undefined,
  unobserved: [],
};

/** Finds the RoleBindings in a tenant's namespaces that requests allow now. */
export function findActiveGrants(
  tenant: string,
  namespaces: readonly DesiredNamespace[],
  cache: RequestCache,
  now: Date,
): ActiveGrants {
  const found = namespaces.flatMap(({ name: namespace, requestable = [] }) =>
    listRequestsIn(namespace, cache).flatMap((request) => {
      const live = cache.get(roleBindings, { name: bindingName(request), namespace });
      if (!isBindingOf(request, tenant, live)) return [];
      const facts = { requestable, isBound: true, isVerified: true, now };
      const { isGranted, expires } = decide(request, facts);
      return isGranted ? [{ request, live, expires }] : [];
    }),
  );
  const isRequestable = namespaces.some(({ requestable }) => requestable !== undefined);
  const unobserved = isRequestable ? findUnobservedKinds([AccessRequest], cache) : [];
  return {
    bindings: new Set(found.map(({ live }) => identityOf(live as Live as KubeObject))),
    notes: found.map(({ request: { metadata, spec }, expires }) => {
      const until = formatTime(expires);
      return `${spec.user} has ClusterRole ${spec.clusterRole} in ${metadata.namespace} until ${until} by AccessRequest ${metadata.name}`;
    }),
    endsIn:
      found.length === 0
        ? undefined
        : Math.max(1, Math.min(...found.map(({ expires }) => expires.getTime() - now.getTime()))),
    unobserved: unobserved.map(({ message }) => message),
  };
}

/** Returns the requests in a namespace. */
export function listRequestsIn(
  namespace: string,
  cache: CacheView<typeof AccessRequest>,
): readonly Live<typeof AccessRequest>[] {
  return cache.list(AccessRequest, { index: { by: namespaceOf, is: namespace } });
}
