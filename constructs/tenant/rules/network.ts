import { BlockList, isIP } from 'node:net';
import { show, type Path } from '../../../crds/problem.ts';
import type { NetworkCeiling, Peer, PeerRule } from '../../../crds/tenantry/network.ts';
import { NAME_LABEL, peersOf } from '../objects/network.ts';
import { requirements } from '../selector.ts';
import type { RuleContext } from './context.ts';

type Reach = NonNullable<NetworkCeiling['ingressFrom']>;

const openness = ['Closed', 'SameNamespace', 'SameTenant', 'Open'];

/** The network of a namespace: blocks of addresses that are some, and no more open than the class lets it. */
export function networkRules(context: RuleContext): void {
  const { tenant, namespace, where, report } = context;
  const { network } = namespace.settings;
  const ceiling = tenant.klass.spec.ceilings?.network ?? {};
  for (const field of ['isolation', 'egress'] as const) {
    const bound = ceiling[field];
    const value = network[field]!;
    if (bound && openness.indexOf(value) > openness.indexOf(bound)) {
      report(
        where('network', field),
        `must be no more open than ${bound} (ceiling of class ${tenant.klass.name}), got ${show(value)}`,
        'ceiling-network',
      );
    }
  }
  checkUse(context, 'allowFrom', network.allowFrom, network.isolation === 'Open', 'isolation');
  checkUse(context, 'allowTo', network.allowTo, network.egress === 'Open', 'egress');
  const check = (at: Path, name: string, peers: readonly Peer[] | undefined, reach?: Reach) =>
    checkPeers(context, at, name, peers, reach);
  for (const rule of network.allowFrom ?? []) {
    check(where('network', 'allowFrom'), rule.name, peersOf(rule), ceiling.ingressFrom);
  }
  for (const rule of network.allowTo ?? []) {
    check(where('network', 'allowTo'), rule.name, peersOf(rule), ceiling.egressTo);
  }
  for (const { name, spec } of network.policies ?? []) {
    const at = where('network', 'policies');
    for (const rule of spec.ingress ?? []) check(at, name, rule.from, ceiling.ingressFrom);
    for (const rule of spec.egress ?? []) check(at, name, rule.to, ceiling.egressTo);
  }
}

/** A policy that allows something closes everything else, which nobody means who left it Open. */
function checkUse(
  { where, report }: RuleContext,
  field: 'allowFrom' | 'allowTo',
  rules: readonly PeerRule[] | undefined,
  open: boolean,
  other: string,
): void {
  if (!open || !rules || rules.length === 0) return;
  report(
    where('network', field),
    `must be left out while ${other} is Open: a policy that allows one peer shuts out all others; one that is meant so goes into policies`,
    'network-open',
  );
}

function checkPeers(
  context: RuleContext,
  at: Path,
  policy: string,
  peers: readonly Peer[] | undefined,
  reach: Reach = {},
): void {
  const { tenant, report } = context;
  const refuse = (what: string): void =>
    report(
      at,
      `must stay within the network ceiling of class ${tenant.klass.name}, got ${what} in policy ${show(policy)}`,
      'ceiling-network',
    );
  if (!peers || peers.length === 0) {
    if (reach.anywhere === 'Deny') refuse('a rule without peers, which is for everyone,');
    return;
  }
  for (const peer of peers) {
    if (peer.ipBlock) {
      const { cidr } = peer.ipBlock;
      for (const block of [cidr, ...(peer.ipBlock.except ?? [])]) {
        if (!isCidr(block)) {
          report(
            at,
            `must be a block of addresses such as '10.0.0.0/8', got ${show(block)} in policy ${show(policy)}`,
            'cidr',
          );
        }
      }
      if (!isCidr(cidr)) continue;
      if (reach.anywhere === 'Deny' && /\/0+$/.test(cidr)) refuse(`all addresses (${cidr})`);
      if (reach.cidrs && !reach.cidrs.some((outer) => isCidr(outer) && contains(outer, cidr))) {
        refuse(`${cidr}, outside ${reach.cidrs.join(', ')},`);
      }
    } else if (peer.namespaceSelector) {
      const whose = namespacesOf(context, peer);
      if (whose === 'all' && reach.anywhere === 'Deny') refuse('all namespaces');
      if (whose !== 'own' && reach.otherNamespaces === 'Deny') refuse('namespaces of others');
    }
  }
}

/** Whose namespaces a peer selects: only names can be told apart, for a label may be on any. */
function namespacesOf({ tenant, namespace }: RuleContext, peer: Peer): 'own' | 'others' | 'all' {
  const wanted = requirements(peer.namespaceSelector!);
  if (wanted.length === 0) return 'all';
  const siblings = tenant.namespaces.filter(({ cluster }) => cluster === namespace.cluster);
  const own = new Set(siblings.map(({ name }) => name));
  const cluster = tenant.platform.clusters.find(({ name }) => name === namespace.cluster)!;
  const text = JSON.stringify(peer);
  const platforms = [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns];
  if (platforms.some((trusted) => JSON.stringify(trusted) === text)) return 'own';
  const byName = wanted.some(
    ({ key, operator, values = [] }) =>
      key === NAME_LABEL && operator === 'In' && values.every((name) => own.has(name)),
  );
  return byName ? 'own' : 'others';
}

function isCidr(block: string): boolean {
  const [address = '', bits = ''] = block.split('/');
  const family = isIP(address);
  return family !== 0 && /^[0-9]+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

function contains(outer: string, inner: string): boolean {
  const [outerAddress, outerBits] = outer.split('/') as [string, string];
  const [innerAddress, innerBits] = inner.split('/') as [string, string];
  const family = isIP(outerAddress) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(outerAddress) !== isIP(innerAddress) || Number(innerBits) < Number(outerBits)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(outerAddress, Number(outerBits), family);
  return list.check(innerAddress, family);
}
