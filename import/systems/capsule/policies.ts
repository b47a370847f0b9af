import type { KubeObject } from '@tenantry/kube/object';
import { findFault, type DerivedObjects } from './derived-objects.ts';
import type { CapsuleTenant } from './members.ts';

/**
 * Translates the NetworkPolicies of a tenant: each is in all of its namespaces. Their names are not those of Capsule,
 * so that deleting its Tenant does not delete them.
 *
 * Source: internal/controllers/tenant/networkpolicies.go
 */
export function translatePolicies(
  { one, spec, members }: CapsuleTenant,
  derived: DerivedObjects,
): void {
  for (const [i, item] of (spec.networkPolicies?.items ?? []).entries()) {
    const path = ['spec', 'networkPolicies', 'items', i];
    const fields = item as Readonly<Record<string, unknown>>;
    const policy: KubeObject = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: `tenant-policy-${i}` },
      spec: { podSelector: {}, ...fields },
    };
    const fault = findFault(policy);
    if (fault === undefined) {
      for (const member of members) derived.add(member.name, policy, one);
      one.take(path, '`network` of the namespaces');
    } else one.leave(path, fault);
  }
}
