import {
  dropNameRequirements,
  matchesRequirement,
  NAME_LABEL,
  findPossibleNames,
  listRequirements,
  type Requirement,
} from '../../../kube/label-selector.ts';
import {
  isIsolated,
  listAllowedFlows,
  formatPorts,
  EVERY_PORT,
  type Direction,
  type PolicyPeer,
  type PolicySpec,
  type Ports,
} from '../../../kube/network-policy.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Platform, TenantDeclaration } from '../declaration.ts';
import type { DesiredNamespace, DesiredTenant } from '../desired.ts';

/** Namespaces of others that a policy lets through. */
export interface CrossTenantRule {
  readonly policy: string;
  readonly direction: Direction;
  /** Absent: of any name. */
  readonly names?: readonly string[];
  /** What else their labels must be. Absent: anything. */
  readonly labels?: readonly Requirement[];
  /** Absent: every port. */
  readonly ports?: Ports;
}

/** Namespaces of a tenant on one cluster of which the same is said. */
export interface NetworkGroup {
  readonly cluster: string;
  readonly namespaces: readonly string[];
  /** In which directions no pod talks to others but by an opening. */
  readonly closed: readonly Direction[];
  /** Absent: none. */
  readonly openings?: readonly CrossTenantRule[];
  /** Of the Namespace, where there are openings. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * What the rest of the fleet asks of the network of a tenant, as plain data: nothing of what its
 * namespaces say of each other, of addresses, and of whom the platform trusts.
 */
export interface TenantNetwork {
  readonly name: string;
  readonly className: string;
  readonly groups: readonly NetworkGroup[];
}

const directions: readonly Direction[] = ['Ingress', 'Egress'];

/** The network of a tenant, as its objects have it. */
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

/** Whom the platform's own policies are for; found once for all tenants. */
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

/** Undefined for a peer that is no namespace of others. */
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

/** Whether an opening is for a namespace of another tenant. */
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
