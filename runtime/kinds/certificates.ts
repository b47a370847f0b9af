// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/certificates.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/certificates.ts';

/** CertificateSigningRequest objects provide a mechanism to obtain x509 certificates by submitting a certificate signing request, and having it asynchronously approved and issued. */
export const CertificateSigningRequest: Kind<
  CertificateSigningRequest,
  'certificates.k8s.io',
  'CertificateSigningRequest'
> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  scope: 'Cluster',
};

export type CertificateSigningRequest = api.CertificateSigningRequest;
