import { FACTS } from '../ownership.ts';
import { celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/**
 * Bounds `externalIPs` of Services, because a Service with one receives the cluster's traffic to that address.
 * Source: CVE-2020-8554, https://github.com/kubernetes/kubernetes/issues/97076
 */
export const services: TenantUserPolicy = {
  concern: 'services',
  rules: [{ apiGroups: [''], resources: ['services'], operations: ['CREATE', 'UPDATE'] }],
  variables: {
    blocks: celFactLines(FACTS.externalIPs),
    taken:
      'object.spec.?externalIPs.orValue([]).filter(a, !(isIP(a) && variables.blocks.exists(b, cidr(b).containsIP(ip(a)))))',
  },
  validations: [
    {
      expression: 'size(variables.taken) == 0',
      message:
        "'a Service must have no externalIPs but those that the class allows (' + (size(variables.blocks) == 0 ? 'none' : variables.blocks.join(', ')) + '), got ' + variables.taken.join(', ')",
    },
  ],
};
