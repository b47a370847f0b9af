import { TOKEN_SECONDS } from '../../../crds/tenantry/self-service.ts';
import { FACTS } from '../ownership.ts';
import { celFact } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

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
