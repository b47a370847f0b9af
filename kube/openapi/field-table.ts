// Written by `npm run gen:fields` from the OpenAPI of an API server of Kubernetes 1.36.3.
/**
 * The fields of Kubernetes' own namespaced kinds, and of the types that they consist of.
 * Each line is a type with its fields and their types. A kind has its apiVersion in its name.
 * `[]` is a list of, `{}` a map of; `bytes` are base64, `any` is any JSON.
 * The table does not list which fields are required.
 * Source: https://github.com/kubernetes/kubernetes/tree/v1.36.3/api/openapi-spec/v3
 */
export const fieldTable: string = `
AWSElasticBlockStoreVolumeSource fsType:string partition:int32 readOnly:boolean volumeID:string
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
AppArmorProfile localhostProfile:string type:string
AzureDiskVolumeSource cachingMode:string diskName:string diskURI:string fsType:string kind:string readOnly:boolean
AzureFileVolumeSource readOnly:boolean secretName:string shareName:string
BasicSchedulingPolicy
CSIVolumeSource driver:string fsType:string nodePublishSecretRef:LocalObjectReference readOnly:boolean volumeAttributes:{}string
Capabilities add:[]string drop:[]string
CephFSVolumeSource monitors:[]string path:string readOnly:boolean secretFile:string secretRef:LocalObjectReference user:string
CinderVolumeSource fsType:string readOnly:boolean secretRef:LocalObjectReference volumeID:string
ClientIPConfig timeoutSeconds:int32
ClusterTrustBundleProjection labelSelector:LabelSelector name:string optional:boolean path:string signerName:string
Condition lastTransitionTime:time message:string observedGeneration:int64 reason:string status:string type:string
ConfigMapEnvSource name:string optional:boolean
ConfigMapKeySelector key:string name:string optional:boolean
ConfigMapProjection items:[]KeyToPath name:string optional:boolean
ConfigMapVolumeSource defaultMode:int32 items:[]KeyToPath name:string optional:boolean
Container args:[]string command:[]string env:[]EnvVar envFrom:[]EnvFromSource image:string imagePullPolicy:string lifecycle:Lifecycle livenessProbe:Probe name:string ports:[]ContainerPort readinessProbe:Probe resizePolicy:[]ContainerResizePolicy resources:ResourceRequirements restartPolicy:string restartPolicyRules:[]ContainerRestartRule securityContext:SecurityContext startupProbe:Probe stdin:boolean stdinOnce:boolean terminationMessagePath:string terminationMessagePolicy:string tty:boolean volumeDevices:[]VolumeDevice volumeMounts:[]VolumeMount workingDir:string
ContainerExtendedResourceRequest containerName:string requestName:string resourceName:string
ContainerPort containerPort:int32 hostIP:string hostPort:int32 name:string protocol:string
ContainerResizePolicy resourceName:string restartPolicy:string
ContainerResourceMetricSource container:string name:string target:MetricTarget
ContainerResourceMetricStatus container:string current:MetricValueStatus name:string
ContainerRestartRule action:string exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator:string values:[]int32
ContainerState running:ContainerStateRunning terminated:ContainerStateTerminated waiting:ContainerStateWaiting
ContainerStateRunning startedAt:time
ContainerStateTerminated containerID:string exitCode:int32 finishedAt:time message:string reason:string signal:int32 startedAt:time
ContainerStateWaiting message:string reason:string
ContainerStatus allocatedResources:{}quantity allocatedResourcesStatus:[]ResourceStatus containerID:string image:string imageID:string lastState:ContainerState name:string ready:boolean resources:ResourceRequirements restartCount:int32 started:boolean state:ContainerState stopSignal:string user:ContainerUser volumeMounts:[]VolumeMountStatus
ContainerUser linux:LinuxContainerUser
CronJobSpec concurrencyPolicy:string failedJobsHistoryLimit:int32 jobTemplate:JobTemplateSpec schedule:string startingDeadlineSeconds:int64 successfulJobsHistoryLimit:int32 suspend:boolean timeZone:string
CronJobStatus active:[]ObjectReference lastScheduleTime:time lastSuccessfulTime:time
DaemonSetCondition lastTransitionTime:time message:string reason:string status:string type:string
DaemonSetSpec minReadySeconds:int32 revisionHistoryLimit:int32 selector:LabelSelector template:PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy
DaemonSetStatus collisionCount:int32 conditions:[]DaemonSetCondition currentNumberScheduled:int32 desiredNumberScheduled:int32 numberAvailable:int32 numberMisscheduled:int32 numberReady:int32 numberUnavailable:int32 observedGeneration:int64 updatedNumberScheduled:int32
DaemonSetUpdateStrategy rollingUpdate:RollingUpdateDaemonSet type:string
DeploymentCondition lastTransitionTime:time lastUpdateTime:time message:string reason:string status:string type:string
DeploymentSpec minReadySeconds:int32 paused:boolean progressDeadlineSeconds:int32 replicas:int32 revisionHistoryLimit:int32 selector:LabelSelector strategy:DeploymentStrategy template:PodTemplateSpec
DeploymentStatus availableReplicas:int32 collisionCount:int32 conditions:[]DeploymentCondition observedGeneration:int64 readyReplicas:int32 replicas:int32 terminatingReplicas:int32 unavailableReplicas:int32 updatedReplicas:int32
DeploymentStrategy rollingUpdate:RollingUpdateDeployment type:string
DownwardAPIProjection items:[]DownwardAPIVolumeFile
DownwardAPIVolumeFile fieldRef:ObjectFieldSelector mode:int32 path:string resourceFieldRef:ResourceFieldSelector
DownwardAPIVolumeSource defaultMode:int32 items:[]DownwardAPIVolumeFile
EmptyDirVolumeSource medium:string sizeLimit:quantity
Endpoint addresses:[]string conditions:EndpointConditions deprecatedTopology:{}string hints:EndpointHints hostname:string nodeName:string targetRef:ObjectReference zone:string
EndpointAddress hostname:string ip:string nodeName:string targetRef:ObjectReference
EndpointConditions ready:boolean serving:boolean terminating:boolean
EndpointHints forNodes:[]ForNode forZones:[]ForZone
EndpointSubset addresses:[]EndpointAddress notReadyAddresses:[]EndpointAddress ports:[]core.v1.EndpointPort
EnvFromSource configMapRef:ConfigMapEnvSource prefix:string secretRef:SecretEnvSource
EnvVar name:string value:string valueFrom:EnvVarSource
EnvVarSource configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector
EphemeralContainer args:[]string command:[]string env:[]EnvVar envFrom:[]EnvFromSource image:string imagePullPolicy:string lifecycle:Lifecycle livenessProbe:Probe name:string ports:[]ContainerPort readinessProbe:Probe resizePolicy:[]ContainerResizePolicy resources:ResourceRequirements restartPolicy:string restartPolicyRules:[]ContainerRestartRule securityContext:SecurityContext startupProbe:Probe stdin:boolean stdinOnce:boolean targetContainerName:string terminationMessagePath:string terminationMessagePolicy:string tty:boolean volumeDevices:[]VolumeDevice volumeMounts:[]VolumeMount workingDir:string
EphemeralVolumeSource volumeClaimTemplate:PersistentVolumeClaimTemplate
EventSource component:string host:string
ExecAction command:[]string
ExternalMetricSource metric:MetricIdentifier target:MetricTarget
ExternalMetricStatus current:MetricValueStatus metric:MetricIdentifier
FCVolumeSource fsType:string lun:int32 readOnly:boolean targetWWNs:[]string wwids:[]string
FileKeySelector key:string optional:boolean path:string volumeName:string
FlexVolumeSource driver:string fsType:string options:{}string readOnly:boolean secretRef:LocalObjectReference
FlockerVolumeSource datasetName:string datasetUUID:string
ForNode name:string
ForZone name:string
GCEPersistentDiskVolumeSource fsType:string partition:int32 pdName:string readOnly:boolean
GRPCAction port:int32 service:string
GangSchedulingPolicy minCount:int32
GitRepoVolumeSource directory:string repository:string revision:string
GlusterfsVolumeSource endpoints:string path:string readOnly:boolean
HPAScalingPolicy periodSeconds:int32 type:string value:int32
HPAScalingRules policies:[]HPAScalingPolicy selectPolicy:string stabilizationWindowSeconds:int32 tolerance:quantity
HTTPGetAction host:string httpHeaders:[]HTTPHeader path:string port:int-or-string scheme:string
HTTPHeader name:string value:string
HTTPIngressPath backend:IngressBackend path:string pathType:string
HTTPIngressRuleValue paths:[]HTTPIngressPath
HorizontalPodAutoscalerBehavior scaleDown:HPAScalingRules scaleUp:HPAScalingRules
HorizontalPodAutoscalerCondition lastTransitionTime:time message:string reason:string status:string type:string
HostAlias hostnames:[]string ip:string
HostIP ip:string
HostPathVolumeSource path:string type:string
IPBlock cidr:string except:[]string
ISCSIVolumeSource chapAuthDiscovery:boolean chapAuthSession:boolean fsType:string initiatorName:string iqn:string iscsiInterface:string lun:int32 portals:[]string readOnly:boolean secretRef:LocalObjectReference targetPortal:string
ImageVolumeSource pullPolicy:string reference:string
ImageVolumeStatus imageRef:string
IngressBackend resource:core.v1.TypedLocalObjectReference service:IngressServiceBackend
IngressLoadBalancerIngress hostname:string ip:string ports:[]IngressPortStatus
IngressLoadBalancerStatus ingress:[]IngressLoadBalancerIngress
IngressPortStatus error:string port:int32 protocol:string
IngressRule host:string http:HTTPIngressRuleValue
IngressServiceBackend name:string port:ServiceBackendPort
IngressSpec defaultBackend:IngressBackend ingressClassName:string rules:[]IngressRule tls:[]IngressTLS
IngressStatus loadBalancer:IngressLoadBalancerStatus
IngressTLS hosts:[]string secretName:string
JobCondition lastProbeTime:time lastTransitionTime:time message:string reason:string status:string type:string
JobSpec activeDeadlineSeconds:int64 backoffLimit:int32 backoffLimitPerIndex:int32 completionMode:string completions:int32 managedBy:string manualSelector:boolean maxFailedIndexes:int32 parallelism:int32 podFailurePolicy:PodFailurePolicy podReplacementPolicy:string selector:LabelSelector successPolicy:SuccessPolicy suspend:boolean template:PodTemplateSpec ttlSecondsAfterFinished:int32
JobStatus active:int32 completedIndexes:string completionTime:time conditions:[]JobCondition failed:int32 failedIndexes:string ready:int32 startTime:time succeeded:int32 terminating:int32 uncountedTerminatedPods:UncountedTerminatedPods
JobTemplateSpec metadata:ObjectMeta spec:JobSpec
KeyToPath key:string mode:int32 path:string
LabelSelector matchExpressions:[]LabelSelectorRequirement matchLabels:{}string
LabelSelectorRequirement key:string operator:string values:[]string
LeaseSpec acquireTime:microtime holderIdentity:string leaseDurationSeconds:int32 leaseTransitions:int32 preferredHolder:string renewTime:microtime strategy:string
Lifecycle postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:string
LifecycleHandler exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction
LimitRangeItem default:{}quantity defaultRequest:{}quantity max:{}quantity maxLimitRequestRatio:{}quantity min:{}quantity type:string
LimitRangeSpec limits:[]LimitRangeItem
LinuxContainerUser gid:int64 supplementalGroups:[]int64 uid:int64
LoadBalancerIngress hostname:string ip:string ipMode:string ports:[]PortStatus
LoadBalancerStatus ingress:[]LoadBalancerIngress
LocalObjectReference name:string
ManagedFieldsEntry apiVersion:string fieldsType:string fieldsV1:any manager:string operation:string subresource:string time:time
MetricIdentifier name:string selector:LabelSelector
MetricSpec containerResource:ContainerResourceMetricSource external:ExternalMetricSource object:ObjectMetricSource pods:PodsMetricSource resource:ResourceMetricSource type:string
MetricStatus containerResource:ContainerResourceMetricStatus external:ExternalMetricStatus object:ObjectMetricStatus pods:PodsMetricStatus resource:ResourceMetricStatus type:string
MetricTarget averageUtilization:int32 averageValue:quantity type:string value:quantity
MetricValueStatus averageUtilization:int32 averageValue:quantity value:quantity
ModifyVolumeStatus status:string targetVolumeAttributesClassName:string
NFSVolumeSource path:string readOnly:boolean server:string
NetworkPolicyEgressRule ports:[]NetworkPolicyPort to:[]NetworkPolicyPeer
NetworkPolicyIngressRule from:[]NetworkPolicyPeer ports:[]NetworkPolicyPort
NetworkPolicyPeer ipBlock:IPBlock namespaceSelector:LabelSelector podSelector:LabelSelector
NetworkPolicyPort endPort:int32 port:int-or-string protocol:string
NetworkPolicySpec egress:[]NetworkPolicyEgressRule ingress:[]NetworkPolicyIngressRule podSelector:LabelSelector policyTypes:[]string
NodeAffinity preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
NodeAllocatableResourceClaimStatus containers:[]string resourceClaimName:string resources:{}quantity
NodeSelector nodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorRequirement key:string operator:string values:[]string
NodeSelectorTerm matchExpressions:[]NodeSelectorRequirement matchFields:[]NodeSelectorRequirement
ObjectFieldSelector apiVersion:string fieldPath:string
ObjectMeta annotations:{}string creationTimestamp:time deletionGracePeriodSeconds:int64 deletionTimestamp:time finalizers:[]string generateName:string generation:int64 labels:{}string managedFields:[]ManagedFieldsEntry name:string namespace:string ownerReferences:[]OwnerReference resourceVersion:string selfLink:string uid:string
ObjectMetricSource describedObject:autoscaling.v2.CrossVersionObjectReference metric:MetricIdentifier target:MetricTarget
ObjectMetricStatus current:MetricValueStatus describedObject:autoscaling.v2.CrossVersionObjectReference metric:MetricIdentifier
ObjectReference apiVersion:string fieldPath:string kind:string name:string namespace:string resourceVersion:string uid:string
OwnerReference apiVersion:string blockOwnerDeletion:boolean controller:boolean kind:string name:string uid:string
PersistentVolumeClaimCondition lastProbeTime:time lastTransitionTime:time message:string reason:string status:string type:string
PersistentVolumeClaimSpec accessModes:[]string dataSource:core.v1.TypedLocalObjectReference dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector storageClassName:string volumeAttributesClassName:string volumeMode:string volumeName:string
PersistentVolumeClaimStatus accessModes:[]string allocatedResourceStatuses:{}string allocatedResources:{}quantity capacity:{}quantity conditions:[]PersistentVolumeClaimCondition currentVolumeAttributesClassName:string modifyVolumeStatus:ModifyVolumeStatus phase:string
PersistentVolumeClaimTemplate metadata:ObjectMeta spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName:string readOnly:boolean
PhotonPersistentDiskVolumeSource fsType:string pdID:string
PodAffinity preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
PodAffinityTerm labelSelector:LabelSelector matchLabelKeys:[]string mismatchLabelKeys:[]string namespaceSelector:LabelSelector namespaces:[]string topologyKey:string
PodAntiAffinity preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
PodCertificateProjection certificateChainPath:string credentialBundlePath:string keyPath:string keyType:string maxExpirationSeconds:int32 signerName:string userAnnotations:{}string
PodCertificateRequestSpec maxExpirationSeconds:int32 nodeName:string nodeUID:string pkixPublicKey:bytes podName:string podUID:string proofOfPossession:bytes serviceAccountName:string serviceAccountUID:string signerName:string stubPKCS10Request:bytes unverifiedUserAnnotations:{}string
PodCertificateRequestStatus beginRefreshAt:time certificateChain:string conditions:[]Condition notAfter:time notBefore:time
PodCondition lastProbeTime:time lastTransitionTime:time message:string observedGeneration:int64 reason:string status:string type:string
PodDNSConfig nameservers:[]string options:[]PodDNSConfigOption searches:[]string
PodDNSConfigOption name:string value:string
PodDisruptionBudgetSpec maxUnavailable:int-or-string minAvailable:int-or-string selector:LabelSelector unhealthyPodEvictionPolicy:string
PodDisruptionBudgetStatus conditions:[]Condition currentHealthy:int32 desiredHealthy:int32 disruptedPods:{}time disruptionsAllowed:int32 expectedPods:int32 observedGeneration:int64
PodExtendedResourceClaimStatus requestMappings:[]ContainerExtendedResourceRequest resourceClaimName:string
PodFailurePolicy rules:[]PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement containerName:string operator:string values:[]int32
PodFailurePolicyOnPodConditionsPattern status:string type:string
PodFailurePolicyRule action:string onExitCodes:PodFailurePolicyOnExitCodesRequirement onPodConditions:[]PodFailurePolicyOnPodConditionsPattern
PodGroupResourceClaim name:string resourceClaimName:string resourceClaimTemplateName:string
PodGroupResourceClaimStatus name:string resourceClaimName:string
PodGroupSchedulingConstraints topology:[]TopologyConstraint
PodGroupSchedulingPolicy basic:BasicSchedulingPolicy gang:GangSchedulingPolicy
PodGroupSpec disruptionMode:string podGroupTemplateRef:PodGroupTemplateReference priority:int32 priorityClassName:string resourceClaims:[]PodGroupResourceClaim schedulingConstraints:PodGroupSchedulingConstraints schedulingPolicy:PodGroupSchedulingPolicy
PodGroupStatus conditions:[]Condition resourceClaimStatuses:[]PodGroupResourceClaimStatus
PodGroupTemplate disruptionMode:string name:string priority:int32 priorityClassName:string resourceClaims:[]PodGroupResourceClaim schedulingConstraints:PodGroupSchedulingConstraints schedulingPolicy:PodGroupSchedulingPolicy
PodGroupTemplateReference workload:WorkloadPodGroupTemplateReference
PodIP ip:string
PodOS name:string
PodReadinessGate conditionType:string
PodResourceClaim name:string resourceClaimName:string resourceClaimTemplateName:string
PodResourceClaimStatus name:string resourceClaimName:string
PodSchedulingGate name:string
PodSchedulingGroup podGroupName:string
PodSecurityContext appArmorProfile:AppArmorProfile fsGroup:int64 fsGroupChangePolicy:string runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64 seLinuxChangePolicy:string seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile supplementalGroups:[]int64 supplementalGroupsPolicy:string sysctls:[]Sysctl windowsOptions:WindowsSecurityContextOptions
PodSpec activeDeadlineSeconds:int64 affinity:Affinity automountServiceAccountToken:boolean containers:[]Container dnsConfig:PodDNSConfig dnsPolicy:string enableServiceLinks:boolean ephemeralContainers:[]EphemeralContainer hostAliases:[]HostAlias hostIPC:boolean hostNetwork:boolean hostPID:boolean hostUsers:boolean hostname:string hostnameOverride:string imagePullSecrets:[]LocalObjectReference initContainers:[]Container nodeName:string nodeSelector:{}string os:PodOS overhead:{}quantity preemptionPolicy:string priority:int32 priorityClassName:string readinessGates:[]PodReadinessGate resourceClaims:[]PodResourceClaim resources:ResourceRequirements restartPolicy:string runtimeClassName:string schedulerName:string schedulingGates:[]PodSchedulingGate schedulingGroup:PodSchedulingGroup securityContext:PodSecurityContext serviceAccount:string serviceAccountName:string setHostnameAsFQDN:boolean shareProcessNamespace:boolean subdomain:string terminationGracePeriodSeconds:int64 tolerations:[]Toleration topologySpreadConstraints:[]TopologySpreadConstraint volumes:[]Volume
PodStatus allocatedResources:{}quantity conditions:[]PodCondition containerStatuses:[]ContainerStatus ephemeralContainerStatuses:[]ContainerStatus extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP:string hostIPs:[]HostIP initContainerStatuses:[]ContainerStatus message:string nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus nominatedNodeName:string observedGeneration:int64 phase:string podIP:string podIPs:[]PodIP qosClass:string reason:string resize:string resourceClaimStatuses:[]PodResourceClaimStatus resources:ResourceRequirements startTime:time
PodTemplateSpec metadata:ObjectMeta spec:PodSpec
PodsMetricSource metric:MetricIdentifier target:MetricTarget
PodsMetricStatus current:MetricValueStatus metric:MetricIdentifier
PolicyRule apiGroups:[]string nonResourceURLs:[]string resourceNames:[]string resources:[]string verbs:[]string
PortStatus error:string port:int32 protocol:string
PortworxVolumeSource fsType:string readOnly:boolean volumeID:string
PreferredSchedulingTerm preference:NodeSelectorTerm weight:int32
Probe exec:ExecAction failureThreshold:int32 grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds:int32 periodSeconds:int32 successThreshold:int32 tcpSocket:TCPSocketAction terminationGracePeriodSeconds:int64 timeoutSeconds:int32
ProjectedVolumeSource defaultMode:int32 sources:[]VolumeProjection
QuobyteVolumeSource group:string readOnly:boolean registry:string tenant:string user:string volume:string
RBDVolumeSource fsType:string image:string keyring:string monitors:[]string pool:string readOnly:boolean secretRef:LocalObjectReference user:string
ReplicaSetCondition lastTransitionTime:time message:string reason:string status:string type:string
ReplicaSetSpec minReadySeconds:int32 replicas:int32 selector:LabelSelector template:PodTemplateSpec
ReplicaSetStatus availableReplicas:int32 conditions:[]ReplicaSetCondition fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas:int32 terminatingReplicas:int32
ReplicationControllerCondition lastTransitionTime:time message:string reason:string status:string type:string
ReplicationControllerSpec minReadySeconds:int32 replicas:int32 selector:{}string template:PodTemplateSpec
ReplicationControllerStatus availableReplicas:int32 conditions:[]ReplicationControllerCondition fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas:int32
ResourceFieldSelector containerName:string divisor:quantity resource:string
ResourceHealth health:string message:string resourceID:string
ResourceMetricSource name:string target:MetricTarget
ResourceMetricStatus current:MetricValueStatus name:string
ResourceQuotaSpec hard:{}quantity scopeSelector:ScopeSelector scopes:[]string
ResourceQuotaStatus hard:{}quantity used:{}quantity
ResourceRequirements claims:[]core.v1.ResourceClaim limits:{}quantity requests:{}quantity
ResourceStatus name:string resources:[]ResourceHealth
RoleRef apiGroup:string kind:string name:string
RollingUpdateDaemonSet maxSurge:int-or-string maxUnavailable:int-or-string
RollingUpdateDeployment maxSurge:int-or-string maxUnavailable:int-or-string
RollingUpdateStatefulSetStrategy maxUnavailable:int-or-string partition:int32
SELinuxOptions level:string role:string type:string user:string
ScaleIOVolumeSource fsType:string gateway:string protectionDomain:string readOnly:boolean secretRef:LocalObjectReference sslEnabled:boolean storageMode:string storagePool:string system:string volumeName:string
ScopeSelector matchExpressions:[]ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement operator:string scopeName:string values:[]string
SeccompProfile localhostProfile:string type:string
SecretEnvSource name:string optional:boolean
SecretKeySelector key:string name:string optional:boolean
SecretProjection items:[]KeyToPath name:string optional:boolean
SecretVolumeSource defaultMode:int32 items:[]KeyToPath optional:boolean secretName:string
SecurityContext allowPrivilegeEscalation:boolean appArmorProfile:AppArmorProfile capabilities:Capabilities privileged:boolean procMount:string readOnlyRootFilesystem:boolean runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64 seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions
ServiceAccountTokenProjection audience:string expirationSeconds:int64 path:string
ServiceBackendPort name:string number:int32
ServicePort appProtocol:string name:string nodePort:int32 port:int32 protocol:string targetPort:int-or-string
ServiceSpec allocateLoadBalancerNodePorts:boolean clusterIP:string clusterIPs:[]string externalIPs:[]string externalName:string externalTrafficPolicy:string healthCheckNodePort:int32 internalTrafficPolicy:string ipFamilies:[]string ipFamilyPolicy:string loadBalancerClass:string loadBalancerIP:string loadBalancerSourceRanges:[]string ports:[]ServicePort publishNotReadyAddresses:boolean selector:{}string sessionAffinity:string sessionAffinityConfig:SessionAffinityConfig trafficDistribution:string type:string
ServiceStatus conditions:[]Condition loadBalancer:LoadBalancerStatus
SessionAffinityConfig clientIP:ClientIPConfig
SleepAction seconds:int64
StatefulSetCondition lastTransitionTime:time message:string reason:string status:string type:string
StatefulSetOrdinals start:int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:string whenScaled:string
StatefulSetSpec minReadySeconds:int32 ordinals:StatefulSetOrdinals persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy podManagementPolicy:string replicas:int32 revisionHistoryLimit:int32 selector:LabelSelector serviceName:string template:PodTemplateSpec updateStrategy:StatefulSetUpdateStrategy volumeClaimTemplates:[]v1/PersistentVolumeClaim
StatefulSetStatus availableReplicas:int32 collisionCount:int32 conditions:[]StatefulSetCondition currentReplicas:int32 currentRevision:string observedGeneration:int64 readyReplicas:int32 replicas:int32 updateRevision:string updatedReplicas:int32
StatefulSetUpdateStrategy rollingUpdate:RollingUpdateStatefulSetStrategy type:string
StorageOSVolumeSource fsType:string readOnly:boolean secretRef:LocalObjectReference volumeName:string volumeNamespace:string
Subject apiGroup:string kind:string name:string namespace:string
SuccessPolicy rules:[]SuccessPolicyRule
SuccessPolicyRule succeededCount:int32 succeededIndexes:string
Sysctl name:string value:string
TCPSocketAction host:string port:int-or-string
Toleration effect:string key:string operator:string tolerationSeconds:int64 value:string
TopologyConstraint key:string
TopologySpreadConstraint labelSelector:LabelSelector matchLabelKeys:[]string maxSkew:int32 minDomains:int32 nodeAffinityPolicy:string nodeTaintsPolicy:string topologyKey:string whenUnsatisfiable:string
TypedObjectReference apiGroup:string kind:string name:string namespace:string
UncountedTerminatedPods failed:[]string succeeded:[]string
Volume awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource flexVolume:FlexVolumeSource flocker:FlockerVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource iscsi:ISCSIVolumeSource name:string nfs:NFSVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource
VolumeDevice devicePath:string name:string
VolumeMount mountPath:string mountPropagation:string name:string readOnly:boolean recursiveReadOnly:string subPath:string subPathExpr:string
VolumeMountStatus mountPath:string name:string readOnly:boolean recursiveReadOnly:string volumeStatus:VolumeStatus
VolumeProjection clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection
VolumeResourceRequirements limits:{}quantity requests:{}quantity
VolumeStatus image:ImageVolumeStatus
VsphereVirtualDiskVolumeSource fsType:string storagePolicyID:string storagePolicyName:string volumePath:string
WeightedPodAffinityTerm podAffinityTerm:PodAffinityTerm weight:int32
WindowsSecurityContextOptions gmsaCredentialSpec:string gmsaCredentialSpecName:string hostProcess:boolean runAsUserName:string
WorkloadPodGroupTemplateReference podGroupTemplateName:string workloadName:string
WorkloadSpec controllerRef:scheduling.v1alpha2.TypedLocalObjectReference podGroupTemplates:[]PodGroupTemplate
apps/v1/ControllerRevision apiVersion:string data:any kind:string metadata:ObjectMeta revision:int64
apps/v1/DaemonSet apiVersion:string kind:string metadata:ObjectMeta spec:DaemonSetSpec status:DaemonSetStatus
apps/v1/Deployment apiVersion:string kind:string metadata:ObjectMeta spec:DeploymentSpec status:DeploymentStatus
apps/v1/ReplicaSet apiVersion:string kind:string metadata:ObjectMeta spec:ReplicaSetSpec status:ReplicaSetStatus
apps/v1/StatefulSet apiVersion:string kind:string metadata:ObjectMeta spec:StatefulSetSpec status:StatefulSetStatus
autoscaling.v1.CrossVersionObjectReference apiVersion:string kind:string name:string
autoscaling.v1.HorizontalPodAutoscalerSpec maxReplicas:int32 minReplicas:int32 scaleTargetRef:autoscaling.v1.CrossVersionObjectReference targetCPUUtilizationPercentage:int32
autoscaling.v1.HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage:int32 currentReplicas:int32 desiredReplicas:int32 lastScaleTime:time observedGeneration:int64
autoscaling.v2.CrossVersionObjectReference apiVersion:string kind:string name:string
autoscaling.v2.HorizontalPodAutoscalerSpec behavior:HorizontalPodAutoscalerBehavior maxReplicas:int32 metrics:[]MetricSpec minReplicas:int32 scaleTargetRef:autoscaling.v2.CrossVersionObjectReference
autoscaling.v2.HorizontalPodAutoscalerStatus conditions:[]HorizontalPodAutoscalerCondition currentMetrics:[]MetricStatus currentReplicas:int32 desiredReplicas:int32 lastScaleTime:time observedGeneration:int64
autoscaling/v1/HorizontalPodAutoscaler apiVersion:string kind:string metadata:ObjectMeta spec:autoscaling.v1.HorizontalPodAutoscalerSpec status:autoscaling.v1.HorizontalPodAutoscalerStatus
autoscaling/v2/HorizontalPodAutoscaler apiVersion:string kind:string metadata:ObjectMeta spec:autoscaling.v2.HorizontalPodAutoscalerSpec status:autoscaling.v2.HorizontalPodAutoscalerStatus
batch/v1/CronJob apiVersion:string kind:string metadata:ObjectMeta spec:CronJobSpec status:CronJobStatus
batch/v1/Job apiVersion:string kind:string metadata:ObjectMeta spec:JobSpec status:JobStatus
certificates.k8s.io/v1beta1/PodCertificateRequest apiVersion:string kind:string metadata:ObjectMeta spec:PodCertificateRequestSpec status:PodCertificateRequestStatus
coordination.k8s.io/v1/Lease apiVersion:string kind:string metadata:ObjectMeta spec:LeaseSpec
coordination.k8s.io/v1alpha2/LeaseCandidate apiVersion:string kind:string metadata:ObjectMeta spec:coordination.v1alpha2.LeaseCandidateSpec
coordination.k8s.io/v1beta1/LeaseCandidate apiVersion:string kind:string metadata:ObjectMeta spec:coordination.v1beta1.LeaseCandidateSpec
coordination.v1alpha2.LeaseCandidateSpec binaryVersion:string emulationVersion:string leaseName:string pingTime:microtime renewTime:microtime strategy:string
coordination.v1beta1.LeaseCandidateSpec binaryVersion:string emulationVersion:string leaseName:string pingTime:microtime renewTime:microtime strategy:string
core.v1.EndpointPort appProtocol:string name:string port:int32 protocol:string
core.v1.EventSeries count:int32 lastObservedTime:microtime
core.v1.ResourceClaim name:string request:string
core.v1.TypedLocalObjectReference apiGroup:string kind:string name:string
discovery.k8s.io/v1/EndpointSlice addressType:string apiVersion:string endpoints:[]Endpoint kind:string metadata:ObjectMeta ports:[]discovery.v1.EndpointPort
discovery.v1.EndpointPort appProtocol:string name:string port:int32 protocol:string
events.k8s.io/v1/Event action:string apiVersion:string deprecatedCount:int32 deprecatedFirstTimestamp:time deprecatedLastTimestamp:time deprecatedSource:EventSource eventTime:microtime kind:string metadata:ObjectMeta note:string reason:string regarding:ObjectReference related:ObjectReference reportingController:string reportingInstance:string series:events.v1.EventSeries type:string
events.v1.EventSeries count:int32 lastObservedTime:microtime
networking.k8s.io/v1/Ingress apiVersion:string kind:string metadata:ObjectMeta spec:IngressSpec status:IngressStatus
networking.k8s.io/v1/NetworkPolicy apiVersion:string kind:string metadata:ObjectMeta spec:NetworkPolicySpec
policy/v1/PodDisruptionBudget apiVersion:string kind:string metadata:ObjectMeta spec:PodDisruptionBudgetSpec status:PodDisruptionBudgetStatus
rbac.authorization.k8s.io/v1/Role apiVersion:string kind:string metadata:ObjectMeta rules:[]PolicyRule
rbac.authorization.k8s.io/v1/RoleBinding apiVersion:string kind:string metadata:ObjectMeta roleRef:RoleRef subjects:[]Subject
resource.k8s.io/v1/ResourceClaim apiVersion:string kind:string metadata:ObjectMeta spec:resource.v1.ResourceClaimSpec status:resource.v1.ResourceClaimStatus
resource.k8s.io/v1/ResourceClaimTemplate apiVersion:string kind:string metadata:ObjectMeta spec:resource.v1.ResourceClaimTemplateSpec
resource.k8s.io/v1beta1/ResourceClaim apiVersion:string kind:string metadata:ObjectMeta spec:resource.v1beta1.ResourceClaimSpec status:resource.v1beta1.ResourceClaimStatus
resource.k8s.io/v1beta1/ResourceClaimTemplate apiVersion:string kind:string metadata:ObjectMeta spec:resource.v1beta1.ResourceClaimTemplateSpec
resource.k8s.io/v1beta2/ResourceClaim apiVersion:string kind:string metadata:ObjectMeta spec:resource.v1beta2.ResourceClaimSpec status:resource.v1beta2.ResourceClaimStatus
resource.k8s.io/v1beta2/ResourceClaimTemplate apiVersion:string kind:string metadata:ObjectMeta spec:resource.v1beta2.ResourceClaimTemplateSpec
resource.v1.AllocatedDeviceStatus conditions:[]Condition data:any device:string driver:string networkData:resource.v1.NetworkDeviceData pool:string shareID:string
resource.v1.AllocationResult allocationTimestamp:time devices:resource.v1.DeviceAllocationResult nodeSelector:NodeSelector
resource.v1.CELDeviceSelector expression:string
resource.v1.CapacityRequirements requests:{}quantity
resource.v1.DeviceAllocationConfiguration opaque:resource.v1.OpaqueDeviceConfiguration requests:[]string source:string
resource.v1.DeviceAllocationResult config:[]resource.v1.DeviceAllocationConfiguration results:[]resource.v1.DeviceRequestAllocationResult
resource.v1.DeviceClaim config:[]resource.v1.DeviceClaimConfiguration constraints:[]resource.v1.DeviceConstraint requests:[]resource.v1.DeviceRequest
resource.v1.DeviceClaimConfiguration opaque:resource.v1.OpaqueDeviceConfiguration requests:[]string
resource.v1.DeviceConstraint distinctAttribute:string matchAttribute:string requests:[]string
resource.v1.DeviceRequest exactly:resource.v1.ExactDeviceRequest firstAvailable:[]resource.v1.DeviceSubRequest name:string
resource.v1.DeviceRequestAllocationResult adminAccess:boolean bindingConditions:[]string bindingFailureConditions:[]string consumedCapacity:{}quantity device:string driver:string pool:string request:string shareID:string tolerations:[]resource.v1.DeviceToleration
resource.v1.DeviceSelector cel:resource.v1.CELDeviceSelector
resource.v1.DeviceSubRequest allocationMode:string capacity:resource.v1.CapacityRequirements count:int64 deviceClassName:string name:string selectors:[]resource.v1.DeviceSelector tolerations:[]resource.v1.DeviceToleration
resource.v1.DeviceToleration effect:string key:string operator:string tolerationSeconds:int64 value:string
resource.v1.ExactDeviceRequest adminAccess:boolean allocationMode:string capacity:resource.v1.CapacityRequirements count:int64 deviceClassName:string selectors:[]resource.v1.DeviceSelector tolerations:[]resource.v1.DeviceToleration
resource.v1.NetworkDeviceData hardwareAddress:string interfaceName:string ips:[]string
resource.v1.OpaqueDeviceConfiguration driver:string parameters:any
resource.v1.ResourceClaimConsumerReference apiGroup:string name:string resource:string uid:string
resource.v1.ResourceClaimSpec devices:resource.v1.DeviceClaim
resource.v1.ResourceClaimStatus allocation:resource.v1.AllocationResult devices:[]resource.v1.AllocatedDeviceStatus reservedFor:[]resource.v1.ResourceClaimConsumerReference
resource.v1.ResourceClaimTemplateSpec metadata:ObjectMeta spec:resource.v1.ResourceClaimSpec
resource.v1beta1.AllocatedDeviceStatus conditions:[]Condition data:any device:string driver:string networkData:resource.v1beta1.NetworkDeviceData pool:string shareID:string
resource.v1beta1.AllocationResult allocationTimestamp:time devices:resource.v1beta1.DeviceAllocationResult nodeSelector:NodeSelector
resource.v1beta1.CELDeviceSelector expression:string
resource.v1beta1.CapacityRequirements requests:{}quantity
resource.v1beta1.DeviceAllocationConfiguration opaque:resource.v1beta1.OpaqueDeviceConfiguration requests:[]string source:string
resource.v1beta1.DeviceAllocationResult config:[]resource.v1beta1.DeviceAllocationConfiguration results:[]resource.v1beta1.DeviceRequestAllocationResult
resource.v1beta1.DeviceClaim config:[]resource.v1beta1.DeviceClaimConfiguration constraints:[]resource.v1beta1.DeviceConstraint requests:[]resource.v1beta1.DeviceRequest
resource.v1beta1.DeviceClaimConfiguration opaque:resource.v1beta1.OpaqueDeviceConfiguration requests:[]string
resource.v1beta1.DeviceConstraint distinctAttribute:string matchAttribute:string requests:[]string
resource.v1beta1.DeviceRequest adminAccess:boolean allocationMode:string capacity:resource.v1beta1.CapacityRequirements count:int64 deviceClassName:string firstAvailable:[]resource.v1beta1.DeviceSubRequest name:string selectors:[]resource.v1beta1.DeviceSelector tolerations:[]resource.v1beta1.DeviceToleration
resource.v1beta1.DeviceRequestAllocationResult adminAccess:boolean bindingConditions:[]string bindingFailureConditions:[]string consumedCapacity:{}quantity device:string driver:string pool:string request:string shareID:string tolerations:[]resource.v1beta1.DeviceToleration
resource.v1beta1.DeviceSelector cel:resource.v1beta1.CELDeviceSelector
resource.v1beta1.DeviceSubRequest allocationMode:string capacity:resource.v1beta1.CapacityRequirements count:int64 deviceClassName:string name:string selectors:[]resource.v1beta1.DeviceSelector tolerations:[]resource.v1beta1.DeviceToleration
resource.v1beta1.DeviceToleration effect:string key:string operator:string tolerationSeconds:int64 value:string
resource.v1beta1.NetworkDeviceData hardwareAddress:string interfaceName:string ips:[]string
resource.v1beta1.OpaqueDeviceConfiguration driver:string parameters:any
resource.v1beta1.ResourceClaimConsumerReference apiGroup:string name:string resource:string uid:string
resource.v1beta1.ResourceClaimSpec devices:resource.v1beta1.DeviceClaim
resource.v1beta1.ResourceClaimStatus allocation:resource.v1beta1.AllocationResult devices:[]resource.v1beta1.AllocatedDeviceStatus reservedFor:[]resource.v1beta1.ResourceClaimConsumerReference
resource.v1beta1.ResourceClaimTemplateSpec metadata:ObjectMeta spec:resource.v1beta1.ResourceClaimSpec
resource.v1beta2.AllocatedDeviceStatus conditions:[]Condition data:any device:string driver:string networkData:resource.v1beta2.NetworkDeviceData pool:string shareID:string
resource.v1beta2.AllocationResult allocationTimestamp:time devices:resource.v1beta2.DeviceAllocationResult nodeSelector:NodeSelector
resource.v1beta2.CELDeviceSelector expression:string
resource.v1beta2.CapacityRequirements requests:{}quantity
resource.v1beta2.DeviceAllocationConfiguration opaque:resource.v1beta2.OpaqueDeviceConfiguration requests:[]string source:string
resource.v1beta2.DeviceAllocationResult config:[]resource.v1beta2.DeviceAllocationConfiguration results:[]resource.v1beta2.DeviceRequestAllocationResult
resource.v1beta2.DeviceClaim config:[]resource.v1beta2.DeviceClaimConfiguration constraints:[]resource.v1beta2.DeviceConstraint requests:[]resource.v1beta2.DeviceRequest
resource.v1beta2.DeviceClaimConfiguration opaque:resource.v1beta2.OpaqueDeviceConfiguration requests:[]string
resource.v1beta2.DeviceConstraint distinctAttribute:string matchAttribute:string requests:[]string
resource.v1beta2.DeviceRequest exactly:resource.v1beta2.ExactDeviceRequest firstAvailable:[]resource.v1beta2.DeviceSubRequest name:string
resource.v1beta2.DeviceRequestAllocationResult adminAccess:boolean bindingConditions:[]string bindingFailureConditions:[]string consumedCapacity:{}quantity device:string driver:string pool:string request:string shareID:string tolerations:[]resource.v1beta2.DeviceToleration
resource.v1beta2.DeviceSelector cel:resource.v1beta2.CELDeviceSelector
resource.v1beta2.DeviceSubRequest allocationMode:string capacity:resource.v1beta2.CapacityRequirements count:int64 deviceClassName:string name:string selectors:[]resource.v1beta2.DeviceSelector tolerations:[]resource.v1beta2.DeviceToleration
resource.v1beta2.DeviceToleration effect:string key:string operator:string tolerationSeconds:int64 value:string
resource.v1beta2.ExactDeviceRequest adminAccess:boolean allocationMode:string capacity:resource.v1beta2.CapacityRequirements count:int64 deviceClassName:string selectors:[]resource.v1beta2.DeviceSelector tolerations:[]resource.v1beta2.DeviceToleration
resource.v1beta2.NetworkDeviceData hardwareAddress:string interfaceName:string ips:[]string
resource.v1beta2.OpaqueDeviceConfiguration driver:string parameters:any
resource.v1beta2.ResourceClaimConsumerReference apiGroup:string name:string resource:string uid:string
resource.v1beta2.ResourceClaimSpec devices:resource.v1beta2.DeviceClaim
resource.v1beta2.ResourceClaimStatus allocation:resource.v1beta2.AllocationResult devices:[]resource.v1beta2.AllocatedDeviceStatus reservedFor:[]resource.v1beta2.ResourceClaimConsumerReference
resource.v1beta2.ResourceClaimTemplateSpec metadata:ObjectMeta spec:resource.v1beta2.ResourceClaimSpec
scheduling.k8s.io/v1alpha2/PodGroup apiVersion:string kind:string metadata:ObjectMeta spec:PodGroupSpec status:PodGroupStatus
scheduling.k8s.io/v1alpha2/Workload apiVersion:string kind:string metadata:ObjectMeta spec:WorkloadSpec
scheduling.v1alpha2.TypedLocalObjectReference apiGroup:string kind:string name:string
storage.k8s.io/v1/CSIStorageCapacity apiVersion:string capacity:quantity kind:string maximumVolumeSize:quantity metadata:ObjectMeta nodeTopology:LabelSelector storageClassName:string
v1/ConfigMap apiVersion:string binaryData:{}bytes data:{}string immutable:boolean kind:string metadata:ObjectMeta
v1/Endpoints apiVersion:string kind:string metadata:ObjectMeta subsets:[]EndpointSubset
v1/Event action:string apiVersion:string count:int32 eventTime:microtime firstTimestamp:time involvedObject:ObjectReference kind:string lastTimestamp:time message:string metadata:ObjectMeta reason:string related:ObjectReference reportingComponent:string reportingInstance:string series:core.v1.EventSeries source:EventSource type:string
v1/LimitRange apiVersion:string kind:string metadata:ObjectMeta spec:LimitRangeSpec
v1/PersistentVolumeClaim apiVersion:string kind:string metadata:ObjectMeta spec:PersistentVolumeClaimSpec status:PersistentVolumeClaimStatus
v1/Pod apiVersion:string kind:string metadata:ObjectMeta spec:PodSpec status:PodStatus
v1/PodTemplate apiVersion:string kind:string metadata:ObjectMeta template:PodTemplateSpec
v1/ReplicationController apiVersion:string kind:string metadata:ObjectMeta spec:ReplicationControllerSpec status:ReplicationControllerStatus
v1/ResourceQuota apiVersion:string kind:string metadata:ObjectMeta spec:ResourceQuotaSpec status:ResourceQuotaStatus
v1/Secret apiVersion:string data:{}bytes immutable:boolean kind:string metadata:ObjectMeta stringData:{}string type:string
v1/Service apiVersion:string kind:string metadata:ObjectMeta spec:ServiceSpec status:ServiceStatus
v1/ServiceAccount apiVersion:string automountServiceAccountToken:boolean imagePullSecrets:[]LocalObjectReference kind:string metadata:ObjectMeta secrets:[]ObjectReference
`;
