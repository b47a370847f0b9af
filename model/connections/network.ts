import {
  dropNameRequirements,
  matchesRequirement,
  NAME_LABEL,
  findPossibleNames,
  listRequirements,
  type Requirement,
} from '@tenantry/kube/label-selector';
import {
  isIsolated,
  listAllowedFlows,
  formatPorts,
  EVERY_PORT,
  type Direction,
  type PolicyPeer,
  type PolicySpec,
  type Ports,
} from '@tenantry/kube/network-policy';
import type { KubeObject } from '@tenantry/kube/object';
import type { Platform, TenantDeclaration } from '../declaration.ts';
import type { DesiredNamespace, DesiredTenant } from '../desired.ts';

/** Namespaces of other tenants that a policy lets through. */
export interface CrossTenantRule {
  readonly policy: string;
  readonly direction: Direction;
  /** The names of the namespaces. Absent: any name. */
  readonly names?: readonly string[];
  /** Further requirements for their labels. Absent: none. */
  readonly labels?: readonly Requirement[];
  /** Absent: every port. */
  readonly ports?: Ports;
}

/** Namespaces of a tenant on one cluster that have the same network. */
export interface NetworkGroup {
  readonly cluster: string;
  readonly namespaces: readonly string[];
  /** Directions in which all connections of pods are closed except the openings. */
  readonly closed: readonly Direction[];
  /** Absent: none. */
  readonly openings?: readonly CrossTenantRule[];
  /** The labels of the Namespace, if there are openings. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * The part of a tenant's network that matters to the rest of the fleet, as plain data. It omits connections among the
 * tenant's own namespaces, with addresses, and with peers that the platform trusts.
 */
export interface TenantNetwork {
  readonly name: string;
  readonly className: string;
  readonly groups: readonly NetworkGroup[];
}

const directions: readonly Direction[] = ['Ingress', 'Egress'];

/** Reads the network of a tenant from its rendered objects. */
export function buildTenantNetwork(
  { name, spec }: TenantDeclaration,
  { namespaces }: DesiredTenant,
  platform: Platform,
): TenantNetwork {
  const groups = new Map<string, NetworkGroup & { readonly namespaces: string[] }>();
  const trusted = trustedPeers(platform);
  const byCluster = Map.groupBy(namespaces, ({ cluster }) => cluster);
  for (const [cluster, siblings] of byCluster) {
    const own = new Set(siblings.map(({ name }) => name));
    for (const sibling of siblings) {
      const facts = analyzePolicies(sibling, own, trusted);
      const key = JSON.stringify([cluster, facts, facts.openings && sibling.name]);
      const group = groups.get(key);
      if (group) group.namespaces.push(sibling.name);
      else groups.set(key, { cluster, namespaces: [sibling.name], ...facts });
    }
  }
  const className = spec.className ?? platform.defaultClass;
  return { name, className, groups: [...groups.values()] };
}

const trustedPeersCache = new WeakMap<Platform, ReadonlySet<PolicyPeer>>();

/** Returns the peers that the platform's own policies let in; computed once for all tenants. */
function trustedPeers(platform: Platform): ReadonlySet<PolicyPeer> {
  let trusted = trustedPeersCache.get(platform);
  if (!trusted) {
    trusted = new Set(
      platform.clusters.flatMap(({ ingressControllers, monitoring, dns }) => [
        ...ingressControllers,
        ...monitoring,
        ...dns,
      ]),
    );
    trustedPeersCache.set(platform, trusted);
  }
  return trusted;
}

function analyzePolicies(
  { objects }: DesiredNamespace,
  own: ReadonlySet<string>,
  trusted: ReadonlySet<PolicyPeer>,
): Omit<NetworkGroup, 'cluster' | 'namespaces'> {
  const policies = objects.filter(isPolicy).map(({ metadata, spec = {} }) => ({
    name: metadata.name,
    spec: spec as PolicySpec,
  }));
  const specs = policies.map(({ spec }) => spec);
  const openings = policies.flatMap(({ name, spec }) =>
    directions.flatMap((direction) =>
      listAllowedFlows(spec, direction).flatMap(({ peer, ports }): CrossTenantRule[] => {
        const opening = resolveCrossTenantRule(peer, own, trusted);
        const some = formatPorts(ports) === formatPorts(EVERY_PORT) ? {} : { ports };
        return opening ? [{ policy: name, direction, ...opening, ...some }] : [];
      }),
    ),
  );
  return {
    closed: directions.filter((direction) => isIsolated(specs, direction)),
    ...(openings.length > 0 && { openings, labels: objects[0]?.metadata.labels ?? {} }),
  };
}

function isPolicy({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'networking.k8s.io/v1' && kind === 'NetworkPolicy';
}

/** Returns the rule for a peer; undefined if the peer does not select namespaces of other tenants. */
function resolveCrossTenantRule(
  peer: PolicyPeer | undefined,
  own: ReadonlySet<string>,
  trusted: ReadonlySet<PolicyPeer>,
): Pick<CrossTenantRule, 'names' | 'labels'> | undefined {
  if (!peer) return {};
  if (!peer.namespaceSelector || trusted.has(peer)) return undefined;
  const wanted = listRequirements(peer.namespaceSelector);
  const names = findPossibleNames(wanted)?.filter((name) => !own.has(name));
  if (names?.length === 0) return undefined;
  const labels = dropNameRequirements(wanted);
  return { ...(names && { names }), ...(labels.length > 0 && { labels }) };
}

/** Whether an opening admits a namespace of another tenant. */
export function matchesNamespace(
  { names, labels = [] }: CrossTenantRule,
  name: string,
  own: Readonly<Record<string, string>>,
): boolean {
  return (
    (names?.includes(name) ?? true) &&
    labels.every((condition) => matchesRequirement(condition, { ...own, [NAME_LABEL]: name }))
  );
}
