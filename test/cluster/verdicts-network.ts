import fc from 'fast-check';
import { annotations, map, named, optional, selector, some } from './verdicts-shapes.ts';
import { cidrs, labelValues, names } from './verdicts-text.ts';

/** Networks as they may be declared: ports, peers, and raw policies. */
const port = fc.oneof(
  fc.constantFrom(1, 80, 65535, 0, 65536, 'http', 'a', '80', 'a--b', '-a', 'a-', 'http-alt', '8a'),
  fc.nat(65535),
  fc.string({ unit: fc.constantFrom('a', '0', '-'), maxLength: 16 }),
);
const ports = some(
  optional({
    port,
    endPort: fc.oneof(fc.nat(65535), fc.constantFrom(1, 80, 65535)),
    protocol: fc.constantFrom('TCP', 'UDP', 'SCTP'),
  }),
  2,
);
const ipBlock = fc.record({ cidr: cidrs, except: some(cidrs, 2) }, { requiredKeys: ['cidr'] });
const peer = fc.oneof(
  fc.record({ ipBlock }),
  optional({ namespaceSelector: selector, podSelector: selector }),
  optional({ namespaceSelector: selector, podSelector: selector, ipBlock }),
);
export const policySpec = optional({
  podSelector: selector,
  policyTypes: some(fc.constantFrom('Ingress', 'Egress'), 2),
  ingress: some(optional({ from: some(peer, 2), ports }), 2),
  egress: some(optional({ to: some(peer, 2), ports }), 2),
});
const peerRule = fc
  .record(
    {
      name: names,
      pods: map(labelValues),
      namespaces: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
      namespaceLabels: map(labelValues),
      podLabels: map(labelValues),
      cidrs: fc.uniqueArray(cidrs, { minLength: 1, maxLength: 2 }),
      ports,
    },
    { requiredKeys: ['name'] },
  )
  .filter((rule) => Object.keys(rule).length > 1);
export const network = optional({
  isolation: fc.constantFrom('SameTenant', 'SameNamespace', 'Closed', 'Open'),
  egress: fc.constantFrom('SameTenant', 'SameNamespace', 'Closed', 'Open'),
  allowFrom: named(peerRule),
  allowTo: named(peerRule),
  policies: named(
    fc.record(
      { name: names, labels: map(labelValues), annotations, spec: policySpec },
      { requiredKeys: ['name', 'spec'] },
    ),
  ),
  policyNames: optional({ isolation: names, egress: names }),
});
