// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/core.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/core.ts';

/** Binding ties one object to another; for example, a pod is bound to a node by a scheduler. */
export const Binding: Kind<Binding, '', 'Binding'> = {
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  scope: 'Namespaced',
};

/** ConfigMap holds configuration data for pods to consume. */
export const ConfigMap: Kind<ConfigMap, '', 'ConfigMap'> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
};

/** Endpoints is a collection of endpoints that implement the actual service. */
export const Endpoints: Kind<Endpoints, '', 'Endpoints'> = {
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  scope: 'Namespaced',
};

/** Event is a report of an event somewhere in the cluster. */
export const Event: Kind<Event, '', 'Event'> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
};

/** LimitRange sets resource usage limits for each kind of resource in a Namespace. */
export const LimitRange: Kind<LimitRange, '', 'LimitRange'> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  scope: 'Namespaced',
};

/** Namespace provides a scope for Names. */
export const Namespace: Kind<Namespace, '', 'Namespace'> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
};

/** Node is a worker node in Kubernetes. */
export const Node: Kind<Node, '', 'Node'> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  scope: 'Cluster',
};

/** PersistentVolume (PV) is a storage resource provisioned by an administrator. */
export const PersistentVolume: Kind<PersistentVolume, '', 'PersistentVolume'> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  scope: 'Cluster',
};

/** PersistentVolumeClaim is a user's request for and claim to a persistent volume */
export const PersistentVolumeClaim: Kind<PersistentVolumeClaim, '', 'PersistentVolumeClaim'> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  scope: 'Namespaced',
};

/** Pod is a collection of containers that can run on a host. */
export const Pod: Kind<Pod, '', 'Pod'> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
};

/** PodTemplate describes a template for creating copies of a predefined pod. */
export const PodTemplate: Kind<PodTemplate, '', 'PodTemplate'> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  scope: 'Namespaced',
};

/** ReplicationController represents the configuration of a replication controller. */
export const ReplicationController: Kind<ReplicationController, '', 'ReplicationController'> = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  scope: 'Namespaced',
};

/** ResourceQuota sets aggregate quota restrictions enforced per namespace */
export const ResourceQuota: Kind<ResourceQuota, '', 'ResourceQuota'> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  scope: 'Namespaced',
};

/** Secret holds secret data of a certain type. */
export const Secret: Kind<Secret, '', 'Secret'> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
};

/** Service is a named abstraction of software service (for example, mysql) consisting of local port (for example 3306) that the proxy listens on, and the selector that determines which pods will answer requests sent through the proxy. */
export const Service: Kind<Service, '', 'Service'> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
};

/** ServiceAccount binds together: * a name, understood by users, and perhaps by peripheral systems, for an identity * a principal that can be authenticated and authorized * a set of secrets */
export const ServiceAccount: Kind<ServiceAccount, '', 'ServiceAccount'> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
};

export type Binding = api.Binding;
export type ConfigMap = api.ConfigMap;
export type Endpoints = api.Endpoints;
export type Event = api.Event;
export type LimitRange = api.LimitRange;
export type Namespace = api.Namespace;
export type Node = api.Node;
export type PersistentVolume = api.PersistentVolume;
export type PersistentVolumeClaim = api.PersistentVolumeClaim;
export type Pod = api.Pod;
export type PodTemplate = api.PodTemplate;
export type ReplicationController = api.ReplicationController;
export type ResourceQuota = api.ResourceQuota;
export type Secret = api.Secret;
export type Service = api.Service;
export type ServiceAccount = api.ServiceAccount;
