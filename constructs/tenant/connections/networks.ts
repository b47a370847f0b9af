import type { Platform } from '../declaration.ts';
import { protectedBy } from '../protected.ts';
import { namesIn, requirements } from '../../../kube/label-selector.ts';
import {
  commonPorts,
  EVERY_PORT,
  portsTogether,
  type Direction,
  type Ports,
} from '../../../kube/network-policy.ts';
import { selects, type NetworkGroup, type Opening, type TenantNetwork } from './network.ts';

/** What is odd about a namespace that a policy of a tenant names. */
export interface PeerFault {
  readonly tenant: string;
  readonly policy: string;
  readonly direction: Direction;
  /** The namespace that is named. */
  readonly peer: string;
  /**
   * `unknown`: nobody has it. `absent`: it is on no cluster where the own namespace is. `one-sided`:
   * its own policies do not let the connection happen.
   */
  readonly kind: 'unknown' | 'absent' | 'one-sided';
  /** The own namespaces with which it is so. */
  readonly namespaces: readonly string[];
  /** Where it is so. */
  readonly clusters: readonly string[];
  /** Whether it is so with all of the own namespaces that have the policy. */
  readonly isEverywhere: boolean;
  /** The tenant that has the peer. */
  readonly owner?: string;
  /** Of one-sided ones, where the other side lets the connection happen on other ports only. */
  readonly ports?: OtherPorts;
}

/** Ports of one connection, of which none are the same on both sides. */
export interface OtherPorts {
  readonly own: Ports;
  readonly theirs: Ports;
}

/** Those of two connections of one rule; undefined where the other side has none for one of them. */
export function portsOfBoth(
  one: OtherPorts | undefined,
  other: OtherPorts | undefined,
): OtherPorts | undefined {
  if (!one || !other) return undefined;
  return {
    own: portsTogether([...one.own, ...other.own]),
    theirs: portsTogether([...one.theirs, ...other.theirs]),
  };
}

/** A namespace, by cluster. */
interface Known {
  readonly owner: string;
  readonly groups: Map<string, NetworkGroup>;
}

/** The networks of all tenants, which are asked at the end, over all of them. */
export class Networks {
  readonly #platform: Platform;
  readonly #networks = new Map<string, TenantNetwork>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Takes what is known of a tenant, in place of what was known before. */
  put(network: TenantNetwork): void {
    this.#networks.set(network.name, network);
  }

  remove(tenant: string): void {
    this.#networks.delete(tenant);
  }

  of(tenant: string): TenantNetwork | undefined {
    return this.#networks.get(tenant);
  }

  /** The names that a policy may mean: of tenants, and of what the platform says it has besides. */
  names(): Set<string> {
    const { externalNamespaces, protectedNamespaces } = this.#platform;
    const said = [...externalNamespaces, ...protectedNamespaces].filter(
      (one) => !one.includes('*'),
    );
    return new Set([...this.#known().keys(), ...said, ...trustedNames(this.#platform)]);
  }

  /** In the order of the tenants, of their policies and of the names in those. */
  faults(): PeerFault[] {
    const open = [...this.#networks.values()].filter(({ groups }) =>
      groups.some(({ openings }) => openings),
    );
    if (open.length === 0) return [];
    const known = this.#known();
    const platform = this.#platform;
    const trusted = trustedNames(platform);
    const isExternal = (name: string): boolean =>
      trusted.has(name) || protectedBy(platform, name) !== undefined;
    return open.flatMap((network) => faultsOf(network, known, isExternal));
  }

  #known(): Map<string, Known> {
    const known = new Map<string, Known>();
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

/** Namespaces that the platform's own peers name. */
function trustedNames({ clusters }: Platform): Set<string> {
  return new Set(
    clusters
      .flatMap(({ ingressControllers, monitoring, dns }) => [
        ...ingressControllers,
        ...monitoring,
        ...dns,
      ])
      .flatMap(({ namespaceSelector }) =>
        namespaceSelector ? (namesIn(requirements(namespaceSelector)) ?? []) : [],
      ),
  );
}

/** What came of a name in a policy, group by group. */
interface Named {
  readonly opening: Opening;
  readonly peer: string;
  readonly other: Known | undefined;
  readonly groups: (Answer & { readonly group: NetworkGroup })[];
}

/** What is wrong with one opening to a peer, if something is. */
type Answer = { readonly kind?: PeerFault['kind']; readonly ports?: OtherPorts };

function faultsOf(
  { name: tenant, groups }: TenantNetwork,
  known: ReadonlyMap<string, Known>,
  isExternal: (name: string) => boolean,
): PeerFault[] {
  const all = new Map<string, Named>();
  for (const group of groups) {
    for (const opening of group.openings ?? []) {
      for (const peer of opening.names ?? []) {
        const key = JSON.stringify([opening.policy, opening.direction, peer]);
        const other = known.get(peer);
        const named = all.get(key) ?? { opening, peer, other, groups: [] };
        named.groups.push({ group, ...answerOf(group, opening, peer, other, isExternal) });
        all.set(key, named);
      }
    }
  }
  return [...all.values()].flatMap((named) =>
    kinds.flatMap((kind) => faultOf(tenant, named, kind) ?? []),
  );
}

const kinds = ['unknown', 'absent', 'one-sided'] as const;

function faultOf(
  tenant: string,
  { opening: { policy, direction }, peer, other, groups }: Named,
  kind: PeerFault['kind'],
): PeerFault | undefined {
  // A namespace of several clusters has one entry for all: what is of use on one of them stays.
  const useful = new Set(
    kind === 'absent' ? groups.filter((one) => one.kind !== kind).flatMap(namespacesIn) : [],
  );
  const faulty = groups.filter((one) => one.kind === kind);
  const namespaces = unique(faulty.flatMap(namespacesIn)).filter((name) => !useful.has(name));
  if (namespaces.length === 0) return undefined;
  const ports = faulty.map((one) => one.ports).reduce(portsOfBoth);
  return {
    tenant,
    policy,
    direction,
    peer,
    kind,
    namespaces,
    clusters: unique(faulty.map(({ group }) => group.cluster)),
    isEverywhere: namespaces.length === unique(groups.flatMap(namespacesIn)).length,
    ...(other && { owner: other.owner }),
    ...(ports && { ports }),
  };
}

function namespacesIn({ group }: Named['groups'][number]): readonly string[] {
  return group.namespaces;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function answerOf(
  group: NetworkGroup,
  opening: Opening,
  peer: string,
  other: Known | undefined,
  isExternal: (name: string) => boolean,
): Answer {
  if (!other) return isExternal(peer) ? {} : { kind: 'unknown' };
  const known = other.groups.get(group.cluster);
  if (!known) return { kind: 'absent' };
  const back: Direction = opening.direction === 'Ingress' ? 'Egress' : 'Ingress';
  if (!known.closed.includes(back)) return {};
  const [name = ''] = group.namespaces;
  const answers = (known.openings ?? []).filter(
    (one) => one.direction === back && selects(one, name, group.labels ?? {}),
  );
  if (answers.length === 0) return { kind: 'one-sided' };
  const own = opening.ports ?? EVERY_PORT;
  const theirs = portsTogether(answers.flatMap(({ ports = EVERY_PORT }) => ports));
  return commonPorts(own, theirs).length > 0 ? {} : { kind: 'one-sided', ports: { own, theirs } };
}
