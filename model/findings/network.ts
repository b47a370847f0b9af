import { defineRules } from './rule.ts';

/** The rules for network policies and peers. */
export const networkRules = defineRules([
  {
    id: 'metadata-service',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'egress to a block of addresses on port 80 excepts the metadata service of clouds (169.254.169.254, fd00:ec2::254, fd20:ce::254), which gives pods the credentials of the node',
  },
  {
    id: 'network-policy',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'Kubernetes accepts the policy, and the peers in the platform file',
  },
  {
    id: 'cidr',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'a block of addresses in a bound of a class begins at its first address',
  },
  {
    id: 'network-open',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: '`allowFrom` is not used while isolation is Open, nor `allowTo` while egress is',
  },
  {
    id: 'unknown-peer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'a tenant or the platform file has the namespace that a policy names',
  },
  {
    id: 'absent-peer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the namespace that a policy names is on a cluster where the policy is',
  },
  {
    id: 'one-sided-peer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the namespace that a policy names allows the connection on its own side, on one of the ports',
  },
]);
