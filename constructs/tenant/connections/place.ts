import type { Path } from '../../../kube/problem.ts';
import type { NetworkSettings } from '../../../crds/tenantry/network.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import type { TenantSpec } from '../../../crds/tenantry/tenant.ts';
import { namespaceName } from '../claim.ts';
import type { PeerFault } from './networks.ts';

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
