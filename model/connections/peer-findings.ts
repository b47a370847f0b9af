import type { Finding } from '@tenantry/kube/finding';
import { warningAt } from '../findings/tenant-finding.ts';
import { formatPorts } from '@tenantry/kube/network-policy';
import {
  formatBrief,
  didYouMean,
  formatList,
  findNearest,
  show,
  type Path,
} from '@tenantry/kube/problem';
import type { NetworkSettings } from '../../crds/network.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { namespaceName } from '../name-claims.ts';
import type { PeerFault } from './networks.ts';

/** Builds the finding about a peer, at the place that names it. */
export function buildPeerFinding(path: Path, fault: PeerFault, meant: string | undefined): Finding {
  const { kind, peer, namespaces, clusters, owner, direction, ports } = fault;
  const own = formatList(namespaces);
  if (kind === 'unknown') {
    const must =
      'must be a namespace that a tenant has, or externalNamespaces of the platform names';
    const message = `${must}, got ${show(peer)}${didYouMean(meant)}`;
    return warningAt(path, message, 'unknown-peer');
  }
  const got = `got ${show(peer)} of tenant ${owner}`;
  if (kind === 'absent') {
    const message = `must be a namespace on ${formatList(clusters)}, where ${own} is, ${got}, which is not`;
    return warningAt(path, message, 'absent-peer');
  }
  const on = ports ? ` on ${formatBrief(formatPorts(ports.own))}` : '';
  const which = ports
    ? `which does so on ${formatBrief(formatPorts(ports.theirs))} alone`
    : 'which does not';
  const message =
    direction === 'Egress'
      ? `must be a namespace that lets in what comes from ${own}${on}, ${got}, ${which}: allowFrom there can`
      : `must be a namespace that lets its pods out to ${own}${on}, ${got}, ${which}: allowTo there can`;
  return warningAt(path, message, 'one-sided-peer');
}

/** The maximum number of unknown names that are compared with all known names; a fleet has tens of thousands. */
const MAX_COMPARED = 20;

/** Finds the known name nearest to an unknown one, for a limited number of unknown names. */
export class NearestNames {
  readonly #names: () => ReadonlySet<string>;
  readonly #found = new Map<string, string | undefined>();
  #known: ReadonlySet<string> | undefined;

  constructor(names: () => ReadonlySet<string>) {
    this.#names = names;
  }

  find(name: string): string | undefined {
    if (!this.#found.has(name) && this.#found.size < MAX_COMPARED) {
      this.#known ??= this.#names();
      this.#found.set(name, findNearest(name, this.#known));
    }
    return this.#found.get(name);
  }
}

type Fault = Pick<PeerFault, 'policy' | 'direction' | 'peer' | 'namespaces'>;
type NetworkEntries = readonly {
  readonly at: Path;
  readonly network: NetworkSettings | undefined;
}[];

/** Finds the place where a Tenant names the peer; undefined if the Tenant does not name it itself. */
export function findPeerPathInTenant(spec: TenantSpec, fault: Fault): Path | undefined {
  const entries = (spec.namespaces ?? []).map((entry, i) => ({ entry, i }));
  return findPeerPath(fault, [
    ...entries
      .filter(({ entry }) => fault.namespaces.includes(namespaceName(spec.namespacePrefix, entry)))
      .map(({ entry, i }) => ({
        at: ['spec', 'namespaces', i, 'network'],
        network: entry.network,
      })),
    { at: ['spec', 'network'], network: spec.network },
  ]);
}

/** Finds the place where a class names the peer. */
export function findPeerPathInClass(spec: TenantClassSpec, fault: Fault): Path | undefined {
  const { presets, defaults, environments = [] } = spec;
  return findPeerPath(fault, [
    ...(presets?.networks ?? []).map((network, i) => ({
      at: ['spec', 'presets', 'networks', i],
      network,
    })),
    { at: ['spec', 'defaults', 'network'], network: defaults?.network },
    ...environments.map(({ network }, i) => ({
      at: ['spec', 'environments', i, 'network'],
      network,
    })),
  ]);
}

/** Returns the place in the first network that names the peer in the policy: the name itself, or the policy. */
function findPeerPath(
  { policy, direction, peer }: Fault,
  networks: NetworkEntries,
): Path | undefined {
  for (const { at, network } of networks) {
    const field = direction === 'Ingress' ? 'allowFrom' : 'allowTo';
    const index = network?.[field]?.findIndex(({ name }) => name === policy) ?? -1;
    const rule = network?.[field]?.[index];
    const position = rule?.namespaces?.indexOf(peer) ?? -1;
    if (position >= 0) return [...at, field, index, 'namespaces', position];
    if (mentions(rule, peer)) return [...at, field, index];
    const raw = network?.policies?.findIndex(({ name }) => name === policy) ?? -1;
    if (mentions(network?.policies?.[raw], peer)) return [...at, 'policies', raw];
  }
  return undefined;
}

function mentions(rule: object | undefined, peer: string): boolean {
  return rule !== undefined && JSON.stringify(rule).includes(JSON.stringify(peer));
}
