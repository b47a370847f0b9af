import type {
  ApplyOptions,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  ReadOptions,
  Selection,
  WriteOptions,
} from '@tenantry/runtime/client/client';
import {
  resourceOf,
  type FieldsOf,
  type Kind,
  type Live,
  type ObjectName,
  type Written,
} from '@tenantry/runtime/kinds/kind';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { asLive, type StoredChange } from './object-store.ts';

/**
 * The API for actors around an operator on a simulated API server. Each call is complete when it
 * returns, and throws the errors with which a `Client` would reject.
 */
export interface SimulatedApi {
  get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Live<K>;
  list<K extends Kind>(kind: K, options?: ListOptions): List<K>;
  create<K extends Kind>(kind: K, object: Written<K>, options?: WriteOptions): Live<K>;
  update<K extends Kind>(kind: K, object: Written<K>, options?: WriteOptions): Live<K>;
  patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Live<K>;
  apply<K extends Kind>(kind: K, object: Written<K>, options?: ApplyOptions): Live<K>;
  delete<K extends Kind>(kind: K, name: ObjectName, options?: DeleteOptions): Live<K> | undefined;
  deleteCollection(kind: Kind, options?: Selection & DeleteOptions): void;
}

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
