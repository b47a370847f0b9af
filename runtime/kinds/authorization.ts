// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/authorization.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/authorization.ts';

/** LocalSubjectAccessReview checks whether or not a user or group can perform an action in a given namespace. */
export const LocalSubjectAccessReview: Kind<
  LocalSubjectAccessReview,
  'authorization.k8s.io',
  'LocalSubjectAccessReview'
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  scope: 'Namespaced',
};

/** SelfSubjectAccessReview checks whether or the current user can perform an action. */
export const SelfSubjectAccessReview: Kind<
  SelfSubjectAccessReview,
  'authorization.k8s.io',
  'SelfSubjectAccessReview'
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
};

/** SelfSubjectRulesReview enumerates the set of actions the current user can perform within a namespace. */
export const SelfSubjectRulesReview: Kind<
  SelfSubjectRulesReview,
  'authorization.k8s.io',
  'SelfSubjectRulesReview'
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  scope: 'Cluster',
};

/** SubjectAccessReview checks whether or not a user or group can perform an action. */
export const SubjectAccessReview: Kind<
  SubjectAccessReview,
  'authorization.k8s.io',
  'SubjectAccessReview'
> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
};

export type LocalSubjectAccessReview = api.LocalSubjectAccessReview;
export type SelfSubjectAccessReview = api.SelfSubjectAccessReview;
export type SelfSubjectRulesReview = api.SelfSubjectRulesReview;
export type SubjectAccessReview = api.SubjectAccessReview;
