/** What kinds of Argo CD have in common, and how generators come into hosts of repositories. */
import { naming } from '../../../crds/type-name.ts';
import type { TypesByName } from './types-by-name.ts';
import { integer, list, map, string, boolean, object, required } from '../../../schema/language.ts';

/** Names the type of the values of a schema of one of Argo CD's kinds. */
export const named = naming<TypesByName>();

export const strings = (description: string) => list(description, string('One.'));

export const texts = (description: string) => map(description, string('A value.'));

/** Of generators. */
export const requeueAfterSeconds = (absent: string) =>
  integer('The polling interval, in seconds.', { format: 'int64', absent });

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
