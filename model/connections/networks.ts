import type { Platform } from '../declaration.ts';
import { findProtection } from '../protected.ts';
import { findPossibleNames, listRequirements } from '@tenantry/kube/label-selector';
import {
  intersectPorts,
  EVERY_PORT,
  mergePorts,
  type Direction,
  type Ports,
} from '@tenantry/kube/network-policy';
import {
  matchesNamespace,
  type NetworkGroup,
  type CrossTenantRule,
  type TenantNetwork,
} from './network.ts';

/** A problem with a namespace that a policy of a tenant names. */
export interface PeerFault {
  readonly tenant: string;
  readonly policy: string;
  readonly direction: Direction;
  /** The namespace that the policy names. */
  readonly peer: string;
  /**
   * The kind of problem. `unknown`: no tenant has the namespace. `absent`: it is on none of the clusters of the
   * tenant's own namespace. `one-sided`: its own policies block the connection.
   */
  readonly kind: 'unknown' | 'absent' | 'one-sided';
  /** The tenant's own namespaces that have the problem. */
  readonly namespaces: readonly string[];
  /** The clusters that have the problem. */
  readonly clusters: readonly string[];
  /** Whether all own namespaces with the policy have the problem. */
  readonly isEverywhere: boolean;
  /** The tenant that has the peer. */
  readonly owner?: string;
  /** For `one-sided`: the ports, if the other side allows the connection only on other ports. */
  readonly ports?: PortMismatch;
}

/** The ports that both sides of a connection allow, with none in common. */
interface PortMismatch {
  readonly own: Ports;
  readonly theirs: Ports;
}

/**
 * Merges the mismatches of two connections of one rule; undefined if the other side allows no ports for one of them.
 */
export function mergePortMismatches(
  one: PortMismatch | undefined,
  other: PortMismatch | undefined,
): PortMismatch | undefined {
  if (!one || !other) return undefined;
  return {
    own: mergePorts([...one.own, ...other.own]),
    theirs: mergePorts([...one.theirs, ...other.theirs]),
  };
}

/** A namespace, by cluster. */
interface KnownNamespace {
  readonly owner: string;
  readonly groups: Map<string, NetworkGroup>;
}

/** The networks of all tenants, compared with each other after all tenants are known. */
export class TenantNetworks {
  readonly #platform: Platform;
  readonly #networks = new Map<string, TenantNetwork>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Sets the network of a tenant, in place of an earlier one. */
  set(network: TenantNetwork): void {
    this.#networks.set(network.name, network);
  }

  remove(tenant: string): void {
    this.#networks.delete(tenant);
  }

  get(tenant: string): TenantNetwork | undefined {
    return this.#networks.get(tenant);
  }

  /** Returns the names that a policy may mean: namespaces of tenants, and the platform's external namespaces. */
  listNames(): Set<string> {
    const { externalNamespaces, protectedNamespaces } = this.#platform;
    const platformNames = [...externalNamespaces, ...protectedNamespaces].filter(
      (one) => !one.includes('*'),
    );
    return new Set([
      ...this.#known().keys(),
      ...platformNames,
      ...listTrustedNames(this.#platform),
    ]);
  }

  /** Returns the problems, in the order of tenants, of their policies and of the names in those. */
  findFaults(): PeerFault[] {
    const open = [...this.#networks.values()].filter(({ groups }) =>
      groups.some(({ openings }) => openings),
    );
    if (open.length === 0) return [];
    const known = this.#known();
    const platform = this.#platform;
    const trusted = listTrustedNames(platform);
    const isExternal = (name: string): boolean =>
      trusted.has(name) || findProtection(platform, name) !== undefined;
    return open.flatMap((network) => findPeerFaults(network, known, isExternal));
  }

  #known(): Map<string, KnownNamespace> {
    const known = new Map<string, KnownNamespace>();
    for (const { name: owner, groups } of this.#networks.values()) {
      for (const group of groups) {
        for (const name of group.namespaces) {
          const one = known.get(name) ?? { owner, groups: new Map() };
          one.groups.set(group.cluster, group);
          known.set(name, one);
        }
      }
    }
    return known;
  }
}

/** Lists the namespaces that the platform's own peers name. */
function listTrustedNames({ clusters }: Platform): Set<string> {
  return new Set(
    clusters
      .flatMap(({ ingressControllers, monitoring, dns }) => [
        ...ingressControllers,
        ...monitoring,
        ...dns,
      ])
      .flatMap(({ namespaceSelector }) =>
        namespaceSelector ? (findPossibleNames(listRequirements(namespaceSelector)) ?? []) : [],
      ),
  );
}

/** The result of looking up a name in a policy, group by group. */
interface NamedPeer {
  readonly opening: CrossTenantRule;
  readonly peer: string;
  readonly other: KnownNamespace | undefined;
  readonly groups: (PeerResult & { readonly group: NetworkGroup })[];
}

/** The problem with one opening to a peer, if there is one. */
type PeerResult = { readonly kind?: PeerFault['kind']; readonly ports?: PortMismatch };

function findPeerFaults(
  { name: tenant, groups }: TenantNetwork,
  known: ReadonlyMap<string, KnownNamespace>,
  isExternal: (name: string) => boolean,
): PeerFault[] {
  const all = new Map<string, NamedPeer>();
  for (const group of groups) {
    for (const opening of group.openings ?? []) {
      for (const peer of opening.names ?? []) {
        const key = JSON.stringify([opening.policy, opening.direction, peer]);
        const other = known.get(peer);
        const named = all.get(key) ?? { opening, peer, other, groups: [] };
        named.groups.push({ group, ...checkPeer(group, opening, peer, other, isExternal) });
        all.set(key, named);
      }
    }
  }
  return [...all.values()].flatMap((named) =>
    kinds.flatMap((kind) => buildPeerFault(tenant, named, kind) ?? []),
  );
}

const kinds = ['unknown', 'absent', 'one-sided'] as const;

function buildPeerFault(
  tenant: string,
  { opening: { policy, direction }, peer, other, groups }: NamedPeer,
  kind: PeerFault['kind'],
): PeerFault | undefined {
  // A namespace on several clusters has one entry for all, so what is useful on one of them is kept.
  const useful = new Set(
    kind === 'absent' ? groups.filter((one) => one.kind !== kind).flatMap(listNamespaces) : [],
  );
  const faulty = groups.filter((one) => one.kind === kind);
  const namespaces = unique(faulty.flatMap(listNamespaces)).filter((name) => !useful.has(name));
  if (namespaces.length === 0) return undefined;
  const ports = faulty.map((one) => one.ports).reduce(mergePortMismatches);
  return {
    tenant,
    policy,
    direction,
    peer,
    kind,
    namespaces,
    clusters: unique(faulty.map(({ group }) => group.cluster)),
    isEverywhere: namespaces.length === unique(groups.flatMap(listNamespaces)).length,
    ...(other && { owner: other.owner }),
    ...(ports && { ports }),
  };
}

function listNamespaces({ group }: NamedPeer['groups'][number]): readonly string[] {
  return group.namespaces;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function checkPeer(
  group: NetworkGroup,
  opening: CrossTenantRule,
  peer: string,
  other: KnownNamespace | undefined,
  isExternal: (name: string) => boolean,
): PeerResult {
  if (!other) return isExternal(peer) ? {} : { kind: 'unknown' };
  const known = other.groups.get(group.cluster);
  if (!known) return { kind: 'absent' };
  const back: Direction = opening.direction === 'Ingress' ? 'Egress' : 'Ingress';
  if (!known.closed.includes(back)) return {};
  const [name = ''] = group.namespaces;
  const answers = (known.openings ?? []).filter(
    (one) => one.direction === back && matchesNamespace(one, name, group.labels ?? {}),
  );
  if (answers.length === 0) return { kind: 'one-sided' };
  const own = opening.ports ?? EVERY_PORT;
  const theirs = mergePorts(answers.flatMap(({ ports = EVERY_PORT }) => ports));
  return intersectPorts(own, theirs).length > 0
    ? {}
    : { kind: 'one-sided', ports: { own, theirs } };
}
