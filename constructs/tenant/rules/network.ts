import { didYouMean, show, type Path } from '../../../kube/problem.ts';
import type { NetworkCeiling, PeerRule } from '../../../crds/tenantry/network.ts';
import type { Network } from '../layers/merged.ts';
import { allowFromPolicy, allowToPolicy } from '../objects/network.ts';
import type { Place, RuleContext } from './context.ts';
import { exceptFaults } from './except.ts';
import { checkKeys } from './keys.ts';
import { metadataFaults } from './metadata-service.ts';
import { isMapping, valueAt } from '../../../kube/mapping.ts';
import { policyFaults, type PolicyFault } from './peers.ts';
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
  checkExcept(context, 'allowFrom');
  const misread = checkExcept(context, 'allowTo');
  const inward: Opening[] = [];
  const outward: Opening[] = [];
  for (const { field, policy } of policiesOf(network)) {
    checkPolicy(context, field, policy);
    // A part that is left out of no block is an error already.
    const isMisread = field === 'allowTo' && misread.includes(policy.name);
    for (const fault of isMisread ? [] : metadataFaults(policy.spec)) {
      const message = `${fault.message} in policy ${show(policy.name)}`;
      const place = placeOf(context, field, policy, fault);
      context.report(place, message, 'metadata-service', { severity: 'warning' });
    }
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

function checkPolicy(context: RuleContext, field: PolicyField, policy: Policy): void {
  const { tenant, where, report } = context;
  checkKeys(policy, (...rest) => where('network', field, ...rest), { klass: tenant.klass, report });
  for (const fault of policyFaults(policy.spec)) {
    const message = `${fault.message} in policy ${show(policy.name)}${didYouMean(fault.meant)}`;
    report(placeOf(context, field, policy, fault), message, 'network-policy');
  }
}

/** Reports parts that are left out of no block of their rule, and returns the names of these rules. */
function checkExcept(context: RuleContext, field: 'allowFrom' | 'allowTo'): string[] {
  return (context.namespace.settings.network[field] ?? []).flatMap((rule) => {
    const faults = exceptFaults(rule);
    for (const { at, message, meant } of faults) {
      const words = `${message} in policy ${show(rule.name)}${didYouMean(meant)}`;
      context.report(entryPlace(context, field, rule.name, at), words, 'network-policy');
    }
    return faults.length > 0 ? [rule.name] : [];
  });
}

/** A place in an entry of a list of policies, or the list where the entry is not found there. */
function entryPlace(context: RuleContext, field: PolicyField, name: string, at: Path): Place {
  const list = context.where('network', field);
  const { declaration, klass } = context.tenant;
  const entries = valueAt(list.by === 'tenant' ? declaration : klass, list.path);
  if (!Array.isArray(entries)) return list;
  const index = entries.findIndex((one: unknown) => isMapping(one) && one['name'] === name);
  return index < 0 ? list : { ...list, path: [...list.path, index, ...at] };
}

/** Where a block of addresses is said, if that is what is wrong; else the list of policies. */
function placeOf(
  context: RuleContext,
  field: PolicyField,
  policy: Policy,
  fault: PolicyFault,
): Place {
  const list = context.where('network', field);
  if (!fault.at.includes('ipBlock')) return list;
  const { declaration, klass } = context.tenant;
  const entries = valueAt(list.by === 'tenant' ? declaration : klass, list.path);
  if (!Array.isArray(entries)) return list;
  const index = entries.findIndex((one: unknown) => isMapping(one) && one['name'] === policy.name);
  if (index < 0) return list;
  const within = (...rest: Path): Place => ({ ...list, path: [...list.path, index, ...rest] });
  if (field === 'policies') return within('spec', ...fault.at);
  const said = valueAt(entries, [index, 'cidrs']);
  const block = valueAt(policy.spec, fault.at);
  const at = Array.isArray(said) ? said.indexOf(block) : -1;
  return at < 0 ? within() : within('cidrs', at);
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
