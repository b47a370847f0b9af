// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/networking.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/networking.ts';

/** IPAddress represents a single IP of a single IP Family. */
export const IPAddress: Kind<IPAddress, 'networking.k8s.io', 'IPAddress'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  scope: 'Cluster',
};

/** Ingress is a collection of rules that allow inbound connections to reach the endpoints defined by a backend. */
export const Ingress: Kind<Ingress, 'networking.k8s.io', 'Ingress'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  scope: 'Namespaced',
};

/** IngressClass represents the class of the Ingress, referenced by the Ingress Spec. */
export const IngressClass: Kind<IngressClass, 'networking.k8s.io', 'IngressClass'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  scope: 'Cluster',
};

/** NetworkPolicy describes what network traffic is allowed for a set of Pods */
export const NetworkPolicy: Kind<NetworkPolicy, 'networking.k8s.io', 'NetworkPolicy'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  scope: 'Namespaced',
};

/** ServiceCIDR defines a range of IP addresses using CIDR format (e.g. 192.168.0.0/24 or 2001:db2::/64). */
export const ServiceCIDR: Kind<ServiceCIDR, 'networking.k8s.io', 'ServiceCIDR'> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  scope: 'Cluster',
};

export type IPAddress = api.IPAddress;
export type Ingress = api.Ingress;
export type IngressClass = api.IngressClass;
export type NetworkPolicy = api.NetworkPolicy;
export type ServiceCIDR = api.ServiceCIDR;
