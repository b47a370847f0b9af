import type { Peer } from '../../../crds/tenantry/network.ts';

/** A further destination of the pods' connections. */
export interface Destination {
  /** @default - any address: a policy cannot name a host */
  readonly to?: readonly Peer[];
  /** TCP ports. */
  readonly ports: readonly number[];
}

/** A further client of the pods. */
export interface NetworkClient {
  /** Must not be empty: an empty list means everybody. */
  readonly from: readonly Peer[];
  /** The names of ports of the operator, or of its sidecars. */
  readonly ports: readonly string[];
}

/**
 * The connections to and from the pods. The monitoring reaches the metrics. Anybody who has the
 * address of a pod reaches the webhooks, because the addresses of API servers are not known. Other
 * ports are closed until `clients` opens them.
 *
 * The pods reach DNS and the ports of API servers.
 */
export interface OperatorNetwork {
  /** The peers that read metrics; an empty list means nobody. @default - the namespace `monitoring` */
  readonly monitoring?: readonly Peer[];
  /** The DNS servers; an empty list means none. @default - kube-dns in `kube-system` */
  readonly dns?: readonly Peer[];
  /** @default - 53 */
  readonly dnsPorts?: readonly number[];
  /** At any address. @default - 443 and 6443 */
  readonly apiServerPorts?: readonly number[];
  /** The clients of further ports, of the operator or of a sidecar. @default - none */
  readonly clients?: readonly NetworkClient[];
  /** @default - none */
  readonly destinations?: readonly Destination[];
}
