/**
 * The kinds that Kubernetes itself serves, with plural and scope, so that a cluster-scoped object is recognized
 * whatever namespace it names. N and C are namespaced and cluster-scoped kinds that are stored. n and c are kinds that
 * can only be requested or reported: without `get` and `patch` nothing can be applied.
 * Source: `kubectl api-resources` of Kubernetes 1.36, and of 1.28 for kinds that were removed since.
 */
export type Scope = 'Namespaced' | 'Cluster';

const table = `
core n Binding:bindings
core N ConfigMap:configmaps Endpoints:endpoints Event:events LimitRange:limitranges PersistentVolumeClaim:persistentvolumeclaims Pod:pods PodTemplate:podtemplates ReplicationController:replicationcontrollers ResourceQuota:resourcequotas Secret:secrets ServiceAccount:serviceaccounts Service:services
core c ComponentStatus:componentstatuses
core C Namespace:namespaces Node:nodes PersistentVolume:persistentvolumes
admissionregistration.k8s.io C MutatingAdmissionPolicy:mutatingadmissionpolicies MutatingAdmissionPolicyBinding:mutatingadmissionpolicybindings MutatingWebhookConfiguration:mutatingwebhookconfigurations ValidatingAdmissionPolicy:validatingadmissionpolicies ValidatingAdmissionPolicyBinding:validatingadmissionpolicybindings ValidatingWebhookConfiguration:validatingwebhookconfigurations
apiextensions.k8s.io C CustomResourceDefinition:customresourcedefinitions
apiregistration.k8s.io C APIService:apiservices
apps N ControllerRevision:controllerrevisions DaemonSet:daemonsets Deployment:deployments ReplicaSet:replicasets StatefulSet:statefulsets
authentication.k8s.io c SelfSubjectReview:selfsubjectreviews TokenReview:tokenreviews
authorization.k8s.io n LocalSubjectAccessReview:localsubjectaccessreviews
authorization.k8s.io c SelfSubjectAccessReview:selfsubjectaccessreviews SelfSubjectRulesReview:selfsubjectrulesreviews SubjectAccessReview:subjectaccessreviews
autoscaling N HorizontalPodAutoscaler:horizontalpodautoscalers
batch N CronJob:cronjobs Job:jobs
certificates.k8s.io C CertificateSigningRequest:certificatesigningrequests ClusterTrustBundle:clustertrustbundles
certificates.k8s.io N PodCertificateRequest:podcertificaterequests
coordination.k8s.io N Lease:leases LeaseCandidate:leasecandidates
discovery.k8s.io N EndpointSlice:endpointslices
events.k8s.io N Event:events
flowcontrol.apiserver.k8s.io C FlowSchema:flowschemas PriorityLevelConfiguration:prioritylevelconfigurations
internal.apiserver.k8s.io C StorageVersion:storageversions
networking.k8s.io N Ingress:ingresses NetworkPolicy:networkpolicies
networking.k8s.io C IngressClass:ingressclasses IPAddress:ipaddresses ServiceCIDR:servicecidrs
node.k8s.io C RuntimeClass:runtimeclasses
policy N PodDisruptionBudget:poddisruptionbudgets
policy C PodSecurityPolicy:podsecuritypolicies
rbac.authorization.k8s.io N Role:roles RoleBinding:rolebindings
rbac.authorization.k8s.io C ClusterRole:clusterroles ClusterRoleBinding:clusterrolebindings
resource.k8s.io N ResourceClaim:resourceclaims ResourceClaimTemplate:resourceclaimtemplates
resource.k8s.io C DeviceClass:deviceclasses DeviceTaintRule:devicetaintrules ResourceSlice:resourceslices
scheduling.k8s.io C PriorityClass:priorityclasses
scheduling.k8s.io N Workload:workloads PodGroup:podgroups
storage.k8s.io N CSIStorageCapacity:csistoragecapacities
storage.k8s.io C CSIDriver:csidrivers CSINode:csinodes StorageClass:storageclasses VolumeAttachment:volumeattachments VolumeAttributesClass:volumeattributesclasses
storagemigration.k8s.io C StorageVersionMigration:storageversionmigrations
`;

/** One of Kubernetes' own kinds. */
export interface BuiltinKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
}

const listed: BuiltinKind[] = [];
const scopes = new Map<string, Scope>();
const pluralsByGroup = new Map<string, Set<string>>();
const nonPersisted = new Set<string>();
const pluralsByKind = new Map<string, string>();
const namespacedPlurals = new Map<string, string>();

for (const line of table.trim().split('\n')) {
  const [name, scope, ...kinds] = line.split(' ') as [string, string, ...string[]];
  const group = name === 'core' ? '' : name;
  const plurals = pluralsByGroup.get(group) ?? new Set();
  pluralsByGroup.set(group, plurals);
  for (const entry of kinds) {
    const [kind, plural] = entry.split(':') as [string, string];
    const isNamespaced = scope.toUpperCase() === 'N';
    scopes.set(`${group}/${kind}`, isNamespaced ? 'Namespaced' : 'Cluster');
    listed.push({ group, kind, plural, scope: isNamespaced ? 'Namespaced' : 'Cluster' });
    plurals.add(plural);
    pluralsByKind.set(`${group}/${kind}`, plural);
    if (scope === scope.toLowerCase()) nonPersisted.add(`${group}/${kind}`);
    else if (isNamespaced) namespacedPlurals.set(`${group}/${kind}`, plural);
  }
}

// Served until 1.21, and still in the rules of roles, Kubernetes' own among them. Nobody else can
// serve it: the group of a custom resource has a dot.
pluralsByGroup.set(
  'extensions',
  new Set(
    'daemonsets deployments ingresses networkpolicies replicasets replicationcontrollers'.split(
      ' ',
    ),
  ),
);

/** Returns the scope of one of Kubernetes' own kinds, or undefined for other kinds. */
export function builtinScope(group: string, kind: string): Scope | undefined {
  return scopes.get(`${group}/${kind}`);
}

/**
 * Returns the plural name of one of Kubernetes' own kinds in access rules.
 * @throws {Error} for another kind
 */
export function builtinResource(
  group: string,
  kind: string,
): { readonly group: string; readonly resource: string } {
  const resource = pluralsByKind.get(`${group}/${kind}`);
  if (resource === undefined) throw new Error(`${group}/${kind} must be a kind of Kubernetes' own`);
  return { group, resource };
}

/** Whether objects of one of Kubernetes' own kinds are never stored, and so cannot be applied, such as a Binding. */
export function isNonPersisted(group: string, kind: string): boolean {
  return nonPersisted.has(`${group}/${kind}`);
}

/** Kubernetes' own kinds, those of the core group first. */
export const builtinKinds: readonly BuiltinKind[] = listed;

/** Kubernetes' own namespaced kinds, as `group/Kind`, with their plurals. */
export const builtinNamespaced: ReadonlyMap<string, string> = namespacedPlurals;

/** Kubernetes' own groups; the core group is `''`. */
export function builtinGroups(): string[] {
  return [...pluralsByGroup.keys()];
}

/** Returns the plurals that one of Kubernetes' own groups serves, or undefined for other groups. */
export function builtinResources(group: string): ReadonlySet<string> | undefined {
  return pluralsByGroup.get(group);
}

/** The minor version in which an API version stopped being served, and its replacement. */
const removed: Readonly<Record<string, readonly [minor: number, instead: string]>> = {
  'extensions/v1beta1 Ingress': [22, 'networking.k8s.io/v1'],
  'networking.k8s.io/v1beta1 Ingress': [22, 'networking.k8s.io/v1'],
  'extensions/v1beta1 Deployment': [16, 'apps/v1'],
  'extensions/v1beta1 DaemonSet': [16, 'apps/v1'],
  'apps/v1beta1 Deployment': [16, 'apps/v1'],
  'apps/v1beta2 Deployment': [16, 'apps/v1'],
  'apps/v1beta1 StatefulSet': [16, 'apps/v1'],
  'apps/v1beta2 StatefulSet': [16, 'apps/v1'],
  'batch/v1beta1 CronJob': [25, 'batch/v1'],
  'policy/v1beta1 PodDisruptionBudget': [25, 'policy/v1'],
  'autoscaling/v2beta1 HorizontalPodAutoscaler': [25, 'autoscaling/v2'],
  'autoscaling/v2beta2 HorizontalPodAutoscaler': [26, 'autoscaling/v2'],
  'discovery.k8s.io/v1beta1 EndpointSlice': [25, 'discovery.k8s.io/v1'],
  'events.k8s.io/v1beta1 Event': [25, 'events.k8s.io/v1'],
  'coordination.k8s.io/v1beta1 Lease': [22, 'coordination.k8s.io/v1'],
  'extensions/v1beta1 ReplicaSet': [16, 'apps/v1'],
  'apps/v1beta2 DaemonSet': [16, 'apps/v1'],
  'apps/v1beta2 ReplicaSet': [16, 'apps/v1'],
  'extensions/v1beta1 NetworkPolicy': [16, 'networking.k8s.io/v1'],
  'batch/v2alpha1 CronJob': [21, 'batch/v1'],
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': [22, 'apiextensions.k8s.io/v1'],
  'apiregistration.k8s.io/v1beta1 APIService': [22, 'apiregistration.k8s.io/v1'],
  'admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration': [
    22,
    'admissionregistration.k8s.io/v1',
  ],
  'admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration': [
    22,
    'admissionregistration.k8s.io/v1',
  ],
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': [22, 'certificates.k8s.io/v1'],
  'networking.k8s.io/v1beta1 IngressClass': [22, 'networking.k8s.io/v1'],
  'node.k8s.io/v1beta1 RuntimeClass': [25, 'node.k8s.io/v1'],
  'scheduling.k8s.io/v1alpha1 PriorityClass': [22, 'scheduling.k8s.io/v1'],
  'scheduling.k8s.io/v1beta1 PriorityClass': [22, 'scheduling.k8s.io/v1'],
  ...ofGroup('rbac.authorization.k8s.io', ['v1alpha1', 'v1beta1'], 22, [
    'Role',
    'RoleBinding',
    'ClusterRole',
    'ClusterRoleBinding',
  ]),
  ...ofGroup('storage.k8s.io', ['v1beta1'], 22, [
    'CSIDriver',
    'CSINode',
    'StorageClass',
    'VolumeAttachment',
  ]),
  'storage.k8s.io/v1beta1 CSIStorageCapacity': [27, 'storage.k8s.io/v1'],
};

/** Kinds of one group whose beta versions were removed together, in favor of v1. */
function ofGroup(
  group: string,
  versions: readonly string[],
  minor: number,
  kinds: readonly string[],
): Record<string, readonly [minor: number, instead: string]> {
  return Object.fromEntries(
    versions.flatMap((version) =>
      kinds.map((kind) => [`${group}/${version} ${kind}`, [minor, `${group}/v1`] as const]),
    ),
  );
}

/**
 * Returns the replacement of an API version that a Kubernetes minor version (`1.36`) no longer serves, or undefined if
 * it is not known to be removed.
 * Source: https://kubernetes.io/docs/reference/using-api/deprecation-guide/
 */
export function findReplacementApi(
  apiVersion: string,
  kind: string,
  minor: string,
): string | undefined {
  const entry = removed[`${apiVersion} ${kind}`];
  return entry && Number(minor.split('.')[1]) >= entry[0] ? entry[1] : undefined;
}
