import { TOKEN_SECONDS } from '../../crds/self-service.ts';
import { FACTS } from '../ownership.ts';
import { celFactLines, celFact } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/** CEL for a subject as the facts name it: `User alice`, `ServiceAccount namespace/name`. */
const idOf =
  "s.kind == 'ServiceAccount' ? 'ServiceAccount ' + s.?namespace.orValue('') + '/' + s.name : s.kind + ' ' + s.name";
/** CEL that tests for a service account of the tenant's own. */
const isOwn =
  "id.startsWith('ServiceAccount ') && id.substring(15).split('/')[0] in variables.namespaces";
/** CEL that tests for the group of all service accounts of an own namespace, which may also be bound one by one. */
const areOwn =
  "id.startsWith('Group system:serviceaccounts:') && id.substring(29) in variables.namespaces";
/**
 * CEL that tests for a declared or allowed subject. Kubernetes' own identities are neither, whatever a pattern matches.
 */
const isNamed =
  "!id.startsWith('User system:') && !id.startsWith('Group system:') && (id in variables.subjects || variables.patterns.exists(p, id.startsWith(p[0]) && id.endsWith(p[1]) && size(id) >= size(p[0]) + size(p[1])))";

/**
 * Bounds RoleBindings that people create or change. The role must be a ClusterRole that the class allows, or a Role of
 * the namespace. The API server's escalation check has bounded the rules of a Role by the rights of its creator. All
 * subjects of the new object must be declared or allowed, whatever the old object contained.
 * Source:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
export const roleBindings: TenantUserPolicy = {
  concern: 'roleBindings',
  rules: [
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['rolebindings'],
      operations: ['CREATE', 'UPDATE'],
    },
  ],
  variables: {
    namespaces: celFactLines(FACTS.namespaces),
    roles: celFactLines(FACTS.clusterRoles),
    subjects: celFactLines(FACTS.subjects),
    patterns: `${celFactLines(FACTS.subjectPatterns)}.map(p, p.split('*'))`,
    strangers: `object.?subjects.orValue([]).map(s, ${idOf}).filter(id, !((${isOwn}) || (${areOwn}) || (${isNamed})))`,
  },
  validations: [
    {
      expression: "object.roleRef.kind == 'Role' || object.roleRef.name in variables.roles",
      message:
        "'a RoleBinding must be to a Role of the namespace or to a ClusterRole that the class allows (' + variables.roles.join(', ') + '), got ' + object.roleRef.name",
    },
    {
      expression: 'size(variables.strangers) == 0',
      message:
        "'a RoleBinding must be for users, groups and service accounts that the tenant declares or its class allows, got ' + variables.strangers.join(', ')",
    },
  ],
};

/**
 * Refuses Secrets that Kubernetes fills with a token, because such a token never expires and outlives its requester.
 * Source: https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
 */
export const tokenSecrets: TenantUserPolicy = {
  concern: 'tokenSecrets',
  rules: [{ apiGroups: [''], resources: ['secrets'], operations: ['CREATE', 'UPDATE'] }],
  validations: [
    {
      expression: "object.?type.orValue('') != 'kubernetes.io/service-account-token'",
      message:
        "'a Secret must not be of type kubernetes.io/service-account-token, whose token never expires: ask for one that does (kubectl create token)'",
    },
  ],
};

const bound = `(${celFact(FACTS.tokenSeconds)} == '' ? ${TOKEN_SECONDS} : int(${celFact(FACTS.tokenSeconds)}))`;

/**
 * Bounds the lifetime of tokens that people request; kubelets request those of pods. 3600 seconds is the API server's
 * default.
 */
export const tokens: TenantUserPolicy = {
  concern: 'tokens',
  rules: [{ apiGroups: [''], resources: ['serviceaccounts/token'], operations: ['CREATE'] }],
  variables: { seconds: 'object.spec.?expirationSeconds.orValue(3600)' },
  validations: [
    {
      expression: `variables.seconds <= ${bound}`,
      message: `'a token must expire within ' + string(${bound}) + ' seconds, got ' + string(variables.seconds)`,
    },
  ],
};
