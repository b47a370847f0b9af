// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type { ObjectReference } from './core.ts';

/** Endpoint represents a single logical "backend" implementing a service. */
export interface Endpoint {
  /** addresses of this endpoint. */
  addresses: string[];
  /** conditions contains information about the current status of the endpoint. */
  conditions?: EndpointConditions;
  /** deprecatedTopology contains topology information part of the v1beta1 API. */
  deprecatedTopology?: Record<string, string>;
  /** hints contains information associated with how an endpoint should be consumed. */
  hints?: EndpointHints;
  /** hostname of this endpoint. */
  hostname?: string;
  /** nodeName represents the name of the Node hosting this endpoint. */
  nodeName?: string;
  /** targetRef is a reference to a Kubernetes object that represents this endpoint. */
  targetRef?: ObjectReference;
  /** zone is the name of the Zone this endpoint exists in. */
  zone?: string;
}

/** EndpointConditions represents the current condition of an endpoint. */
export interface EndpointConditions {
  /** ready indicates that this endpoint is ready to receive traffic, according to whatever system is managing the endpoint. */
  ready?: boolean;
  /** serving indicates that this endpoint is able to receive traffic, according to whatever system is managing the endpoint. */
  serving?: boolean;
  /** terminating indicates that this endpoint is terminating. */
  terminating?: boolean;
}

/** EndpointHints provides hints describing how an endpoint should be consumed. */
export interface EndpointHints {
  /** forNodes indicates the node(s) this endpoint should be consumed by when using topology aware routing. */
  forNodes?: ForNode[];
  /** forZones indicates the zone(s) this endpoint should be consumed by when using topology aware routing. */
  forZones?: ForZone[];
}

/** EndpointPort represents a Port used by an EndpointSlice */
export interface EndpointPort {
  /** The application protocol for this port. */
  appProtocol?: string;
  /** name represents the name of this port. */
  name?: string;
  /** port represents the port number of the endpoint. */
  port?: number;
  /** protocol represents the IP protocol for this port. */
  protocol?: 'SCTP' | 'TCP' | 'UDP';
}

export interface EndpointSlice {
  /** addressType specifies the type of address carried by this EndpointSlice. */
  addressType: 'FQDN' | 'IPv4' | 'IPv6';
  /** endpoints is a list of unique endpoints in this slice. */
  endpoints?: Endpoint[];
  /** ports specifies the list of network ports exposed by each endpoint in this slice. */
  ports?: EndpointPort[];
}

/** ForNode provides information about which nodes should consume this endpoint. */
export interface ForNode {
  /** name represents the name of the node. */
  name: string;
}

/** ForZone provides information about which zones should consume this endpoint. */
export interface ForZone {
  /** name represents the name of the zone. */
  name: string;
}
