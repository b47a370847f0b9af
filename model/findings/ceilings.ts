import { defineRules } from './rule.ts';

/** The rules for the ceilings of a class. */
export const ceilingRules = defineRules([
  {
    id: 'ceiling-namespaces',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The tenant has more namespaces than the class allows. Remove some, or request an exception of the class.',
  },
  {
    id: 'ceiling-quota',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The quota of a namespace is above the ceiling of the class, or lacks the key and is unlimited. Set the key to at most the ceiling.',
  },
  {
    id: 'ceiling-tenant-quota',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The quotas of all namespaces together are above the ceiling of the class, or a namespace lacks the key. Lower the quotas, or set the key in each namespace.',
  },
  {
    id: 'ceiling-limits',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A value of a LimitRange is above the ceiling of the class. Lower it to at most the ceiling.',
  },
  {
    id: 'ceiling-pod-security',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The enforced Pod Security level is more open than the class allows, or its version is older than `latest`. Set at least the level of the ceiling, and leave `version` out.',
  },
  {
    id: 'ceiling-network',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Isolation, egress or the peers of a policy are more open than the class allows. Choose a stricter value, or narrow the peers.',
  },
  {
    id: 'ceiling-roles',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A role that the tenant writes allows more than the class allows. Remove the rights in the message, or use a preset of the class.',
  },
]);
