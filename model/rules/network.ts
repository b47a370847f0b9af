import { didYouMean, show, type Path, formatList } from '@tenantry/kube/problem';
import type { NetworkCeiling, PeerRule } from '../../crds/network.ts';
import type { Network } from '../layers/resolved.ts';
import { buildAllowFromPolicy, buildAllowToPolicy } from '../objects/network.ts';
import type { SettingLocation, RuleContext, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';
import {
  listMetadataServiceFaults,
  listPolicyFaults,
  type PolicyFault,
} from '@tenantry/kube/network-policy-faults';
import { KEY_RULES, checkKeys } from './keys.ts';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { checkReach, type NetworkRule, type Reach } from './network-reach.ts';
import { contains, describeInvalidCidr, parseCidr, type InvalidCidr } from '@tenantry/kube/address';

/** The values of isolation, from the strictest to the most open. */
const openness: readonly Network['isolation'][] = ['Closed', 'SameNamespace', 'SameTenant', 'Open'];

/**
 * Validates the network of a namespace: policies that Kubernetes accepts, and that are no more open than the class
 * allows.
 */
export const network = defineNamespaceCheck(
  [...KEY_RULES, 'network-policy', 'network-open', 'metadata-service', 'ceiling-network'],
  checkNetwork,
);

type KeyRule = (typeof KEY_RULES)[number];

function checkNetwork(
  context: RuleContext,
  report: TenantReporter<
    KeyRule | 'network-policy' | 'network-open' | 'metadata-service' | 'ceiling-network'
  >,
): void {
  const { network } = context.namespace.settings;
  const ceiling = context.tenant.klass.spec.ceilings?.network ?? {};
  checkOpenness(context, ceiling, report);
  const { allowFrom, allowTo } = network;
  checkOpenConflict(context, 'allowFrom', allowFrom, 'isolation', report);
  checkOpenConflict(context, 'allowTo', allowTo, 'egress', report);
  checkExcept(context, 'allowFrom', report);
  const misread = checkExcept(context, 'allowTo', report);
  const inward: NetworkRule[] = [];
  const outward: NetworkRule[] = [];
  for (const { field, policy } of listPolicies(network)) {
    checkPolicy(context, field, policy, report);
    // An excluded part that lies in no block is already reported.
    const isMisread = field === 'allowTo' && misread.includes(policy.name);
    for (const fault of isMisread ? [] : listMetadataServiceFaults(policy.spec)) {
      const message = `${fault.message} in policy ${show(policy.name)}`;
      const place = locatePolicyFault(context, field, policy, fault);
      report(place, message, 'metadata-service');
    }
    const { name, spec } = policy;
    const at = locatePolicyEntry(context, field, name, []);
    for (const { from: peers } of spec.ingress ?? []) inward.push({ at, policy: name, peers });
    for (const { to: peers } of spec.egress ?? []) outward.push({ at, policy: name, peers });
  }
  checkReach(context, inward, resolveReach(ceiling.ingressFrom, ceiling.isolation), report);
  checkReach(context, outward, resolveReach(ceiling.egressTo, ceiling.egress), report);
}

type PolicyField = 'allowFrom' | 'allowTo' | 'policies';
type Policy = NonNullable<Network['policies']>[number];

/** Lists all policies that a tenant or its class has written, in any field. */
function listPolicies(
  network: Network,
): { readonly field: PolicyField; readonly policy: Policy }[] {
  const of = (field: PolicyField, policies: readonly Policy[] = []) =>
    policies.map((policy) => ({ field, policy }));
  return [
    ...of('allowFrom', network.allowFrom?.map(buildAllowFromPolicy)),
    ...of('allowTo', network.allowTo?.map(buildAllowToPolicy)),
    ...of('policies', network.policies),
  ];
}

function checkOpenness(
  { tenant, namespace, where }: RuleContext,
  ceiling: NetworkCeiling,
  report: TenantReporter<'ceiling-network'>,
): void {
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

/** Resolves the ceiling on reach. A ceiling on isolation would have no effect if a policy could admit everyone. */
function resolveReach(reach: Reach | undefined, openness: Network['isolation'] = 'Open'): Reach {
  return openness === 'Open' ? (reach ?? {}) : { anywhere: 'Deny', ...reach };
}

function checkPolicy(
  context: RuleContext,
  field: PolicyField,
  policy: Policy,
  report: TenantReporter<KeyRule | 'network-policy'>,
): void {
  const { tenant, where } = context;
  checkKeys(policy, (...rest) => where('network', field, ...rest), { klass: tenant.klass, report });
  for (const fault of listPolicyFaults(policy.spec)) {
    const message = `${fault.message} in policy ${show(policy.name)}${didYouMean(fault.meant)}`;
    report(locatePolicyFault(context, field, policy, fault), message, 'network-policy');
  }
}

/** Reports excluded parts that lie in no block of their rule, and returns the names of these rules. */
function checkExcept(
  context: RuleContext,
  field: 'allowFrom' | 'allowTo',
  report: TenantReporter<'network-policy'>,
): string[] {
  return (context.namespace.settings.network[field] ?? []).flatMap((rule) => {
    const faults = listExceptFaults(rule);
    for (const { at, message, meant } of faults) {
      const words = `${message} in policy ${show(rule.name)}${didYouMean(meant)}`;
      report(locatePolicyEntry(context, field, rule.name, at), words, 'network-policy');
    }
    return faults.length > 0 ? [rule.name] : [];
  });
}

/** Returns a place in an entry of a list of policies, or the list if the entry is not found there. */
function locatePolicyEntry(
  context: RuleContext,
  field: PolicyField,
  name: string,
  at: Path,
): SettingLocation {
  const list = context.where('network', field);
  const { declaration, klass } = context.tenant;
  const entries = valueAt(list.by === 'tenant' ? declaration : klass, list.path);
  if (!Array.isArray(entries)) return list;
  const index = entries.findIndex((one: unknown) => isMapping(one) && one['name'] === name);
  return index < 0 ? list : { ...list, path: [...list.path, index, ...at] };
}

/** Returns the place of a wrong address block, else the list of policies. */
function locatePolicyFault(
  context: RuleContext,
  field: PolicyField,
  policy: Policy,
  fault: PolicyFault,
): SettingLocation {
  const list = context.where('network', field);
  if (!fault.at.includes('ipBlock')) return list;
  const { declaration, klass } = context.tenant;
  const entries = valueAt(list.by === 'tenant' ? declaration : klass, list.path);
  if (!Array.isArray(entries)) return list;
  const index = entries.findIndex((one: unknown) => isMapping(one) && one['name'] === policy.name);
  if (index < 0) return list;
  const within = (...rest: Path): SettingLocation => ({
    ...list,
    path: [...list.path, index, ...rest],
  });
  if (field === 'policies') return within('spec', ...fault.at);
  const cidrs = valueAt(entries, [index, 'cidrs']);
  const block = valueAt(policy.spec, fault.at);
  const at = Array.isArray(cidrs) ? cidrs.indexOf(block) : -1;
  return at < 0 ? within() : within('cidrs', at);
}

/**
 * Reports a policy that allows something while isolation is Open. It closes everything else, which is rarely intended.
 */
function checkOpenConflict(
  { namespace, where }: RuleContext,
  field: 'allowFrom' | 'allowTo',
  rules: readonly PeerRule[] | undefined,
  other: 'isolation' | 'egress',
  report: TenantReporter<'network-open'>,
): void {
  if (namespace.settings.network[other] !== 'Open' || !rules || rules.length === 0) return;
  report(
    where('network', field),
    `must be left out while ${other} is Open: a policy that allows one peer shuts out all others; if that is meant, declare it in policies`,
    'network-open',
  );
}

/** A problem with an excluded part of address blocks, and its place in the rule. */
interface ExceptFault extends InvalidCidr {
  readonly at: Path;
}

/**
 * Lists the parts that lie in none of a rule's blocks, or that exclude a whole block: Kubernetes accepts only a part of
 * the block.
 */
export function listExceptFaults({ peers = [], ...rule }: PeerRule): ExceptFault[] {
  const groups = [
    { at: [] as Path, group: rule },
    ...peers.map((group, i) => ({ at: ['peers', i] as Path, group })),
  ];
  return groups.flatMap(({ at, group: { cidrs = [], except = [] } }) =>
    except.flatMap((text, i) => {
      const path = [...at, 'except', i];
      const part = parseCidr(text);
      if (!part) return [{ at: path, ...describeInvalidCidr(text) }];
      const blocks = cidrs.flatMap((one) => parseCidr(one) ?? []);
      const isWhole = blocks.some((block) => contains(part, block));
      const isPart = blocks.some((block) => contains(block, part));
      // An invalid block is reported as an error of its own.
      if ((isPart && !isWhole) || blocks.length < cidrs.length) return [];
      const message = `must be a part of a block in cidrs (${formatList(cidrs) || 'none'}), got ${show(text)}`;
      return [{ at: path, message }];
    }),
  );
}
