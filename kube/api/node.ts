// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type { Toleration } from './core.ts';

/** Overhead structure represents the resource overhead associated with running a pod. */
export interface Overhead {
  /** podFixed represents the fixed resource overhead associated with running a pod. */
  podFixed?: Record<string, string>;
}

export interface RuntimeClass {
  /** handler specifies the underlying runtime and configuration that the CRI implementation will use to handle pods of this class. */
  handler: string;
  /** overhead represents the resource overhead associated with running a pod for a given RuntimeClass. */
  overhead?: Overhead;
  /** scheduling holds the scheduling constraints to ensure that pods running with this RuntimeClass are scheduled to nodes that support it. */
  scheduling?: Scheduling;
}

/** Scheduling specifies the scheduling constraints for nodes supporting a RuntimeClass. */
export interface Scheduling {
  /** nodeSelector lists labels that must be present on nodes that support this RuntimeClass. */
  nodeSelector?: Record<string, string>;
  /** tolerations are appended (excluding duplicates) to pods running with this RuntimeClass during admission, effectively unioning the set of nodes tolerated by the pod and the RuntimeClass. */
  tolerations?: Toleration[];
}
