import { show } from '../../../kube/problem.ts';
import type { NetworkCeiling, PeerRule } from '../../../crds/tenantry/network.ts';
import type { Network } from '../layers/merged.ts';
import { allowFromPolicy, allowToPolicy } from '../objects/network.ts';
import type { RuleContext } from './context.ts';
import { checkKeys } from './keys.ts';
import { policyFaults } from './peers.ts';
import { checkReach, type Opening, type Reach } from './reach.ts';

/** From the strictest to the most open. */
const openness: readonly Network['isolation'][] = ['Closed', 'SameNamespace', 'SameTenant', 'Open'];

/** The network of a namespace: policies that Kubernetes accepts, no more open than the class lets it. */
export function networkRules(context: RuleContext): void {
  const { network } = context.namespace.settings;
  const ceiling = context.tenant.klass.spec.ceilings?.network ?? {};
  checkOpenness(context, ceiling);
  checkUse(context, 'allowFrom', network.allowFrom, network.isolation === 'Open', 'isolation');
  checkUse(context, 'allowTo', network.allowTo, network.egress === 'Open', 'egress');
  const inward: Opening[] = [];
  const outward: Opening[] = [];
  for (const { field, policy } of policiesOf(network)) {
    checkPolicy(context, field, policy);
    const at = context.where('network', field);
    const { name, spec } = policy;
    for (const { from: peers } of spec.ingress ?? []) inward.push({ at, policy: name, peers });
    for (const { to: peers } of spec.egress ?? []) outward.push({ at, policy: name, peers });
  }
  checkReach(context, inward, bounded(ceiling.ingressFrom, ceiling.isolation));
  checkReach(context, outward, bounded(ceiling.egressTo, ceiling.egress));
}

type PolicyField = 'allowFrom' | 'allowTo' | 'policies';
type Policy = NonNullable<Network['policies']>[number];

/** All policies that a tenant or its class has written, whichever way. */
function policiesOf(network: Network): { readonly field: PolicyField; readonly policy: Policy }[] {
  const of = (field: PolicyField, policies: readonly Policy[] = []) =>
    policies.map((policy) => ({ field, policy }));
  return [
    ...of('allowFrom', network.allowFrom?.map(allowFromPolicy)),
    ...of('allowTo', network.allowTo?.map(allowToPolicy)),
    ...of('policies', network.policies),
  ];
}

function checkOpenness({ tenant, namespace, where, report }: RuleContext, ceiling: NetworkCeiling) {
  for (const field of ['isolation', 'egress'] as const) {
    const bound = ceiling[field];
    const value = namespace.settings.network[field];
    if (bound && openness.indexOf(value) > openness.indexOf(bound)) {
      report(
        where('network', field),
        `must be no more open than ${bound} (ceiling of class ${tenant.klass.name}), got ${show(value)}`,
        'ceiling-network',
      );
    }
  }
}

/** A ceiling on isolation would mean nothing if a policy could let everyone in. */
function bounded(reach: Reach | undefined, openness: Network['isolation'] = 'Open'): Reach {
  return openness === 'Open' ? (reach ?? {}) : { anywhere: 'Deny', ...reach };
}

function checkPolicy(
  { tenant, where, report }: RuleContext,
  field: PolicyField,
  policy: Policy,
): void {
  checkKeys(policy, (...rest) => where('network', field, ...rest), { klass: tenant.klass, report });
  for (const fault of policyFaults(policy.spec)) {
    report(where('network', field), `${fault} in policy ${show(policy.name)}`, 'network-policy');
  }
}

/** A policy that allows something closes everything else, which nobody who left it Open means. */
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
    `must be left out while ${other} is Open: a policy that allows one peer shuts out all others; if that is meant, declare it in policies`,
    'network-open',
  );
}
