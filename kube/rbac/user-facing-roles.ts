/**
 * What Kubernetes' ClusterRoles for people allow: `view`, what `edit` adds to it, what `admin` adds
 * to both. A line is a role, an API group, what may be done, and the resources. As in the source,
 * `read` is get, list, watch, and `write` is create, update, patch, delete, deletecollection.
 * Written by `npm run gen:roles` from what an API server of Kubernetes 1.36.3 serves.
 * Source: https://github.com/kubernetes/kubernetes/blob/v1.36.3/plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go
 */
export const userFacingRoles = `
view apps read: controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status
view autoscaling read: horizontalpodautoscalers horizontalpodautoscalers/status
view batch read: cronjobs cronjobs/status jobs jobs/status
view core read: bindings configmaps endpoints events limitranges namespaces namespaces/status persistentvolumeclaims persistentvolumeclaims/status pods pods/log pods/status replicationcontrollers replicationcontrollers/scale replicationcontrollers/status resourcequotas resourcequotas/status serviceaccounts services services/status
view discovery.k8s.io read: endpointslices
view events.k8s.io read: events
view extensions read: daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale
view networking.k8s.io read: ingresses ingresses/status networkpolicies
view policy read: poddisruptionbudgets poddisruptionbudgets/status
view resource.k8s.io read: resourceclaims resourceclaims/status resourceclaimtemplates
edit apps write: daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale
edit autoscaling write: horizontalpodautoscalers
edit batch write: cronjobs jobs
edit coordination.k8s.io read: leases
edit coordination.k8s.io write: leases
edit core create: pods/eviction serviceaccounts/token
edit core impersonate: serviceaccounts
edit core read: pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy
edit core write: configmaps events persistentvolumeclaims pods pods/attach pods/exec pods/portforward pods/proxy replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy
edit events.k8s.io write: events
edit extensions write: daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale
edit networking.k8s.io write: ingresses networkpolicies
edit policy write: poddisruptionbudgets
edit resource.k8s.io write: resourceclaims resourceclaimtemplates
admin authorization.k8s.io create: localsubjectaccessreviews
admin rbac.authorization.k8s.io read: rolebindings roles
admin rbac.authorization.k8s.io write: rolebindings roles
`;
