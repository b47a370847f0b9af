/** How generators come into hosts of repositories: what they take from Secrets and ConfigMaps beside them. */
import { boolean, object, required, string } from '../../../schema/language.ts';
import { named } from './named.ts';

export const secretRef = (description: string) =>
  named(
    'SecretRef',
    object(description, {
      secretName: required(string('The Secret.')),
      key: required(string('The key in it.')),
    }),
    'A value of a Secret of the same namespace.',
  );

export const tokenRef = secretRef('A token.');

export const insecure = boolean('Whether certificates are not verified.');

export const caRef = named(
  'ConfigMapKeyRef',
  object('Certificates of authorities that are trusted, of a ConfigMap of the same namespace.', {
    configMapName: required(string('The ConfigMap.')),
    key: required(string('The key in it.')),
  }),
);

export const basicAuth = named(
  'BasicAuthBitbucketServer',
  object('Authenticates by name and password.', {
    username: required(string('The user.')),
    passwordRef: required(secretRef('The password, or a token.')),
  }),
);

export const bearerToken = named(
  'BearerTokenBitbucket',
  object('Authenticates by a token.', { tokenRef: required(secretRef('The token.')) }),
);
