import { show, type Path } from '../../../crds/problem.ts';
import type { NetworkCeiling, Peer } from '../../../crds/tenantry/network.ts';
import { NAME_LABEL } from '../objects/network.ts';
import { requirements } from '../selector.ts';
import { contains, parseCidr } from './cidr.ts';
import type { RuleContext } from './context.ts';

/** How far a policy may reach, in one direction. */
export type Reach = NonNullable<NetworkCeiling['ingressFrom']>;

/** The widest prefixes that do not count as anywhere. */
const WIDEST = { ipv4: 8, ipv6: 16 };

/** The peers of one rule of a policy, against the ceiling of the class. */
export function checkReach(
  context: RuleContext,
  at: Path,
  policy: string,
  peers: readonly Peer[] | undefined,
  reach: Reach,
): void {
  const { tenant, report } = context;
  const refuse = (what: string): void =>
    report(
      at,
      `must stay within the network ceiling of class ${tenant.klass.name}, got ${what} in policy ${show(policy)}`,
      'ceiling-network',
    );
  if (!peers || peers.length === 0) {
    if (reach.anywhere === 'Deny' || reach.otherNamespaces === 'Deny' || reach.cidrs)
      refuse('a rule without peers, which is for everyone,');
    return;
  }
  for (const peer of peers) {
    const block = peer.ipBlock && parseCidr(peer.ipBlock.cidr);
    if (block) {
      const { cidr } = peer.ipBlock;
      if (reach.anywhere === 'Deny' && block.bits < WIDEST[block.family]) {
        refuse(`${cidr}, which is wider than /${WIDEST[block.family]},`);
      }
      const allowed = reach.cidrs?.map(parseCidr);
      if (allowed && !allowed.some((outer) => outer && contains(outer, block))) {
        refuse(`${cidr}, outside ${reach.cidrs!.join(', ') || 'every block'},`);
      }
    } else if (peer.namespaceSelector) {
      const whose = namespacesOf(context, peer);
      if (whose === 'all' && reach.anywhere === 'Deny') refuse('all namespaces');
      if (whose !== 'own' && reach.otherNamespaces === 'Deny') refuse('namespaces of others');
    }
  }
}

/**
 * Whose namespaces a peer selects. Only names can be told apart, for a label may be on any
 * namespace; and a selector that only leaves some out is for all the rest.
 */
function namespacesOf({ tenant, namespace }: RuleContext, peer: Peer): 'own' | 'others' | 'all' {
  const wanted = requirements(peer.namespaceSelector!);
  const siblings = tenant.namespaces.filter(({ cluster }) => cluster === namespace.cluster);
  const own = new Set(siblings.map(({ name }) => name));
  const text = JSON.stringify(peer);
  const trusted = tenant.platform.clusters
    .filter(({ name }) => name === namespace.cluster)
    .flatMap((cluster) => [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns]);
  if (trusted.some((one) => JSON.stringify(one) === text)) return 'own';
  const isOwn = wanted.some(
    ({ key, operator, values = [] }) =>
      key === NAME_LABEL && operator === 'In' && values.every((name) => own.has(name)),
  );
  if (isOwn) return 'own';
  const narrows = wanted.some(
    ({ key, operator }) => operator === 'In' || (operator === 'Exists' && key !== NAME_LABEL),
  );
  return narrows ? 'others' : 'all';
}
