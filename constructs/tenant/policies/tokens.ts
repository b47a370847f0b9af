import { TOKEN_SECONDS } from '../../../crds/tenantry/self-service.ts';
import { FACTS } from '../ownership.ts';
import { fact } from './cel.ts';
import type { PeoplePolicy } from './policy.ts';

/**
 * Secrets that Kubernetes fills with a token: one that never expires and outlives whoever asked.
 * Source: https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
 */
export const tokenSecrets: PeoplePolicy = {
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

const bound = `(${fact(FACTS.tokenSeconds)} == '' ? ${TOKEN_SECONDS} : int(${fact(FACTS.tokenSeconds)}))`;

/** Tokens that people ask for; kubelets ask for those of pods. 3600 is the API server's default. */
export const tokens: PeoplePolicy = {
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
