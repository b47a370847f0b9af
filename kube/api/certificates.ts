// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

export interface CertificateSigningRequest {
  /** spec contains the certificate request, and is immutable after creation. */
  spec: CertificateSigningRequestSpec;
  /** status contains information about whether the request is approved or denied, and the certificate issued by the signer, or the failure condition indicating signer failure. */
  status?: CertificateSigningRequestStatus;
}

/** CertificateSigningRequestCondition describes a condition of a CertificateSigningRequest object */
export interface CertificateSigningRequestCondition {
  /** lastTransitionTime is the time the condition last transitioned from one status to another. */
  lastTransitionTime?: string;
  /** lastUpdateTime is the time of the last update to this condition */
  lastUpdateTime?: string;
  /** message contains a human readable message with details about the request state */
  message?: string;
  /** reason indicates a brief reason for the request state */
  reason?: string;
  /** status of the condition, one of True, False, Unknown. */
  status: string;
  /** type of the condition. */
  type: string;
}

/** CertificateSigningRequestSpec contains the certificate request. */
export interface CertificateSigningRequestSpec {
  /** expirationSeconds is the requested duration of validity of the issued certificate. */
  expirationSeconds?: number;
  /** extra contains extra attributes of the user that created the CertificateSigningRequest. */
  extra?: Record<string, string[]>;
  /** groups contains group membership of the user that created the CertificateSigningRequest. */
  groups?: string[];
  /** request contains an x509 certificate signing request encoded in a "CERTIFICATE REQUEST" PEM block. */
  request: string;
  /** signerName indicates the requested signer, and is a qualified name. */
  signerName: string;
  /** uid contains the uid of the user that created the CertificateSigningRequest. */
  uid?: string;
  /** usages specifies a set of key usages requested in the issued certificate. */
  usages?: (
    | 'any'
    | 'cert sign'
    | 'client auth'
    | 'code signing'
    | 'content commitment'
    | 'crl sign'
    | 'data encipherment'
    | 'decipher only'
    | 'digital signature'
    | 'email protection'
    | 'encipher only'
    | 'ipsec end system'
    | 'ipsec tunnel'
    | 'ipsec user'
    | 'key agreement'
    | 'key encipherment'
    | 'microsoft sgc'
    | 'netscape sgc'
    | 'ocsp signing'
    | 's/mime'
    | 'server auth'
    | 'signing'
    | 'timestamping'
  )[];
  /** username contains the name of the user that created the CertificateSigningRequest. */
  username?: string;
}

/** CertificateSigningRequestStatus contains conditions used to indicate approved/denied/failed status of the request, and the issued certificate. */
export interface CertificateSigningRequestStatus {
  /** certificate is populated with an issued certificate by the signer after an Approved condition is present. */
  certificate?: string;
  /** conditions applied to the request. */
  conditions?: CertificateSigningRequestCondition[];
}
