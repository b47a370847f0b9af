import { isMapping } from '../../kube/mapping.ts';

/**
 * Returns the spec of a NetworkPolicy with the API server's defaults: the protocol of ports, and the directions.
 * Source: https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/networking/v1/defaults.go
 */
export function networkPolicySpec(spec: Record<string, unknown>): unknown {
  const { podSelector, ingress, egress, policyTypes, ...rest } = spec;
  const hasEgress = Array.isArray(egress) && egress.length > 0;
  const directions = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
  const hasPolicyTypes = Array.isArray(policyTypes) && policyTypes.length > 0;
  return {
    ...rest,
    podSelector: podSelector ?? {},
    ingress: withProtocols(ingress),
    egress: withProtocols(egress),
    policyTypes: hasPolicyTypes ? policyTypes : directions,
  };
}

function withProtocols(rules: unknown): unknown {
  if (!Array.isArray(rules)) return rules;
  return rules.map((rule: unknown) => {
    if (!isMapping(rule) || !Array.isArray(rule['ports'])) return rule;
    const ports = rule['ports'].map((port: unknown) =>
      isMapping(port) ? { ...port, protocol: port['protocol'] ?? 'TCP' } : port,
    );
    return { ...rule, ports };
  });
}
