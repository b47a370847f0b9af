// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/apps.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/apps.ts';

/** ControllerRevision implements an immutable snapshot of state data. */
export const ControllerRevision: Kind<ControllerRevision, 'apps', 'ControllerRevision'> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  scope: 'Namespaced',
};

/** DaemonSet represents the configuration of a daemon set. */
export const DaemonSet: Kind<DaemonSet, 'apps', 'DaemonSet'> = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  scope: 'Namespaced',
};

/** Deployment enables declarative updates for Pods and ReplicaSets. */
export const Deployment: Kind<Deployment, 'apps', 'Deployment'> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
};

/** ReplicaSet ensures that a specified number of pod replicas are running at any given time. */
export const ReplicaSet: Kind<ReplicaSet, 'apps', 'ReplicaSet'> = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
};

/** StatefulSet represents a set of pods with consistent identities. */
export const StatefulSet: Kind<StatefulSet, 'apps', 'StatefulSet'> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  scope: 'Namespaced',
};

export type ControllerRevision = api.ControllerRevision;
export type DaemonSet = api.DaemonSet;
export type Deployment = api.Deployment;
export type ReplicaSet = api.ReplicaSet;
export type StatefulSet = api.StatefulSet;
