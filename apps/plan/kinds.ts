/** The API groups of the kinds that a plan knows. */
export const TENANT_GROUP = 'tenantry.dev';
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
export const NETWORK_GROUP = 'networking.k8s.io';
export const ADMISSION_GROUP = 'admissionregistration.k8s.io';
export const DEFINITIONS_GROUP = 'apiextensions.k8s.io';
export const ARGO_GROUP = 'argoproj.io';
