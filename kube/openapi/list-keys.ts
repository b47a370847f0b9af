// Written by `npm run gen:fields` from the OpenAPI of an API server of Kubernetes 1.36.3.
/**
 * The lists in Kubernetes' own namespaced kinds whose items server-side apply merges one by one.
 * Each line is a type, as the table of fields names it, a field, and the keys that identify its items.
 * Each key has the default for items that leave it out; `*` means that the value of an item identifies it.
 * An empty default of an optional field does not count: answers of a server lack it.
 * Source: https://github.com/kubernetes/kubernetes/tree/v1.36.3/api/openapi-spec/v3
 */
export const listKeys: string = `
Container env name=""
Container ports containerPort=0 protocol="TCP"
Container volumeDevices devicePath=""
Container volumeMounts mountPath=""
ContainerRestartRuleOnExitCodes values *
ContainerStatus allocatedResourcesStatus name=""
ContainerStatus volumeMounts mountPath=""
DaemonSetStatus conditions type=""
DeploymentStatus conditions type=""
Endpoint addresses *
EphemeralContainer env name=""
EphemeralContainer ports containerPort=0 protocol="TCP"
EphemeralContainer volumeDevices devicePath=""
EphemeralContainer volumeMounts mountPath=""
NodeAllocatableResourceClaimStatus containers *
ObjectMeta finalizers *
ObjectMeta ownerReferences uid=""
PersistentVolumeClaimStatus conditions type=""
PodCertificateRequestStatus conditions type=""
PodDisruptionBudgetStatus conditions type=""
PodFailurePolicyOnExitCodesRequirement values *
PodGroupSpec resourceClaims name=""
PodGroupStatus conditions type=""
PodGroupStatus resourceClaimStatuses name=""
PodGroupTemplate resourceClaims name=""
PodSpec containers name=""
PodSpec ephemeralContainers name=""
PodSpec hostAliases ip=""
PodSpec imagePullSecrets name
PodSpec initContainers name=""
PodSpec resourceClaims name=""
PodSpec schedulingGates name=""
PodSpec topologySpreadConstraints topologyKey="" whenUnsatisfiable=""
PodSpec volumes name=""
PodStatus conditions type=""
PodStatus podIPs ip=""
PodStatus resourceClaimStatuses name=""
ReplicaSetStatus conditions type=""
ReplicationControllerStatus conditions type=""
ResourceRequirements claims name=""
ResourceStatus resources resourceID=""
ServiceSpec ports port=0 protocol="TCP"
ServiceStatus conditions type=""
StatefulSetStatus conditions type=""
UncountedTerminatedPods failed *
UncountedTerminatedPods succeeded *
WorkloadSpec podGroupTemplates name=""
autoscaling.v2.HorizontalPodAutoscalerStatus conditions type=""
resource.v1.AllocatedDeviceStatus conditions type=""
resource.v1.ResourceClaimStatus devices driver="" device="" pool="" shareID
resource.v1.ResourceClaimStatus reservedFor uid=""
resource.v1beta1.AllocatedDeviceStatus conditions type=""
resource.v1beta1.ResourceClaimStatus devices driver="" device="" pool="" shareID
resource.v1beta1.ResourceClaimStatus reservedFor uid=""
resource.v1beta2.AllocatedDeviceStatus conditions type=""
resource.v1beta2.ResourceClaimStatus devices driver="" device="" pool="" shareID
resource.v1beta2.ResourceClaimStatus reservedFor uid=""
v1/ServiceAccount secrets name
`;
