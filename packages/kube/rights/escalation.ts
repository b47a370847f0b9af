import type { ObjectRight } from './rights.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
const WRITES = ['create', 'update', 'patch'];
const READS = ['get', 'list', 'watch'];

interface EscalationRule {
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** What a subject with this right can do. */
  readonly why: string;
}

/**
 * Rights with which a subject can obtain other rights.
 *
 * Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
 */
const escalationRules: readonly EscalationRule[] = [
  {
    group: '',
    resources: ['secrets'],
    verbs: [...READS, ...WRITES, 'delete', 'deletecollection'],
    why: 'Secrets hold the credentials of others',
  },
  {
    group: RBAC,
    resources: ['roles', 'clusterroles'],
    verbs: ['escalate', 'bind'],
    why: 'it can give itself and others rights that it does not have',
  },
  {
    group: '',
    resources: ['users', 'groups', 'serviceaccounts'],
    verbs: ['impersonate'],
    why: 'it can act as somebody else',
  },
  {
    group: 'authentication.k8s.io',
    resources: ['uids', 'userextras/*'],
    verbs: ['impersonate'],
    why: 'it can act as somebody else',
  },
  {
    group: '',
    resources: ['serviceaccounts/token'],
    verbs: ['create'],
    why: 'it can have the token of another ServiceAccount',
  },
  {
    group: '',
    resources: ['pods/exec', 'pods/attach', 'pods/ephemeralcontainers', 'nodes/proxy'],
    verbs: ['get', ...WRITES],
    why: 'it can run commands in the containers of others',
  },
  {
    group: ADMISSION,
    resources: [
      'mutatingwebhookconfigurations',
      'validatingwebhookconfigurations',
      'mutatingadmissionpolicies',
    ],
    verbs: WRITES,
    why: 'it can read and change whatever is written to the cluster',
  },
  {
    group: CERTIFICATES,
    resources: ['certificatesigningrequests/approval'],
    verbs: ['update', 'patch'],
    why: 'it can have certificates for any user',
  },
  {
    group: CERTIFICATES,
    resources: ['signers'],
    verbs: ['approve', 'sign'],
    why: 'it can have certificates for any user',
  },
  {
    // Requests to the tenant operator, see docs/break-glass.md of Tenantry.
    group: 'tenantry.dev',
    resources: ['breakglassroles'],
    verbs: ['request'],
    why: 'it can have the ClusterRole for some hours by requesting it',
  },
];

/**
 * Explains, as a clause, how a subject with this right can obtain other rights; undefined for an ordinary right. A star
 * counts as everything that it matches.
 */
export function explainEscalation(right: ObjectRight): string | undefined {
  const isAny = right.group === '*' && right.resource === '*';
  if (isAny && right.verb === '*') return 'it can do anything';
  return escalationRules.find((power) => matchesEscalation(right, power))?.why;
}

function matchesEscalation(
  right: ObjectRight,
  { group, resources, verbs }: EscalationRule,
): boolean {
  if (right.group !== '*' && right.group !== group) return false;
  if (right.verb !== '*' && !verbs.includes(right.verb)) return false;
  return resources.some((resource) => isPartOf(right.resource, resource));
}

/** Whether a resource in a rule and one in the list overlap. */
function isPartOf(ruled: string, listed: string): boolean {
  if (ruled === '*' || ruled === listed) return true;
  const [, subresource] = listed.split('/');
  if (ruled.startsWith('*/')) return ruled.slice(2) === subresource;
  return subresource === '*' && ruled.startsWith(listed.slice(0, -1));
}
