/** A Tenant of Capsule with a spec, as flow YAML. */
export const tenant = (name: string, spec: string, metadata = ''): string => `
apiVersion: capsule.clastix.io/v1beta2
kind: Tenant
metadata: { name: ${name}${metadata} }
spec: ${spec}
---`;

/** Namespaces with the label of their tenant, and further labels as flow YAML. */
export const namespaces = (owner: string, names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(
      ([name, labels]) => `
apiVersion: v1
kind: Namespace
metadata: { name: ${name}, labels: { capsule.clastix.io/tenant: ${owner}${labels && `, ${labels}`} } }
---`,
    )
    .join('');

/** An object that one of Capsule's controllers made for a tenant. */
export const made = (kind: string, name: string, owner: string, content: string): string => `
apiVersion: ${versions[kind]!}
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${owner}-dev
  labels: { projectcapsule.dev/managed-by: controller, projectcapsule.dev/tenant: ${owner} }
  ownerReferences:
    - { apiVersion: capsule.clastix.io/v1beta2, kind: Tenant, name: ${owner}, uid: '1', controller: true }
${content}
---`;

const versions: Readonly<Record<string, string>> = {
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  ResourceQuota: 'v1',
  LimitRange: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  ConfigMap: 'v1',
};
