import { show, type Path } from '../../../kube/problem.ts';
import type { PeerRule } from '../../../crds/tenantry/network.ts';
import { peersOf } from '../objects/network.ts';
import type { RuleContext } from './context.ts';
import { checkKeys } from './keys.ts';
import { policyFaults } from './peers.ts';
import { checkReach, type Opening, type Reach } from './reach.ts';

const openness = ['Closed', 'SameNamespace', 'SameTenant', 'Open'];

/** The network of a namespace: policies that Kubernetes accepts, no more open than the class lets it. */
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
  // A ceiling on isolation would mean nothing if a policy could let everyone in.
  const bounded = (reach: Reach | undefined, field: 'isolation' | 'egress'): Reach => ({
    ...((ceiling[field] ?? 'Open') !== 'Open' && { anywhere: 'Deny' as const }),
    ...reach,
  });
  const from = bounded(ceiling.ingressFrom, 'isolation');
  const to = bounded(ceiling.egressTo, 'egress');
  checkUse(context, 'allowFrom', network.allowFrom, network.isolation === 'Open', 'isolation');
  checkUse(context, 'allowTo', network.allowTo, network.egress === 'Open', 'egress');
  const faults = (at: Path, name: string, spec: Parameters<typeof policyFaults>[0]): void => {
    for (const fault of policyFaults(spec)) {
      report(at, `${fault} in policy ${show(name)}`, 'network-policy');
    }
  };
  const inward: Opening[] = [];
  const outward: Opening[] = [];
  for (const rule of network.allowFrom ?? []) {
    const at = where('network', 'allowFrom');
    const spec = { ingress: [{ from: peersOf(rule), ...(rule.ports && { ports: rule.ports }) }] };
    faults(at, rule.name, { ...spec, podSelector: { matchLabels: rule.pods ?? {} } });
    inward.push({ at, policy: rule.name, peers: peersOf(rule) });
  }
  for (const rule of network.allowTo ?? []) {
    const at = where('network', 'allowTo');
    const spec = { egress: [{ to: peersOf(rule), ...(rule.ports && { ports: rule.ports }) }] };
    faults(at, rule.name, { ...spec, podSelector: { matchLabels: rule.pods ?? {} } });
    outward.push({ at, policy: rule.name, peers: peersOf(rule) });
  }
  for (const policy of network.policies ?? []) {
    const { name, spec } = policy;
    const at = where('network', 'policies');
    checkKeys(policy, (...rest) => where('network', 'policies', ...rest), {
      klass: tenant.klass,
      report,
    });
    faults(at, name, spec);
    for (const { from: peers } of spec.ingress ?? []) inward.push({ at, policy: name, peers });
    for (const { to: peers } of spec.egress ?? []) outward.push({ at, policy: name, peers });
  }
  checkReach(context, inward, from);
  checkReach(context, outward, to);
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
