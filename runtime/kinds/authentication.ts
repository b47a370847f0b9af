// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/authentication.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/authentication.ts';

/** SelfSubjectReview contains the user information that the kube-apiserver has about the user making this request. */
export const SelfSubjectReview: Kind<
  SelfSubjectReview,
  'authentication.k8s.io',
  'SelfSubjectReview'
> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
};

/** TokenReview attempts to authenticate a token to a known user. */
export const TokenReview: Kind<TokenReview, 'authentication.k8s.io', 'TokenReview'> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  scope: 'Cluster',
};

export type SelfSubjectReview = api.SelfSubjectReview;
export type TokenReview = api.TokenReview;
