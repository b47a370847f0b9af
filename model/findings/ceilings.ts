import { defineRules } from './rule.ts';

/** The rules for the ceilings of a class. */
export const ceilingRules = defineRules([
  {
    id: 'ceiling-namespaces',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the tenant has at most this number of namespaces',
  },
  {
    id: 'ceiling-quota',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: "each namespace's quota has the key, with at most this value",
  },
  {
    id: 'ceiling-tenant-quota',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'all namespaces of the tenant together have at most this value',
  },
  {
    id: 'ceiling-limits',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'no value of a LimitRange is above the ceiling',
  },
  {
    id: 'ceiling-pod-security',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the enforced level is at least as strict, and its version is not older',
  },
  {
    id: 'ceiling-network',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'isolation, egress and the reach of policies are not more open',
  },
  {
    id: 'ceiling-roles',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: "a tenant's own role allows only what the class allows",
  },
]);
