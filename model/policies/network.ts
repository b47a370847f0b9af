import { NAME_LABEL } from '@tenantry/kube/label-selector';
import { FACTS } from '../ownership.ts';
import { celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/** Returns CEL that tests whether a namespace, by its name in `n`, is the tenant's own or allowed by the class. */
const mayReach = (opened: string): string =>
  `(n in variables.namespaces || ${opened}.exists(o, o == 'namespace ' + n || (o.startsWith('namespace ') && o.endsWith('*') && ('namespace ' + n).startsWith(o.substring(0, size(o) - 1)))))`;

/**
 * Returns CEL that tests whether a peer `p` stays within what is allowed. Selectors of namespaces count only by names,
 * which the API server itself sets. Any other label may be set on any namespace.
 */
const isWithin = (opened: string): string => {
  const inside = `isCIDR(p.ipBlock.cidr) && ${opened}.exists(o, o.startsWith('cidr ') && cidr(o.substring(5)).containsCIDR(cidr(p.ipBlock.cidr)))`;
  const byLabel = `p.namespaceSelector.?matchLabels[?'${NAME_LABEL}'].optMap(n, ${mayReach(opened)}).orValue(false)`;
  const byExpression = `p.namespaceSelector.?matchExpressions.orValue([]).exists(e, e.key == '${NAME_LABEL}' && e.operator == 'In' && e.?values.orValue([]).all(n, ${mayReach(opened)}))`;
  return `(has(p.ipBlock) ? ${inside} : (!has(p.namespaceSelector) || 'namespace *' in ${opened} || ${byLabel} || ${byExpression}))`;
};

/** Returns CEL for the rules of one direction that reach too far, each as a list of what it reaches. */
const beyond = (rules: 'ingress' | 'egress', peers: 'from' | 'to', opened: string): string =>
  `('anywhere' in ${opened} ? [] : object.spec.?${rules}.orValue([]).map(r, size(r.?${peers}.orValue([])) == 0 ? ['everyone'] : r.${peers}.filter(p, !${isWithin(opened)}).map(p, has(p.ipBlock) ? p.ipBlock.cidr : 'namespaces that are not the tenant\\'s')).filter(r, size(r) > 0))`;

/**
 * Bounds NetworkPolicies that people create or change. Policies add up: theirs can only open what the platform's
 * policies keep closed. Without a policy of the platform there is nothing to protect.
 * Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export const networkPolicies: TenantUserPolicy = {
  concern: 'networkPolicies',
  rules: [
    {
      apiGroups: ['networking.k8s.io'],
      resources: ['networkpolicies'],
      operations: ['CREATE', 'UPDATE'],
    },
  ],
  variables: {
    namespaces: celFactLines(FACTS.namespaces),
    from: celFactLines(FACTS.ingressFrom),
    to: celFactLines(FACTS.egressTo),
    ingress: beyond('ingress', 'from', 'variables.from'),
    egress: beyond('egress', 'to', 'variables.to'),
  },
  validations: [
    {
      expression: 'size(variables.ingress) == 0',
      message:
        "'a NetworkPolicy must let in only pods of the tenant and what its class opens, got ' + variables.ingress[0].join(', ')",
    },
    {
      expression: 'size(variables.egress) == 0',
      message:
        "'a NetworkPolicy must let out only to pods of the tenant and what its class opens, got ' + variables.egress[0].join(', ')",
    },
  ],
};
