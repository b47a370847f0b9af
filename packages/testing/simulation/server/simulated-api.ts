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
import type { FieldsOf, Kind, Live, ObjectName, Written } from '@tenantry/runtime/kinds/kind';

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
