import type { Peer } from '../../../crds/tenantry/network.ts';

/** Somewhere else that the pods may go. */
export interface Destination {
  /** @default - any address: a policy cannot name a host */
  readonly to?: readonly Peer[];
  /** Of TCP. */
  readonly ports: readonly number[];
}

/** Somebody else who may come in. */
export interface NetworkClient {
  /** Not empty: that would be everybody. */
  readonly from: readonly Peer[];
  /** Names of ports of the operator, or of its sidecars. */
  readonly ports: readonly string[];
}

/**
 * Who reaches the pods, and whom they reach: metrics are for the monitoring, webhooks for whoever has the address
 * of the pods, since API servers have none that is known; other ports are closed until `clients` names who may come.
 * The pods reach DNS, and the ports of API servers.
 */
export interface OperatorNetwork {
  /** Who reads metrics; an empty list is nobody. @default - the namespace `monitoring` */
  readonly monitoring?: readonly Peer[];
  /** An empty list is none. @default - kube-dns in `kube-system` */
  readonly dns?: readonly Peer[];
  /** @default - 53 */
  readonly dnsPorts?: readonly number[];
  /** At any address. @default - 443 and 6443 */
  readonly apiServerPorts?: readonly number[];
  /** Who reaches further ports, of the operator or of a sidecar. @default - nobody */
  readonly clients?: readonly NetworkClient[];
  /** @default - nowhere else */
  readonly destinations?: readonly Destination[];
}
