import { formatBrief, formatList, show } from '../../../kube/problem.ts';
import type { NetworkCeiling, Peer } from '../../../crds/tenantry/network.ts';
import { isAnywhere } from './anywhere.ts';
import { contains, parseCidr, type Cidr } from '../../../kube/cidr.ts';
import type { SettingLocation, RuleContext } from './context.ts';
import { classifyPeer } from './whose.ts';

/** How far the policies of a namespace may reach in one direction. */
export type Reach = NonNullable<NetworkCeiling['ingressFrom']>;

/** The peers that one rule of a policy admits; no peers are everyone. */
export interface NetworkRule {
  readonly at: SettingLocation;
  readonly policy: string;
  readonly peers: readonly Peer[] | undefined;
}

/** Validates all openings of a namespace in one direction, singly and together, against the ceiling of the class. */
export function checkReach(
  context: RuleContext,
  openings: readonly NetworkRule[],
  reach: Reach,
): void {
  const { tenant, where, report } = context;
  const refuse = (at: SettingLocation, what: string): void =>
    report(
      at,
      `must stay within the network ceiling of class ${tenant.klass.name}, got ${what}`,
      'ceiling-network',
    );
  const blocks: Cidr[] = [];
  for (const { at, policy, peers } of openings) {
    for (const what of listExcesses(context, peers, reach, blocks)) {
      refuse(at, `${what} in policy ${show(policy)}`);
    }
  }
  if (reach.anywhere === 'Deny' && !blocks.some((one) => isAnywhere([one])) && isAnywhere(blocks)) {
    refuse(where('network'), `${blocks.length} blocks of addresses that together are anywhere`);
  }
}

/** Lists what exceeds the ceiling among some peers. It collects the address blocks. */
function* listExcesses(
  context: RuleContext,
  peers: readonly Peer[] = [],
  reach: Reach,
  blocks: Cidr[],
): Generator<string> {
  if (peers.length === 0) {
    if (reach.anywhere === 'Deny' || reach.otherNamespaces === 'Deny' || reach.cidrs)
      yield 'a rule without peers, which is for everyone,';
    return;
  }
  const allowed = reach.cidrs?.map(parseCidr);
  for (const { ipBlock, ...peer } of peers) {
    const block = ipBlock && parseCidr(ipBlock.cidr);
    if (block) {
      blocks.push(block);
      if (reach.anywhere === 'Deny' && isAnywhere([block])) {
        yield `${formatBrief(ipBlock.cidr)}, which is anywhere,`;
      }
      if (allowed && !allowed.some((outer) => outer && contains(outer, block))) {
        yield `${formatBrief(ipBlock.cidr)}, outside ${formatList(reach.cidrs!) || 'every block'},`;
      }
    } else if (peer.namespaceSelector) {
      const whose = classifyPeer(context, peer);
      if (whose === 'all' && reach.anywhere === 'Deny') yield 'all namespaces';
      if (whose !== 'own' && reach.otherNamespaces === 'Deny') yield 'namespaces of others';
    }
  }
}
