import { TENANT_LABEL } from '../model/ownership.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import {
  formatRequirement,
  PodNetwork,
  formatPods,
  type Connection,
  type ConnectionPeer,
  type Ports,
} from '@tenantry/kube/network-policy';
import type { KubeObject } from '@tenantry/kube/object';
import { formatList } from '@tenantry/kube/problem';

/** The other side of a connection. `pods` is a selector in kubectl syntax; absent for all pods. */
export type ReportedSide =
  /** `everywhere` includes addresses outside the cluster. */
  | { readonly kind: 'anyone'; readonly everywhere: boolean; readonly pods?: string }
  | {
      readonly kind: 'namespace';
      readonly namespace: string;
      readonly tenant?: string;
      readonly pods?: string;
    }
  /** Namespaces that are not rendered, selected by name, by labels or by both. */
  | {
      readonly kind: 'external';
      readonly namespace?: string;
      readonly labels?: string;
      readonly pods?: string;
    }
  | { readonly kind: 'addresses'; readonly cidr: string; readonly except?: readonly string[] };

/** One row of the table. */
export interface ReportedConnection {
  /** The pods of the namespace that the row concerns; absent for all pods. */
  readonly pods?: string;
  readonly with: ReportedSide;
  readonly ports: Ports;
}

export interface ReportedNamespace {
  readonly name: string;
  /** Absent for a namespace without a tenant. */
  readonly tenant?: string;
  /** Peers that may reach its pods. */
  readonly in: readonly ReportedConnection[];
  /** Peers that its pods may reach. */
  readonly out: readonly ReportedConnection[];
}

export interface ReportedCluster {
  readonly name: string;
  readonly namespaces: readonly ReportedNamespace[];
}

/** Filters of the report. Without any it covers everything. */
interface Wanted {
  readonly tenant?: string | undefined;
  readonly namespaces?: Pick<ReadonlySet<string>, 'has'> | undefined;
}

/** The objects of one cluster. */
export interface RenderedCluster {
  readonly name: string;
  readonly objects: Iterable<KubeObject>;
}

/**
 * Reports who can reach whom according to the rendered policies, by cluster; see `PodNetwork`.
 * @param tenant limits the report to the namespaces of this tenant and to clusters that have some
 * @param namespaces limits the report to namespaces with these names
 */
export function networkReport(
  clusters: readonly RenderedCluster[],
  { tenant, namespaces: names }: Wanted = {},
): ReportedCluster[] {
  return clusters
    .map(({ name, objects }) => ({
      name,
      namespaces: namespacesIn(new PodNetwork(objects), { tenant, namespaces: names }),
    }))
    .filter(({ namespaces }) => namespaces.length > 0);
}

/** The tenants that have a namespace on one of the clusters. */
export function tenantsIn(clusters: readonly RenderedCluster[]): Set<string> {
  const tenants = new Set<string>();
  for (const { objects } of clusters) {
    for (const { kind, metadata } of objects) {
      const tenant = kind === 'Namespace' ? metadata.labels?.[TENANT_LABEL] : undefined;
      if (tenant !== undefined) tenants.add(tenant);
    }
  }
  return tenants;
}

function namespacesIn(network: PodNetwork, wanted: Wanted): ReportedNamespace[] {
  const findTenant = (name: string): string | undefined => network.get(name)?.labels[TENANT_LABEL];
  const lines = (name: string, direction: 'Ingress' | 'Egress'): ReportedConnection[] =>
    network.connections(name, direction).map((one) => reported(one, findTenant));
  return network.names
    .filter((name) => wanted.tenant === undefined || findTenant(name) === wanted.tenant)
    .filter((name) => wanted.namespaces?.has(name) ?? true)
    .map((name) => {
      const tenant = findTenant(name);
      return omitUndefined({
        name,
        tenant,
        in: lines(name, 'Ingress'),
        out: lines(name, 'Egress'),
      });
    });
}

type TenantOf = (namespace: string) => string | undefined;

function reported({ pods, with: side, ports }: Connection, tenantOf: TenantOf): ReportedConnection {
  return { ...selected(formatPods(pods)), with: reportedSide(side, tenantOf), ports };
}

function reportedSide(side: ConnectionPeer, tenantOf: TenantOf): ReportedSide {
  if (side.kind === 'addresses') {
    const { kind, cidr, except } = side;
    return omitUndefined({ kind, cidr, except: except.length > 0 ? except : undefined });
  }
  const pods = selected(formatPods(side.pods));
  if (side.kind === 'anyone') return { kind: side.kind, everywhere: side.everywhere, ...pods };
  const { namespace } = side;
  if (side.kind === 'namespace') {
    const tenant = tenantOf(side.namespace);
    return omitUndefined({
      kind: side.kind,
      namespace: side.namespace,
      tenant,
      ...pods,
    });
  }
  const labels = side.labels.map(formatRequirement).join(', ');
  return omitUndefined({
    kind: side.kind,
    namespace,
    labels: labels !== '' ? labels : undefined,
    ...pods,
  });
}

function selected(pods: string): { pods?: string } {
  return pods === '' ? {} : { pods };
}

/**
 * Formats the other side of a connection.
 * @param names the namespaces, if several equal connections are merged
 */
export function sideText(side: ReportedSide, names: readonly string[]): string {
  if (side.kind === 'addresses') {
    return side.except ? `${side.cidr} except ${formatList(side.except)}` : side.cidr;
  }
  if (side.kind === 'anyone') {
    if (side.everywhere) return 'anyone';
    return side.pods === undefined ? 'any pod' : `pods with ${side.pods} in any namespace`;
  }
  const where = side.kind === 'namespace' ? formatList(names) : externalText(side.labels, names);
  return side.pods === undefined ? where : `pods with ${side.pods} in ${where}`;
}

function externalText(labels: string | undefined, names: readonly string[]): string {
  if (names.length === 0) return `external namespaces with ${labels}`;
  return labels === undefined
    ? `${formatList(names)} (external)`
    : `${formatList(names)} (external) if with ${labels}`;
}
