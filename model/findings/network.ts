import { defineRules } from './rule.ts';

/** The rules for network policies and peers. */
export const networkRules = defineRules([
  {
    id: 'metadata-service',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Egress on port 80 reaches the metadata service of clouds, which gives pods the credentials of the node. Add its address to `except`: 169.254.169.254, fd00:ec2::254 or fd20:ce::254.',
  },
  {
    id: 'network-policy',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'Kubernetes does not accept the policy, or a peer in the platform file. Correct the field that the message names.',
  },
  {
    id: 'cidr',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A block of addresses in a bound of a class does not begin at its first address. Write the block that the message suggests.',
  },
  {
    id: 'network-open',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      '`allowFrom` is set while isolation is Open, or `allowTo` while egress is. A policy would close everything else, so remove it, or set isolation or egress.',
  },
  {
    id: 'unknown-peer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'No tenant has the namespace that a policy names. Correct the name, or add it to `externalNamespaces` of the platform.',
  },
  {
    id: 'absent-peer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The namespace that a policy names is on none of the clusters where the policy is. Add it there, or remove the peer.',
  },
  {
    id: 'one-sided-peer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The namespace that a policy names does not allow the connection on its own side, or not on the same port. Add `allowFrom` or `allowTo` there, or remove the peer.',
  },
]);
