import type { Selection } from '@tenantry/runtime/client/client';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { resourceOf, type Kind, type Live, type ObjectName } from '@tenantry/runtime/kinds/kind';
import type { SimulatedApi } from './server/simulated-api.ts';
import { asLive, type StoredChange } from './server/stored.ts';

/** The objects on the simulated server at one moment. */
export interface ClusterView {
  /** Returns an object; undefined where it does not exist. */
  get<K extends Kind>(kind: K, name: ObjectName): Live<K> | undefined;
  /** Lists objects, sorted by namespace and name. */
  list<K extends Kind>(kind: K, selection?: Selection): readonly Live<K>[];
  /** Milliseconds since the schedule began. */
  readonly now: number;
}

/** One change that the server made. */
export interface SeenChange {
  /** The requester: `operator`, `somebody`, `garbage-collector`, `kubelet` ... */
  readonly who: string;
  readonly type: 'created' | 'changed' | 'deleted';
  /** `redises.myapp.demo.kubebuilder.io` */
  readonly resource: string;
  /** Returns the object before and after the change, or undefined where it is of another kind. */
  of<K extends Kind>(
    kind: K,
  ): { readonly before: Live<K> | undefined; readonly after: Live<K> | undefined } | undefined;
}

export function createView(api: SimulatedApi, now: () => number): ClusterView {
  return {
    get: (kind, name) => {
      try {
        return api.get(kind, name);
      } catch (error) {
        return ifGone(error);
      }
    },
    list: (kind, selection) => api.list(kind, { ...selection, limit: 0 }).items,
    get now() {
      return now();
    },
  };
}

const types = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const;

export function toSeenChange({ who, type, resource, object, old }: StoredChange): SeenChange {
  return {
    who,
    type: types[type],
    resource,
    of: (kind) => {
      if (resourceOf(kind) !== resource) return undefined;
      return {
        before: old && asLive(kind, old),
        after: type === 'DELETED' ? undefined : asLive(kind, object),
      };
    },
  };
}
