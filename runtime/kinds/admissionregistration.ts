// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/admissionregistration.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/admissionregistration.ts';

/** MutatingAdmissionPolicy describes the definition of an admission mutation policy that mutates the object coming into admission chain. */
export const MutatingAdmissionPolicy: Kind<
  MutatingAdmissionPolicy,
  'admissionregistration.k8s.io',
  'MutatingAdmissionPolicy'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  scope: 'Cluster',
};

/** MutatingAdmissionPolicyBinding binds the MutatingAdmissionPolicy with parametrized resources. */
export const MutatingAdmissionPolicyBinding: Kind<
  MutatingAdmissionPolicyBinding,
  'admissionregistration.k8s.io',
  'MutatingAdmissionPolicyBinding'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  scope: 'Cluster',
};

/** MutatingWebhookConfiguration describes the configuration of and admission webhook that accept or reject and may change the object. */
export const MutatingWebhookConfiguration: Kind<
  MutatingWebhookConfiguration,
  'admissionregistration.k8s.io',
  'MutatingWebhookConfiguration'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  scope: 'Cluster',
};

/** ValidatingAdmissionPolicy describes the definition of an admission validation policy that accepts or rejects an object without changing it. */
export const ValidatingAdmissionPolicy: Kind<
  ValidatingAdmissionPolicy,
  'admissionregistration.k8s.io',
  'ValidatingAdmissionPolicy'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  scope: 'Cluster',
};

/** ValidatingAdmissionPolicyBinding binds the ValidatingAdmissionPolicy with paramerized resources. */
export const ValidatingAdmissionPolicyBinding: Kind<
  ValidatingAdmissionPolicyBinding,
  'admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  scope: 'Cluster',
};

/** ValidatingWebhookConfiguration describes the configuration of and admission webhook that accept or reject and object without changing it. */
export const ValidatingWebhookConfiguration: Kind<
  ValidatingWebhookConfiguration,
  'admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration'
> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  scope: 'Cluster',
};

export type MutatingAdmissionPolicy = api.MutatingAdmissionPolicy;
export type MutatingAdmissionPolicyBinding = api.MutatingAdmissionPolicyBinding;
export type MutatingWebhookConfiguration = api.MutatingWebhookConfiguration;
export type ValidatingAdmissionPolicy = api.ValidatingAdmissionPolicy;
export type ValidatingAdmissionPolicyBinding = api.ValidatingAdmissionPolicyBinding;
export type ValidatingWebhookConfiguration = api.ValidatingWebhookConfiguration;
