// Written by `npm run gen` from the schemas of our kinds.
import type { KubeObject } from '../../kube/object.ts';
import type { JSONSchemaProps, LabelSelector } from '../../schema/language.ts';

/** What the tenant should have. */
export interface TenantSpec extends Layer {
  /**
   * The TenantClass. Must be a DNS label: lower-case letters, digits and '-', at most 63
   * characters.
   */
  readonly className?: string;
  /** For people. */
  readonly description?: string;
  /**
   * Active: as declared. Suspended: everything stays, people lose their access, no new pods.
   * Retired: namespaces and data stay, every declared binding goes; only then may the declaration
   * go.
   * @default - `Active`
   */
  readonly lifecycle?: Lifecycle;
  /**
   * What the operator does where the cluster is not what is declared. Observe: it says so. Create:
   * it makes what is missing, and says the rest. Heal: it makes and restores what is declared.
   * @default - what the class says
   */
  readonly driftPolicy?: DriftPolicy;
  /**
   * Whether the operator leaves it alone: it neither reports nor heals.
   * @default - false
   */
  readonly cordoned?: boolean;
  /**
   * The environment of namespaces that name none. Must be a name of letters, digits, '-', '_' and
   * '.', at most 63 characters; upper and lower case are different.
   */
  readonly environment?: string;
  /**
   * Stands before the name of every entry of `namespaces`. Must be lower-case letters, digits and
   * '-', at most 40 characters.
   * @default - no prefix
   */
  readonly namespacePrefix?: string;
  /**
   * The namespaces of the tenant.
   * @default - one namespace, named like the tenant
   */
  readonly namespaces?: readonly NamespaceEntry[];
  /** What the namespaces may use. */
  readonly quota?: TenantQuota;
  /**
   * What Argo CD deploys from repositories of the tenant. With a repository the tenant has an
   * AppProject, `tenant-<name>`: it lets in these repositories, into its namespaces alone.
   */
  readonly argocd?: TenantArgoCD;
}

/**
 * Active: as declared. Suspended: everything stays, people lose their access, no new pods. Retired:
 * namespaces and data stay, every declared binding goes; only then may the declaration go.
 */
export type Lifecycle = 'Active' | 'Suspended' | 'Retired';

/** What the operator does where the cluster is not what is declared. */
export type DriftPolicy = 'Observe' | 'Create' | 'Heal';

/** A namespace, and what is different in it. */
export interface NamespaceEntry extends Layer {
  /**
   * Its name, after the prefix. Must be a DNS label: lower-case letters, digits and '-', at most 63
   * characters.
   */
  readonly name: string;
  /**
   * Its environment: the settings of the class for it apply. Must be a name of letters, digits,
   * '-', '_' and '.', at most 63 characters; upper and lower case are different.
   */
  readonly environment?: string;
  /**
   * Active: as declared. Suspended: everything stays, people lose their access, no new pods.
   * Retired: namespaces and data stay, every declared binding goes; only then may the declaration
   * go.
   * @default - `Active`
   */
  readonly lifecycle?: Lifecycle;
  /** What the namespace may use. */
  readonly quota?: NamespaceQuota;
  /** How Argo CD deploys what the tenant has in repositories of its own. */
  readonly argocd?: NamespaceArgoCD;
}

/** What the namespace may use. */
export interface NamespaceQuota extends EnvironmentQuota {
  /**
   * The share of the total that this namespace gets, relative to the others.
   * @default - 1
   */
  readonly weight?: number;
}

/** What the namespaces may use. */
export interface EnvironmentQuota {
  /**
   * A quota preset of the class, or 'none'; what earlier layers said is dropped. Must be a DNS
   * label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly preset?: string;
  /**
   * The name of the ResourceQuota, in which placeholders may stand. Must be a DNS subdomain:
   * lower-case letters, digits, '-' and '.', at most 253 characters, in which {tenant}, {namespace}
   * and {environment} may stand.
   * @default - `tenant-quota`
   */
  readonly name?: string;
  /** The ResourceQuota per namespace: any key that Kubernetes knows. An absent key is unlimited. */
  readonly hard?: QuotaAmounts;
  /** Further ResourceQuotas with scopes. */
  readonly scoped?: readonly ScopedQuota[];
}

/**
 * Amounts by the keys of a ResourceQuota: what Kubernetes measures and counts by a name of its own,
 * `count/<resource>.<group>`, huge pages, storage classes and extended resources such as
 * `requests.nvidia.com/gpu`.
 */
export type QuotaAmounts = {
  readonly [
    K in
      | 'cpu'
      | 'memory'
      | 'ephemeral-storage'
      | 'requests.cpu'
      | 'requests.memory'
      | 'requests.ephemeral-storage'
      | 'limits.cpu'
      | 'limits.memory'
      | 'limits.ephemeral-storage'
      | 'requests.storage'
      | 'persistentvolumeclaims'
      | 'pods'
      | 'services'
      | 'services.loadbalancers'
      | 'services.nodeports'
      | 'replicationcontrollers'
      | 'resourcequotas'
      | 'secrets'
      | 'configmaps'
  ]?: number | string;
} & {
  readonly [K in `hugepages-${string}` | `requests.hugepages-${string}` | `${string}/${string}`]:
    number | string;
};

/** A further ResourceQuota, for some pods only. */
export interface ScopedQuota {
  /**
   * The name of the ResourceQuota. Must be a DNS subdomain: lower-case letters, digits, '-' and
   * '.', at most 253 characters.
   */
  readonly name: string;
  /** Its bounds. */
  readonly hard: QuotaAmounts;
  /** Which pods count. Immutable in Kubernetes: change the name with it. */
  readonly scopes?: readonly QuotaScope[];
  /** Which pods count, by scope and value. Immutable in Kubernetes. */
  readonly scopeSelector?: readonly QuotaScopeRequirement[];
}

/** Pods that a ResourceQuota may be about. */
export type QuotaScope =
  | 'Terminating'
  | 'NotTerminating'
  | 'BestEffort'
  | 'NotBestEffort'
  | 'PriorityClass'
  | 'CrossNamespacePodAffinity';

/** A requirement. */
export interface QuotaScopeRequirement {
  /** The scope. */
  readonly scopeName: QuotaScope;
  /** How it compares. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The values of In and NotIn. */
  readonly values?: readonly string[];
}

/** How Argo CD deploys what the tenant has in repositories of its own. */
export interface NamespaceArgoCD {
  /**
   * When the Applications of the namespaces may be synced. Layers add up. Where a class says when
   * syncs are allowed, its tenants may only say when they are denied.
   * @default - at any time
   */
  readonly syncWindows?: readonly SyncWindow[];
}

/** When Argo CD may sync, or may not. */
export interface SyncWindow {
  /** Whether syncs are allowed in it, and at no other time, or denied. */
  readonly kind: 'allow' | 'deny';
  /**
   * When it begins: minute, hour, day of the month, month, day of the week. Must be five fields of
   * cron such as '0 22 * * *'.
   */
  readonly schedule: string;
  /** How long it is: hours, minutes and seconds. Must be a duration such as '8h' or '1h30m'. */
  readonly duration: string;
  /**
   * The time zone of the schedule, by its name. Must be a time zone such as 'Europe/Berlin'.
   * @default - `UTC`
   */
  readonly timeZone?: string;
  /**
   * Whether a person may sync all the same.
   * @default - false
   */
  readonly manualSync?: boolean;
  /** Why, for whoever asks. Must be a line of text without braces. */
  readonly description?: string;
}

/** What can be said at every layer. */
export interface Layer {
  /**
   * The clusters that get the namespaces. Each must be a DNS label: lower-case letters, digits and
   * '-', at most 63 characters.
   * @default - the platform's default clusters
   */
  readonly clusters?: readonly string[];
  /**
   * Labels of the namespaces. In values, {tenant}, {namespace} and {environment} stand for the
   * names of these.
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the namespaces. In values, {tenant}, {namespace} and {environment} stand for the
   * names of these.
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * Who to talk to. Each key becomes the annotation that the platform names for it (metadataKeys).
   * In values, {tenant}, {namespace} and {environment} stand for the names of these.
   */
  readonly contact?: Readonly<Record<string, string>>;
  /** Who may do what in the namespaces. Layers add up. */
  readonly access?: Access;
  /** Defaults and bounds for containers, pods and volume claims. */
  readonly limits?: Limits;
  /** Who the pods may talk to. */
  readonly network?: NetworkSettings;
  /** The Pod Security labels of the namespaces; 'none' takes away what an earlier layer said. */
  readonly podSecurity?: PodSecurity;
  /** PodDisruptionBudgets; two that select the same pod make every eviction of it fail. */
  readonly disruptionBudgets?: readonly DisruptionBudget[];
  /** ServiceAccounts in the namespaces. */
  readonly serviceAccounts?: readonly ServiceAccountSettings[];
  /**
   * Names of Secrets of type dockerconfigjson. Each must be a DNS subdomain: lower-case letters,
   * digits, '-' and '.', at most 253 characters.
   */
  readonly imagePullSecrets?: readonly string[];
  /** What stands between a mistake and the data. */
  readonly protection?: Protection;
  /**
   * Further namespaced objects that belong to the tenant: written out, or made by a preset of the
   * class. In a file, `file: path` may stand in the place of `manifest`, relative to the file that
   * says it; every document in it is taken.
   */
  readonly resources?: readonly ResourceEntry[];
}

/** Who may do what in the namespaces. Layers add up. */
export interface Access {
  /** Holders of the class' admin role (`admin`). */
  readonly admins?: Holders;
  /** Holders of the class' editor role (`edit`). */
  readonly editors?: Holders;
  /** Holders of the class' viewer role (`view`). */
  readonly viewers?: Holders;
  /** Further ClusterRoles that the class allows, bound inside the namespaces. */
  readonly clusterRoles?: readonly ClusterRoleHolders[];
  /** Roles inside the namespaces, with rules of their own or of a class preset. */
  readonly roles?: readonly RoleHolders[];
}

/** Users, groups and service accounts that hold a role. */
export interface Holders {
  /**
   * Users. Each must be the name of a user: 1 to 256 visible characters, with spaces only between
   * them.
   */
  readonly users?: readonly string[];
  /**
   * Groups. Each must be the name of a group: 1 to 256 visible characters, with spaces only between
   * them.
   */
  readonly groups?: readonly string[];
  /** Service accounts, always with their namespace. */
  readonly serviceAccounts?: readonly ServiceAccountReference[];
  /**
   * The name of the RoleBinding; {tenant}, {namespace} and {environment} in it stand for the names
   * of these. Must be a name of letters, digits, '-', '_', '.' and ':', in which {tenant},
   * {namespace} and {environment} may stand.
   * @default - derived from the role: `tenant-clusterrole-<name>` or `tenant-role-<name>`
   */
  readonly bindingName?: string;
}

/** A service account. */
export interface ServiceAccountReference {
  /**
   * Its name. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253
   * characters.
   */
  readonly name: string;
  /**
   * Its namespace. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly namespace: string;
}

/** A ClusterRole and its holders. */
export interface ClusterRoleHolders {
  /**
   * The ClusterRole. Must be a name of letters, digits, '-', '_', '.' and ':', at most 253
   * characters.
   */
  readonly name: string;
  /**
   * Users. Each must be the name of a user: 1 to 256 visible characters, with spaces only between
   * them.
   */
  readonly users?: readonly string[];
  /**
   * Groups. Each must be the name of a group: 1 to 256 visible characters, with spaces only between
   * them.
   */
  readonly groups?: readonly string[];
  /** Service accounts, always with their namespace. */
  readonly serviceAccounts?: readonly ServiceAccountReference[];
  /**
   * The name of the RoleBinding; {tenant}, {namespace} and {environment} in it stand for the names
   * of these. Must be a name of letters, digits, '-', '_', '.' and ':', in which {tenant},
   * {namespace} and {environment} may stand.
   * @default - derived from the role: `tenant-clusterrole-<name>` or `tenant-role-<name>`
   */
  readonly bindingName?: string;
}

/** A Role and its holders; without holders it is only declared. */
export interface RoleHolders {
  /**
   * The name of the Role. Must be a name of letters, digits, '-', '_', '.' and ':', at most 253
   * characters.
   * @default - the preset's name
   */
  readonly name?: string;
  /**
   * A role preset of the class. Must be a name of letters, digits, '-', '_', '.' and ':', at most
   * 253 characters.
   */
  readonly preset?: string;
  /** The rules, when no preset gives them; within `ceilings.roles` of the class. */
  readonly rules?: readonly PolicyRule[];
  /**
   * Users. Each must be the name of a user: 1 to 256 visible characters, with spaces only between
   * them.
   */
  readonly users?: readonly string[];
  /**
   * Groups. Each must be the name of a group: 1 to 256 visible characters, with spaces only between
   * them.
   */
  readonly groups?: readonly string[];
  /** Service accounts, always with their namespace. */
  readonly serviceAccounts?: readonly ServiceAccountReference[];
  /**
   * The name of the RoleBinding; {tenant}, {namespace} and {environment} in it stand for the names
   * of these. Must be a name of letters, digits, '-', '_', '.' and ':', in which {tenant},
   * {namespace} and {environment} may stand.
   * @default - derived from the role: `tenant-clusterrole-<name>` or `tenant-role-<name>`
   */
  readonly bindingName?: string;
}

/** What may be done to what. */
export interface PolicyRule {
  /**
   * The API groups; '' is the core group. Each must be an API group, '' for the core group (a
   * wildcard is refused).
   */
  readonly apiGroups: readonly ApiGroup[];
  /**
   * The resources, in the plural, with a subresource as `pods/log`. Each must be a resource in
   * lower-case plural (a wildcard is refused).
   */
  readonly resources: readonly ResourceName[];
  /** The verbs. Each must be a verb in lower case (a wildcard is refused). */
  readonly verbs: readonly Verb[];
  /** Only these objects. */
  readonly resourceNames?: readonly string[];
}

/** An API group: one of Kubernetes' own, or any other. */
export type ApiGroup =
  | ''
  | 'admissionregistration.k8s.io'
  | 'apiextensions.k8s.io'
  | 'apiregistration.k8s.io'
  | 'apps'
  | 'authentication.k8s.io'
  | 'authorization.k8s.io'
  | 'autoscaling'
  | 'batch'
  | 'certificates.k8s.io'
  | 'coordination.k8s.io'
  | 'discovery.k8s.io'
  | 'events.k8s.io'
  | 'flowcontrol.apiserver.k8s.io'
  | 'internal.apiserver.k8s.io'
  | 'networking.k8s.io'
  | 'node.k8s.io'
  | 'policy'
  | 'rbac.authorization.k8s.io'
  | 'resource.k8s.io'
  | 'scheduling.k8s.io'
  | 'storage.k8s.io'
  | 'storagemigration.k8s.io'
  | 'extensions'
  | (string & {});

/** A resource in the plural: one of Kubernetes' own, or any other. */
export type ResourceName =
  | 'apiservices'
  | 'bindings'
  | 'certificatesigningrequests'
  | 'clusterrolebindings'
  | 'clusterroles'
  | 'clustertrustbundles'
  | 'componentstatuses'
  | 'configmaps'
  | 'controllerrevisions'
  | 'cronjobs'
  | 'csidrivers'
  | 'csinodes'
  | 'csistoragecapacities'
  | 'customresourcedefinitions'
  | 'daemonsets'
  | 'deployments'
  | 'deviceclasses'
  | 'devicetaintrules'
  | 'endpoints'
  | 'endpointslices'
  | 'events'
  | 'flowschemas'
  | 'horizontalpodautoscalers'
  | 'ingressclasses'
  | 'ingresses'
  | 'ipaddresses'
  | 'jobs'
  | 'leasecandidates'
  | 'leases'
  | 'limitranges'
  | 'localsubjectaccessreviews'
  | 'mutatingadmissionpolicies'
  | 'mutatingadmissionpolicybindings'
  | 'mutatingwebhookconfigurations'
  | 'namespaces'
  | 'networkpolicies'
  | 'nodes'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'podcertificaterequests'
  | 'poddisruptionbudgets'
  | 'podgroups'
  | 'pods'
  | 'podsecuritypolicies'
  | 'podtemplates'
  | 'priorityclasses'
  | 'prioritylevelconfigurations'
  | 'replicasets'
  | 'replicationcontrollers'
  | 'resourceclaims'
  | 'resourceclaimtemplates'
  | 'resourcequotas'
  | 'resourceslices'
  | 'rolebindings'
  | 'roles'
  | 'runtimeclasses'
  | 'secrets'
  | 'selfsubjectaccessreviews'
  | 'selfsubjectreviews'
  | 'selfsubjectrulesreviews'
  | 'serviceaccounts'
  | 'servicecidrs'
  | 'services'
  | 'statefulsets'
  | 'storageclasses'
  | 'storageversionmigrations'
  | 'storageversions'
  | 'subjectaccessreviews'
  | 'tokenreviews'
  | 'validatingadmissionpolicies'
  | 'validatingadmissionpolicybindings'
  | 'validatingwebhookconfigurations'
  | 'volumeattachments'
  | 'volumeattributesclasses'
  | 'workloads'
  | (string & {});

/** A verb of RBAC: one for objects, or any other. */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | (string & {});

/** Defaults and bounds for containers, pods and volume claims. */
export interface Limits {
  /**
   * A limits preset of the class, or 'none'; what earlier layers said is dropped. Must be a DNS
   * label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly preset?: string;
  /**
   * The name of the LimitRange, in which placeholders may stand. Must be a DNS subdomain:
   * lower-case letters, digits, '-' and '.', at most 253 characters, in which {tenant}, {namespace}
   * and {environment} may stand.
   * @default - `tenant-limits`
   */
  readonly name?: string;
  /** The items, one a type. */
  readonly items?: readonly LimitItem[];
}

/** Bounds and defaults for one type. */
export interface LimitItem {
  /** What is bounded. */
  readonly type:
    | 'Container'
    | 'Pod'
    | 'PersistentVolumeClaim'
    | 'openshift.io/Image'
    | 'openshift.io/ImageStream';
  /** The most that one may ask for. */
  readonly max?: LimitAmounts;
  /** The least that one may ask for. */
  readonly min?: LimitAmounts;
  /** The limit of a container that states none. */
  readonly default?: LimitAmounts;
  /** The request of a container that states none. */
  readonly defaultRequest?: LimitAmounts;
  /** How many times its request a limit may be. */
  readonly maxLimitRequestRatio?: LimitAmounts;
}

/**
 * Amounts by the resources of a container, a pod or a volume claim, huge pages and extended
 * resources such as `nvidia.com/gpu` among them.
 */
export type LimitAmounts = {
  readonly [K in 'cpu' | 'memory' | 'ephemeral-storage' | 'storage']?: number | string;
} & { readonly [K in `hugepages-${string}` | `${string}/${string}`]: number | string };

/** Who the pods may talk to. */
export interface NetworkSettings {
  /**
   * A network preset of the class, or 'none' for what is built in; what earlier layers said is
   * dropped. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly preset?: string;
  /**
   * Who may reach the pods: everyone, the namespaces of the tenant, the own namespace, no one.
   * @default - `SameTenant`
   */
  readonly isolation?: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed';
  /**
   * Whether the platform's ingress controllers reach the pods.
   * @default - `Allow`
   */
  readonly ingressControllers?: 'Allow' | 'Deny';
  /**
   * Whether the platform's monitoring reaches the pods.
   * @default - `Allow`
   */
  readonly monitoring?: 'Allow' | 'Deny';
  /**
   * Where the pods may go: anywhere; or only to DNS and the tenant, the own namespace, nowhere
   * else.
   * @default - `Open`
   */
  readonly egress?: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed';
  /** Further ways in. */
  readonly allowFrom?: readonly PeerRule[];
  /** Further ways out; of use where egress is not Open. */
  readonly allowTo?: readonly PeerRule[];
  /** NetworkPolicies as they are, within the ceilings of the class. */
  readonly policies?: readonly NetworkPolicyEntry[];
  /**
   * The names of the NetworkPolicies that the fields above give, in which placeholders may stand.
   */
  readonly policyNames?: NetworkPolicyNames;
}

/** One NetworkPolicy that lets pods talk. */
export interface PeerRule {
  /**
   * The name of the NetworkPolicy. Must be a DNS subdomain: lower-case letters, digits, '-' and
   * '.', at most 253 characters.
   */
  readonly name: string;
  /**
   * The own pods that it is about, by label.
   * @default - every pod of the namespace
   */
  readonly pods?: Readonly<Record<string, string>>;
  /**
   * The other side: namespaces by name. Each must be a DNS label: lower-case letters, digits and
   * '-', at most 63 characters.
   */
  readonly namespaces?: readonly string[];
  /** The other side: namespaces by label. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** The other side: only pods with these labels. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** The other side: blocks of addresses. Each must be a CIDR such as '10.0.0.0/8'. */
  readonly cidrs?: readonly string[];
  /** Parts of the blocks in `cidrs` that are left out. Each must be a CIDR such as '10.0.0.0/8'. */
  readonly except?: readonly string[];
  /** More of the other side, each with labels of pods of its own. */
  readonly peers?: readonly PeerGroup[];
  /** Only these ports. */
  readonly ports?: readonly NetworkPort[];
}

/** Some of the other side. */
export interface PeerGroup {
  /**
   * The other side: namespaces by name. Each must be a DNS label: lower-case letters, digits and
   * '-', at most 63 characters.
   */
  readonly namespaces?: readonly string[];
  /** The other side: namespaces by label. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** The other side: only pods with these labels. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** The other side: blocks of addresses. Each must be a CIDR such as '10.0.0.0/8'. */
  readonly cidrs?: readonly string[];
  /** Parts of the blocks in `cidrs` that are left out. Each must be a CIDR such as '10.0.0.0/8'. */
  readonly except?: readonly string[];
}

/** A port, or a range of them. */
export interface NetworkPort {
  /**
   * A number, or the name of a container port. Must be a port from 1 to 65535, or the name of a
   * container port such as 'http'.
   */
  readonly port?: number | string;
  /** The last port of the range. */
  readonly endPort?: number;
  /**
   * The protocol.
   * @default - TCP, by Kubernetes
   */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

/** A NetworkPolicy. */
export interface NetworkPolicyEntry {
  /**
   * Its name. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253
   * characters.
   */
  readonly name: string;
  /** Its labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Its annotations. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** A NetworkPolicy as Kubernetes defines it. */
  readonly spec: NetworkPolicySpec;
}

/** A NetworkPolicy as Kubernetes defines it. */
export interface NetworkPolicySpec {
  /** A label selector; an empty one selects everything. */
  readonly podSelector?: LabelSelector;
  /** What it is about. */
  readonly policyTypes?: readonly ('Ingress' | 'Egress')[];
  /** What may come in. */
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  /** What may go out. */
  readonly egress?: readonly NetworkPolicyEgressRule[];
}

/** What may come in, from whom. */
export interface NetworkPolicyIngressRule {
  /** From whom. */
  readonly from?: readonly Peer[];
  /** Only these ports. */
  readonly ports?: readonly NetworkPort[];
}

/** Pods, by namespace and label, or a block of addresses. */
export interface Peer {
  /** A label selector; an empty one selects everything. */
  readonly namespaceSelector?: LabelSelector;
  /** A label selector; an empty one selects everything. */
  readonly podSelector?: LabelSelector;
  /** A block of addresses. */
  readonly ipBlock?: IPBlock;
}

/** A block of addresses. */
export interface IPBlock {
  /** A block of addresses. Must be a CIDR such as '10.0.0.0/8'. */
  readonly cidr: string;
  /** Parts of it that are left out. Each must be a CIDR such as '10.0.0.0/8'. */
  readonly except?: readonly string[];
}

/** What may go out, to whom. */
export interface NetworkPolicyEgressRule {
  /** To whom. */
  readonly to?: readonly Peer[];
  /** Only these ports. */
  readonly ports?: readonly NetworkPort[];
}

/** The names of the NetworkPolicies that the fields above give, in which placeholders may stand. */
export interface NetworkPolicyNames {
  /**
   * Of `isolation`. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253
   * characters, in which {tenant}, {namespace} and {environment} may stand.
   * @default - `tenant-isolation`
   */
  readonly isolation?: string;
  /**
   * Of `ingressControllers`. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at
   * most 253 characters, in which {tenant}, {namespace} and {environment} may stand.
   * @default - `allow-ingress-controllers`
   */
  readonly ingressControllers?: string;
  /**
   * Of `monitoring`. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253
   * characters, in which {tenant}, {namespace} and {environment} may stand.
   * @default - `allow-monitoring`
   */
  readonly monitoring?: string;
  /**
   * Of `egress`. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253
   * characters, in which {tenant}, {namespace} and {environment} may stand.
   * @default - `tenant-egress`
   */
  readonly egress?: string;
}

/** The Pod Security labels of the namespaces; 'none' takes away what an earlier layer said. */
export interface PodSecurity {
  /**
   * Pods below this level are refused.
   * @default - `baseline`
   */
  readonly enforce?: 'privileged' | 'baseline' | 'restricted' | 'none';
  /**
   * Pods below this level are noted in the audit log.
   * @default - no label
   */
  readonly audit?: 'privileged' | 'baseline' | 'restricted' | 'none';
  /**
   * Whoever creates pods below this level is warned.
   * @default - no label
   */
  readonly warn?: 'privileged' | 'baseline' | 'restricted' | 'none';
  /**
   * The Kubernetes minor whose definition of the levels applies. Must be 'latest' or a minor such
   * as 'v1.36'.
   * @default - no label, which is the version of the cluster
   */
  readonly version?: string;
}

/** A PodDisruptionBudget. */
export interface DisruptionBudget {
  /**
   * Its name, in which placeholders may stand. Must be a DNS subdomain: lower-case letters, digits,
   * '-' and '.', at most 253 characters, in which {tenant}, {namespace} and {environment} may
   * stand.
   */
  readonly name: string;
  /** A label selector; an empty one selects everything. */
  readonly selector: LabelSelector;
  /** How many pods have to stay. Must be a whole number or a percentage such as '50%'. */
  readonly minAvailable?: number | string;
  /** How many pods may be missing. Must be a whole number or a percentage such as '50%'. */
  readonly maxUnavailable?: number | string;
  /** When pods that are not ready may be evicted. */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
}

/** A ServiceAccount. */
export interface ServiceAccountSettings {
  /**
   * Its name, in which placeholders may stand; `default` is the one that pods use when they name
   * none. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253 characters,
   * in which {tenant}, {namespace} and {environment} may stand.
   */
  readonly name: string;
  /** Its labels. In values, {tenant}, {namespace} and {environment} stand for the names of these. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Its annotations, such as those of a cloud identity. In values, {tenant}, {namespace} and
   * {environment} stand for the names of these.
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * Names of Secrets of type dockerconfigjson. Each must be a DNS subdomain: lower-case letters,
   * digits, '-' and '.', at most 253 characters.
   */
  readonly imagePullSecrets?: readonly string[];
  /**
   * Whether pods get its token.
   * @default - not set, which Kubernetes reads as true
   */
  readonly automountServiceAccountToken?: boolean;
}

/** What stands between a mistake and the data. */
export interface Protection {
  /**
   * Whether a namespace goes by the word of a person only. `None`: Argo CD deletes it with its
   * declaration.
   * @default - `Confirm`
   */
  readonly deletion?: 'Confirm' | 'None';
}

/** One object, or what a preset makes. */
export interface ResourceEntry {
  /**
   * The object. Its namespace is that of the tenant; kinds that have fields of their own (RBAC,
   * quotas, network policies) are refused here. Must be a Kubernetes object.
   */
  readonly manifest?: KubeObject;
  /**
   * A preset of the class (`presets.resources`), which makes one object or more of the values. It
   * may be used any number of times. Must be a DNS label: lower-case letters, digits and '-', at
   * most 63 characters.
   */
  readonly preset?: string;
  /**
   * The values of its parameters, by their names.
   * @default - what the parameters default to
   */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** What the namespaces may use. */
export interface TenantQuota extends EnvironmentQuota {
  /**
   * For the whole tenant: divided over its namespaces, so that the parts add up to it exactly. What
   * a namespace fixes in `hard` is taken first, the rest is shared by `weight`.
   */
  readonly total?: QuotaAmounts;
}

/**
 * What Argo CD deploys from repositories of the tenant. With a repository the tenant has an
 * AppProject, `tenant-<name>`: it lets in these repositories, into its namespaces alone.
 */
export interface TenantArgoCD {
  /**
   * Its repositories, each of which the class has to allow (`allow.sourceRepos`). Each must be the
   * address of a repository such as 'https://git.example.com/team/app.git', without user, query,
   * '..' and '*'.
   * @default - those that the class gives
   */
  readonly sourceRepos?: readonly string[];
  /**
   * Kinds that its Applications may hold besides the ordinary ones: workloads, Services, Ingresses,
   * ConfigMaps, Secrets, ServiceAccounts, volume claims, autoscalers and disruption budgets.
   * @default - the ordinary kinds
   */
  readonly namespaceResourceWhitelist?: readonly GroupKind[];
  /**
   * When the Applications of the namespaces may be synced. Layers add up. Where a class says when
   * syncs are allowed, its tenants may only say when they are denied.
   * @default - at any time
   */
  readonly syncWindows?: readonly SyncWindow[];
  /**
   * Namespaces of the tenant, on Argo CD's own cluster, in which its people may write Applications
   * themselves. Each must be a DNS label: lower-case letters, digits and '-', at most 63
   * characters.
   * @default - none
   */
  readonly sourceNamespaces?: readonly string[];
  /** Its Applications. */
  readonly applications?: readonly TenantApplication[];
  /** Its ApplicationSets. */
  readonly applicationSets?: readonly TenantApplicationSet[];
}

/** A kind that lies in namespaces. */
export interface GroupKind {
  /**
   * Its API group, '' for the core group. Must be an API group, '' for the core group (a wildcard
   * is refused).
   */
  readonly group: string;
  /** Its kind. Must be a kind such as 'Certificate' (a wildcard is refused). */
  readonly kind: string;
}

/** What Argo CD deploys into namespaces of the tenant. */
export interface TenantApplication {
  /**
   * Its name. The Application is called `<namespace>.<cluster>.<name>`. Must be a DNS label:
   * lower-case letters, digits and '-', at most 63 characters.
   */
  readonly name: string;
  /**
   * The namespaces of the tenant that it is for, by their whole names: one Application in each, on
   * each of the namespace's clusters. Each must be a DNS label: lower-case letters, digits and '-',
   * at most 63 characters.
   * @default - all of them
   */
  readonly namespaces?: readonly string[];
  /** Where its manifests are. */
  readonly source: ApplicationSource;
  /**
   * Automated: Argo CD syncs what is in Git, removes what no longer is, and undoes changes by hand.
   * Manual: a person syncs.
   * @default - `Automated`
   */
  readonly sync?: 'Automated' | 'Manual';
}

/** Where its manifests are. */
export interface ApplicationSource {
  /**
   * The repository, one of `sourceRepos`. Must be the address of a repository such as
   * 'https://git.example.com/team/app.git', without user, query, '..' and '*'.
   */
  readonly repoURL: string;
  /**
   * The folder, in which {tenant}, {namespace}, {environment} and {cluster} stand for the names of
   * these. Must be a path in the repository such as 'deploy/{environment}', without '..'.
   */
  readonly path?: string;
  /**
   * The chart, in a repository of Helm charts. Must be a DNS subdomain: lower-case letters, digits,
   * '-' and '.', at most 253 characters.
   */
  readonly chart?: string;
  /**
   * The branch, tag, commit or version of a chart, in which {tenant}, {namespace}, {environment}
   * and {cluster} stand for the names of these. Must be a revision such as 'main', 'v1.2.3' or
   * 'env/{environment}'.
   * @default - the repository's default branch (`HEAD`)
   */
  readonly targetRevision?: string;
  /** Of a Helm chart. */
  readonly helm?: ApplicationHelm;
}

/** Of a Helm chart. */
export interface ApplicationHelm {
  /**
   * Files of values in the repository. Each must be a path in the repository such as
   * 'deploy/{environment}', without '..'.
   */
  readonly valueFiles?: readonly string[];
}

/** One Application for each folder of a repository. */
export interface TenantApplicationSet {
  /**
   * Its name. Its Applications are called `<namespace>.<cluster>.<name>.<folder>`. Must be a DNS
   * label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly name: string;
  /**
   * The namespaces of the tenant that it is for, by their whole names: one Application in each, on
   * each of the namespace's clusters. Each must be a DNS label: lower-case letters, digits and '-',
   * at most 63 characters.
   * @default - all of them
   */
  readonly namespaces?: readonly string[];
  /**
   * The repository, one of `sourceRepos`. Must be the address of a repository such as
   * 'https://git.example.com/team/app.git', without user, query, '..' and '*'.
   */
  readonly repoURL: string;
  /**
   * The branch, tag, commit or version of a chart, in which {tenant}, {namespace}, {environment}
   * and {cluster} stand for the names of these. Must be a revision such as 'main', 'v1.2.3' or
   * 'env/{environment}'.
   * @default - the repository's default branch (`HEAD`)
   */
  readonly revision?: string;
  /**
   * The folders; a '*' stands for a part of one name. Each must be a path in the repository such as
   * 'apps/*', without '..'.
   */
  readonly directories: readonly string[];
  /**
   * Automated: Argo CD syncs what is in Git, removes what no longer is, and undoes changes by hand.
   * Manual: a person syncs.
   * @default - `Automated`
   */
  readonly sync?: 'Automated' | 'Manual';
}

/** What tenants of the class share. */
export interface TenantClassSpec {
  /** For people. */
  readonly description?: string;
  /**
   * What the operator does about differences of tenants that do not say it themselves.
   * @default - `Observe`
   */
  readonly driftPolicy?: DriftPolicy;
  /**
   * The TenantClass with which it shares what it does not say itself. That one extends none. Must
   * be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly extends?: string;
  /**
   * Which tenants may choose the class.
   * @default - every tenant
   */
  readonly allowedTenants?: AllowedTenants;
  /** The ClusterRoles behind admins, editors, viewers, and Applications of tenants. */
  readonly roles?: ClassRoles;
  /** What the people of tenants may do in Argo CD. */
  readonly argocd?: ClassArgoCDPeople;
  /** The names of RoleBindings to ClusterRoles, by ClusterRole, where no bindingName is said. */
  readonly bindingNames?: Readonly<Record<string, string>>;
  /** Named content that tenants choose from. */
  readonly presets?: Presets;
  /** What tenants of the class have unless they say otherwise. */
  readonly defaults?: TenantDefaults;
  /** What is different in an environment. */
  readonly environments?: readonly ClassEnvironment[];
  /** What no tenant of the class passes by its own word. A value above is an error. */
  readonly ceilings?: Ceilings;
  /**
   * What pods and volume claims of the tenants must be besides Pod Security. Admission policies
   * hold it, against everybody.
   */
  readonly hardening?: Hardening;
  /** What tenants of the class may refer to. */
  readonly allow?: Allowed;
  /** What single tenants may besides, and why. A tenant says itself what it takes of it. */
  readonly exceptions?: readonly ClassException[];
  /**
   * What a tenant's people may do in its namespaces themselves, with kubectl: held by admission
   * policies.
   */
  readonly selfService?: SelfService;
}

/** Which tenants may choose the class. */
export interface AllowedTenants {
  /**
   * Names of tenants; a '*' at the end stands for any rest. Each must be the name of a tenant, with
   * a '*' at the end for any rest.
   */
  readonly names?: readonly string[];
  /** A label selector; an empty one selects everything. */
  readonly selector?: LabelSelector;
}

/** The ClusterRoles behind admins, editors, viewers, and Applications of tenants. */
export interface ClassRoles {
  /**
   * Of admins. Must be a name of letters, digits, '-', '_', '.' and ':', at most 253 characters.
   * @default - `admin`
   */
  readonly admins?: string;
  /**
   * Of editors. Must be a name of letters, digits, '-', '_', '.' and ':', at most 253 characters.
   * @default - `edit`
   */
  readonly editors?: string;
  /**
   * Of viewers. Must be a name of letters, digits, '-', '_', '.' and ':', at most 253 characters.
   * @default - `view`
   */
  readonly viewers?: string;
  /**
   * Of the account as which Argo CD syncs Applications of the tenant. Must be a name of letters,
   * digits, '-', '_', '.' and ':', at most 253 characters.
   * @default - that of editors
   */
  readonly applications?: string;
}

/** What the people of tenants may do in Argo CD. */
export interface ClassArgoCDPeople {
  /**
   * Roles in the AppProject of a tenant for the groups that `access` names: for all of the tenant's
   * Applications where a group has the level in all of its namespaces, else for those of the
   * namespace. `get` shows, `sync` syncs, `logs` reads logs of pods, `action/<group>/<kind>/<name>`
   * runs an action. Users and service accounts have none.
   */
  readonly roles?: ArgoCDRoles;
}

/**
 * Roles in the AppProject of a tenant for the groups that `access` names: for all of the tenant's
 * Applications where a group has the level in all of its namespaces, else for those of the
 * namespace. `get` shows, `sync` syncs, `logs` reads logs of pods, `action/<group>/<kind>/<name>`
 * runs an action. Users and service accounts have none.
 */
export interface ArgoCDRoles {
  /**
   * What groups that are admins may do with the Applications of their tenant. Each must be 'get',
   * 'sync', 'logs', or one action of one kind as 'action/apps/Deployment/restart' (a wildcard is
   * refused).
   * @default - nothing
   */
  readonly admins?: readonly string[];
  /**
   * What groups that are editors may do with the Applications of their tenant. Each must be 'get',
   * 'sync', 'logs', or one action of one kind as 'action/apps/Deployment/restart' (a wildcard is
   * refused).
   * @default - nothing
   */
  readonly editors?: readonly string[];
  /**
   * What groups that are viewers may do with the Applications of their tenant. Each must be 'get',
   * 'sync', 'logs', or one action of one kind as 'action/apps/Deployment/restart' (a wildcard is
   * refused).
   * @default - nothing
   */
  readonly viewers?: readonly string[];
}

/** Named content that tenants choose from. */
export interface Presets {
  /** Quota tiers. */
  readonly quotas?: readonly QuotaPreset[];
  /** Sets of limits. */
  readonly limits?: readonly LimitsPreset[];
  /** Roles. */
  readonly roles?: readonly RolePreset[];
  /** Sets of network rules. */
  readonly networks?: readonly NetworkPreset[];
  /** Objects of one shape. */
  readonly resources?: readonly ResourcePreset[];
}

/** A tier of quota. */
export interface QuotaPreset {
  /** Its name. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters. */
  readonly name: string;
  /** The ResourceQuota per namespace: any key that Kubernetes knows. An absent key is unlimited. */
  readonly hard: QuotaAmounts;
  /** Further ResourceQuotas with scopes. */
  readonly scoped?: readonly ScopedQuota[];
}

/** A set of limits. */
export interface LimitsPreset {
  /** Its name. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters. */
  readonly name: string;
  /** The items, one a type. */
  readonly items: readonly LimitItem[];
}

/** A role. */
export interface RolePreset {
  /**
   * Its name, and that of the Role. Must be a name of letters, digits, '-', '_', '.' and ':', at
   * most 253 characters.
   */
  readonly name: string;
  /**
   * The name of the RoleBinding; {tenant}, {namespace} and {environment} in it stand for the names
   * of these. Must be a name of letters, digits, '-', '_', '.' and ':', in which {tenant},
   * {namespace} and {environment} may stand.
   * @default - derived from the role: `tenant-clusterrole-<name>` or `tenant-role-<name>`
   */
  readonly bindingName?: string;
  /** What it may do. */
  readonly rules: readonly PolicyRule[];
}

/** A set of network rules. */
export interface NetworkPreset {
  /** Its name. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters. */
  readonly name: string;
  /**
   * Who may reach the pods: everyone, the namespaces of the tenant, the own namespace, no one.
   * @default - `SameTenant`
   */
  readonly isolation?: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed';
  /**
   * Whether the platform's ingress controllers reach the pods.
   * @default - `Allow`
   */
  readonly ingressControllers?: 'Allow' | 'Deny';
  /**
   * Whether the platform's monitoring reaches the pods.
   * @default - `Allow`
   */
  readonly monitoring?: 'Allow' | 'Deny';
  /**
   * Where the pods may go: anywhere; or only to DNS and the tenant, the own namespace, nowhere
   * else.
   * @default - `Open`
   */
  readonly egress?: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed';
  /** Further ways in. */
  readonly allowFrom?: readonly PeerRule[];
  /** Further ways out; of use where egress is not Open. */
  readonly allowTo?: readonly PeerRule[];
  /** NetworkPolicies as they are, within the ceilings of the class. */
  readonly policies?: readonly NetworkPolicyEntry[];
  /**
   * The names of the NetworkPolicies that the fields above give, in which placeholders may stand.
   */
  readonly policyNames?: NetworkPolicyNames;
}

/** Objects of one shape, made of the values that a tenant gives. */
export interface ResourcePreset {
  /** Its name. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters. */
  readonly name: string;
  /** For people. */
  readonly description?: string;
  /**
   * What a tenant may say, and what it must: a structural schema (OpenAPI v3, as in a
   * CustomResourceDefinition) of type object, with a property a parameter. Defaults are filled in,
   * patterns, bounds and `x-kubernetes-validations` are asked.
   * @default - no parameters
   */
  readonly parameters?: ParameterSchema;
  /**
   * The objects, in which `{name}` stands for a parameter, and `{tenant}`, `{namespace}`,
   * `{environment}` and `{cluster}` for where they are made. A text that is one placeholder becomes
   * the value, of whatever type; in a longer text and in keys a string, a number or a boolean is
   * put in. What holds nothing but an optional parameter without a value is left out. `\{name}`
   * stays `{name}`; `{{name}}` and `${name}` stay as they are. Each must be a Kubernetes object.
   */
  readonly manifests: readonly Readonly<Record<string, unknown>>[];
}

/** The schema of the parameters of a preset. */
export type ParameterSchema = JSONSchemaProps;

/** What tenants of the class have unless they say otherwise. */
export interface TenantDefaults extends Layer {
  /** What the namespaces may use. */
  readonly quota?: TenantQuota;
  /** What Argo CD may deploy for every tenant of the class. */
  readonly argocd?: ClassArgoCD;
}

/** What Argo CD may deploy for every tenant of the class. */
export interface ClassArgoCD {
  /**
   * Repositories from which each tenant deploys. Each must be the address of a repository such as
   * 'https://git.example.com/team/app.git', without user, query, '..' and '*', in which {tenant}
   * may stand.
   * @default - none but those that the tenant names
   */
  readonly sourceRepos?: readonly string[];
  /**
   * Kinds that its Applications may hold besides the ordinary ones: workloads, Services, Ingresses,
   * ConfigMaps, Secrets, ServiceAccounts, volume claims, autoscalers and disruption budgets.
   * @default - the ordinary kinds
   */
  readonly namespaceResourceWhitelist?: readonly GroupKind[];
  /**
   * When the Applications of the namespaces may be synced. Layers add up. Where a class says when
   * syncs are allowed, its tenants may only say when they are denied.
   * @default - at any time
   */
  readonly syncWindows?: readonly SyncWindow[];
}

/** An environment. */
export interface ClassEnvironment extends Layer {
  /**
   * Its name. Must be a name of letters, digits, '-', '_' and '.', at most 63 characters; upper and
   * lower case are different.
   */
  readonly name: string;
  /** What the namespaces may use. */
  readonly quota?: EnvironmentQuota;
  /** How Argo CD deploys what the tenant has in repositories of its own. */
  readonly argocd?: NamespaceArgoCD;
}

/** What no tenant of the class passes by its own word. A value above is an error. */
export interface Ceilings {
  /** The most namespaces of one tenant. */
  readonly namespaces?: number;
  /** Per namespace. A quota without the key is unlimited, and so above it. */
  readonly quota?: QuotaAmounts;
  /** For all namespaces of a tenant together. */
  readonly tenantQuota?: QuotaAmounts;
  /** The most that a LimitRange may say for a resource, in any field. */
  readonly limits?: LimitAmounts;
  /** The most open level that may be enforced. */
  readonly podSecurity?: 'privileged' | 'baseline' | 'restricted';
  /**
   * The most bytes of an object in `resources`, as JSON.
   * @default - `65536`
   */
  readonly resourceBytes?: number;
  /**
   * The longest `terminationGracePeriodSeconds` of a pod: so long a node waits for it to be
   * drained.
   * @default - `3600`, an hour
   */
  readonly terminationSeconds?: number;
  /** How open the network of a tenant may be. */
  readonly network?: NetworkCeiling;
  /**
   * What Roles that tenants write themselves may allow: each right has to be covered by one of
   * these.
   * @default - what Kubernetes' ClusterRoles allow that a tenant may bind anyway: `admin`, unless
   * `roles` puts others behind admins
   */
  readonly roles?: readonly RoleCeiling[];
}

/** How open the network of a tenant may be. */
export interface NetworkCeiling {
  /** The most open isolation. */
  readonly isolation?: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed';
  /** The most open egress. */
  readonly egress?: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed';
  /** What allowFrom and raw policies may let in. */
  readonly ingressFrom?: NetworkReach;
  /** What allowTo and raw policies may let out. */
  readonly egressTo?: NetworkReach;
}

/** How far the rules of a tenant may reach. */
export interface NetworkReach {
  /**
   * Whether namespaces of others may be named or selected.
   * @default - `Allow`
   */
  readonly otherNamespaces?: 'Allow' | 'Deny';
  /**
   * Whether rules may be for all namespaces, or for blocks of addresses that together hold more of
   * the Internet than a /8 (of IPv6: a /16). Which addresses exactly is for cidrs to say.
   * @default - `Deny` where isolation (egress) has a ceiling below Open, else `Allow`
   */
  readonly anywhere?: 'Allow' | 'Deny';
  /**
   * Blocks of addresses have to lie inside one of these. Each must be a CIDR such as '10.0.0.0/8'.
   * @default - any block
   */
  readonly cidrs?: readonly string[];
}

/**
 * What may be allowed: all that a ClusterRole of Kubernetes allows, or what is named here. '*'
 * stands for what is ordinary, and never for Secrets, for subresources that act or are written, nor
 * for what ClusterRole `admin` lacks.
 */
export interface RoleCeiling {
  /** A ClusterRole of Kubernetes, as Kubernetes installs it, without what others aggregate to it. */
  readonly clusterRole?: 'admin' | 'edit' | 'view';
  /**
   * The API groups; '' is the core group. '*' stands for those of Kubernetes, and for reading in
   * others. Each must be an API group, '' for the core group, or '*'.
   */
  readonly apiGroups?: readonly ApiGroup[];
  /**
   * The resources, in the plural, with a subresource as `pods/exec`. '*' stands for all but
   * Secrets, and for reading their `status`, `scale` and `log`; `*\/scale` for the subresource of
   * all. Each must be a resource in lower-case plural such as 'pods' or 'pods/exec', '*', or
   * '*\/scale' (a '*' after the slash means nothing to Kubernetes).
   */
  readonly resources?: readonly ResourceName[];
  /**
   * The verbs. '*' stands for get, list, watch, create, update, patch, delete and deletecollection.
   * Each must be a verb in lower case, or '*'.
   */
  readonly verbs?: readonly Verb[];
}

/**
 * What pods and volume claims of the tenants must be besides Pod Security. Admission policies hold
 * it, against everybody.
 */
export interface Hardening {
  /**
   * Always: each pod asks the registry anew, so that nobody runs a private image which somebody
   * else left on the node.
   * @default - as each container says
   */
  readonly imagePullPolicy?: 'Always';
  /**
   * Claims: data lives in claims for new volumes alone, of StorageClasses that delete a volume with
   * its claim.
   * @default - whatever Pod Security lets in
   */
  readonly storage?: 'Claims';
  /**
   * Restricted: what Pod Security restricted asks for is filled in where a pod says nothing. Needs
   * Kubernetes 1.36.
   * @default - nothing is filled in
   */
  readonly podDefaults?: 'Restricted';
}

/** What tenants may refer to. */
export interface Allowed {
  /**
   * Labels that tenants may set on their namespaces. In the domains of those who read Git
   * (kubernetes.io, argoproj.io, ...) also on their objects, where all other keys are free.
   * @default - `app.kubernetes.io/name`, `version`, `component` and `part-of`; `team`, `owner`,
   * `project`, `component`, `purpose`, `description`
   */
  readonly labels?: readonly OpenKey[];
  /**
   * Annotations that tenants may set on their namespaces; on objects as for labels.
   * @default - `app.kubernetes.io/name`, `version`, `component` and `part-of`; `team`, `owner`,
   * `project`, `component`, `purpose`, `description`
   */
  readonly annotations?: readonly OpenKey[];
  /**
   * ClusterRoles that access.clusterRoles may bind; never cluster-admin. Each must be a name of
   * letters, digits, '-', '_', '.' and ':', at most 253 characters.
   * @default - none but those of admins, editors and viewers
   */
  readonly clusterRoles?: readonly string[];
  /**
   * Clusters. Each must be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   * @default - every cluster
   */
  readonly clusters?: readonly string[];
  /**
   * Service accounts outside the tenant's namespaces that may be given access.
   * @default - none
   */
  readonly serviceAccounts?: readonly AllowedServiceAccount[];
  /**
   * Kinds that `resources` may hold. '*' stands for what is ordinary: of Kubernetes' own kinds
   * those that its role `admin` may create, of other groups all but network policies and Argo CD's
   * own, which have to be named.
   * @default - every ordinary kind
   */
  readonly resources?: readonly AllowedKind[];
  /**
   * PriorityClasses of pods. '*' stands for every one but Kubernetes' own `system-cluster-critical`
   * and `system-node-critical`, which have to be named. Pods without one are always allowed; name
   * the default PriorityClass of the cluster too. Each must be the name of a PriorityClass, or '*'.
   * @default - `['*']`
   */
  readonly priorityClasses?: readonly string[];
  /**
   * Whether pods may have affinity or anti-affinity to pods of other namespaces: a required one
   * keeps the pods of others off nodes.
   * @default - `Deny`
   */
  readonly crossNamespaceAffinity?: 'Allow' | 'Deny';
  /**
   * Taints that pods may tolerate besides those of nodes that are not ready, unreachable or short
   * of memory. What the DaemonSet controller adds itself is always allowed.
   * @default - none
   */
  readonly tolerations?: readonly AllowedToleration[];
  /**
   * Whether namespaces may hold as many objects as people like of kinds that no quota names. `Deny`
   * renders the quota `tenant-objects`.
   * @default - `Deny`
   */
  readonly uncountedObjects?: 'Allow' | 'Deny';
  /**
   * Repositories from which Argo CD may deploy for tenants that name them. Each must be the address
   * of a repository such as 'https://git.example.com/team/app.git', without user, query, '..' and
   * '*', in which {tenant} may stand, and a '*' after the last '/' for any rest.
   * @default - none
   */
  readonly sourceRepos?: readonly string[];
  /**
   * Kinds that the Applications of tenants may hold besides the ordinary ones, where a tenant names
   * them.
   * @default - none
   */
  readonly namespaceResourceWhitelist?: readonly GroupKind[];
  /**
   * Whether tenants may have namespaces in which their people write Applications themselves.
   * @default - `Deny`
   */
  readonly sourceNamespaces?: 'Allow' | 'Deny';
  /**
   * Whether tenants may have ApplicationSets: as many Applications as a repository has folders.
   * @default - `Deny`
   */
  readonly applicationSets?: 'Allow' | 'Deny';
}

/** A key, and the values that it may have. */
export interface OpenKey {
  /**
   * The key; with a '*' at the end every key that begins so. Must be a key such as
   * 'example.com/team', or 'example.com/*' for all that begin so.
   */
  readonly key: string;
  /**
   * Its values.
   * @default - any
   */
  readonly values?: readonly string[];
}

/** A service account. */
export interface AllowedServiceAccount {
  /**
   * Its namespace. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly namespace: string;
  /**
   * Its name, or '*' for all of the namespace.
   * @default - '*'
   */
  readonly name?: string;
}

/** A kind. */
export interface AllowedKind {
  /** Its API group, '' for the core group, '*' for every group. */
  readonly group: string;
  /** The kind, or '*' for all of the group. */
  readonly kind: string;
}

/** Taints by key, and the values that they may have. */
export interface AllowedToleration {
  /**
   * The key; with a '*' at the end every key that begins so, '*' alone for every taint. Must be a
   * key such as 'example.com/dedicated', 'example.com/*' for all that begin so, or '*'.
   */
  readonly key: string;
  /**
   * Its values. A toleration with the operator Exists passes every value, and is then refused. Each
   * must be the value of a taint.
   * @default - any
   */
  readonly values?: readonly string[];
}

/** What some tenants of the class may that the others may not. */
export interface ClassException {
  /**
   * The tenants, by name. Each must be a DNS label: lower-case letters, digits and '-', at most 63
   * characters.
   */
  readonly tenants: readonly string[];
  /**
   * Their namespaces that it is for, by their whole names. Each must be a DNS label: lower-case
   * letters, digits and '-', at most 63 characters.
   * @default - all of them
   */
  readonly namespaces?: readonly string[];
  /**
   * Why, for whoever asks. `tenantry check` shows it. Must be a reason of visible characters, at
   * most 1024.
   */
  readonly reason: string;
  /**
   * Other ceilings. A value, and the value of a key, takes the place of the class'; 'unlimited'
   * takes the ceiling of a key away; lists are added to those of the class.
   */
  readonly ceilings?: ExceptionalCeilings;
  /** What they may refer to besides. Each list is added to that of the class. */
  readonly allow?: Allowed;
}

/**
 * Other ceilings. A value, and the value of a key, takes the place of the class'; 'unlimited' takes
 * the ceiling of a key away; lists are added to those of the class.
 */
export interface ExceptionalCeilings {
  /** The most namespaces. */
  readonly namespaces?: number;
  /** Per namespace. */
  readonly quota?: QuotaAmounts;
  /** For all namespaces together. */
  readonly tenantQuota?: QuotaAmounts;
  /** The most that a LimitRange may say. */
  readonly limits?: LimitAmounts;
  /** The most open level that may be enforced. */
  readonly podSecurity?: 'privileged' | 'baseline' | 'restricted';
  /**
   * The most bytes of an object in `resources`, as JSON.
   * @default - `65536`
   */
  readonly resourceBytes?: number;
  /**
   * The longest `terminationGracePeriodSeconds` of a pod: so long a node waits for it to be
   * drained.
   * @default - `3600`, an hour
   */
  readonly terminationSeconds?: number;
  /** How open the network of a tenant may be. */
  readonly network?: NetworkCeiling;
  /** What Roles that they write themselves may allow besides. */
  readonly roles?: readonly RoleCeiling[];
}

/**
 * What a tenant's people may do in its namespaces themselves, with kubectl: held by admission
 * policies.
 */
export interface SelfService {
  /** Objects of a name that the platform uses. */
  readonly names?: SelfServicePolicy;
  /** RoleBindings: to roles and people that are declared. */
  readonly roleBindings?: SelfServiceRoleBindings;
  /** NetworkPolicies. */
  readonly networkPolicies?: SelfServiceNetworkPolicies;
  /** Services. */
  readonly services?: SelfServiceServices;
  /** Secrets that Kubernetes fills with a token that never expires. */
  readonly tokenSecrets?: SelfServicePolicy;
  /** Tokens of service accounts. */
  readonly tokens?: SelfServiceTokens;
  /**
   * Pods: without `nodeName`, with tolerations that `allow.tolerations` opens, and a grace period
   * within `ceilings.terminationSeconds`.
   */
  readonly pods?: SelfServicePolicy;
  /** PodDisruptionBudgets: let a pod be evicted, and select no pods that the platform declares. */
  readonly disruptionBudgets?: SelfServicePolicy;
  /**
   * Labels and annotations of Tenantry in templates, which controllers would copy onto what they
   * make.
   */
  readonly templates?: SelfServicePolicy;
}

/** Whether an admission policy holds. */
export interface SelfServicePolicy {
  /**
   * Whether the admission policy holds in the namespaces of the class.
   * @default - `Enforced`
   */
  readonly policy?: 'Enforced' | 'Disabled';
}

/** RoleBindings: to roles and people that are declared. */
export interface SelfServiceRoleBindings {
  /**
   * Whether the admission policy holds in the namespaces of the class.
   * @default - `Enforced`
   */
  readonly policy?: 'Enforced' | 'Disabled';
  /**
   * Users that they may bind besides those who are declared. Each must be the name of a user
   * without spaces, in which one '*' may stand for any text.
   */
  readonly users?: readonly string[];
  /**
   * Groups that they may bind besides those that are declared. Each must be the name of a group
   * without spaces, in which one '*' may stand for any text.
   */
  readonly groups?: readonly string[];
}

/** NetworkPolicies. */
export interface SelfServiceNetworkPolicies {
  /**
   * Whether the admission policy holds in the namespaces of the class.
   * @default - `Enforced`
   */
  readonly policy?: 'Enforced' | 'Disabled';
  /**
   * Whom they may let in.
   * @default - the tenant's own namespaces; everybody where no policy of the platform isolates the
   * namespace
   */
  readonly ingressFrom?: SelfServiceReach;
  /**
   * Where they may let out.
   * @default - the tenant's own namespaces; everywhere where no policy of the platform bounds the
   * egress
   */
  readonly egressTo?: SelfServiceReach;
}

/** Whom or what people may open their namespaces to. */
export interface SelfServiceReach {
  /**
   * Namespaces by name, besides the tenant's own. Each must be the name of a namespace, with a '*'
   * at the end for any rest.
   */
  readonly namespaces?: readonly string[];
  /** Blocks of addresses; one inside them is meant too. Each must be a CIDR such as '10.0.0.0/8'. */
  readonly cidrs?: readonly string[];
  /**
   * Everything there is.
   * @default - `Deny`
   */
  readonly anywhere?: 'Allow' | 'Deny';
}

/** Services. */
export interface SelfServiceServices {
  /**
   * Whether the admission policy holds in the namespaces of the class.
   * @default - `Enforced`
   */
  readonly policy?: 'Enforced' | 'Disabled';
  /**
   * Blocks of addresses of which externalIPs may be. Each must be a CIDR such as '10.0.0.0/8'.
   * @default - none
   */
  readonly externalIPs?: readonly string[];
}

/** Tokens of service accounts. */
export interface SelfServiceTokens {
  /**
   * Whether the admission policy holds in the namespaces of the class.
   * @default - `Enforced`
   */
  readonly policy?: 'Enforced' | 'Disabled';
  /**
   * The longest life that they may ask for.
   * @default - `86400`, a day
   */
  readonly maxSeconds?: number;
}

/** The clusters and what all tenants on them have in common. */
export interface PlatformSpec {
  /**
   * The clusters. The first is where tenants go that name none.
   * @default - one cluster, `in-cluster`
   */
  readonly clusters?: readonly ClusterEntry[];
  /**
   * The clusters of tenants that name none. Each must be a DNS label: lower-case letters, digits
   * and '-', at most 63 characters.
   * @default - the first cluster
   */
  readonly defaultClusters?: readonly string[];
  /**
   * The TenantClass of tenants that name none. Must be a DNS label: lower-case letters, digits and
   * '-', at most 63 characters.
   */
  readonly defaultClass?: string;
  /**
   * The environments that namespaces may have. Each must be a name of letters, digits, '-', '_' and
   * '.', at most 63 characters; upper and lower case are different.
   * @default - any
   */
  readonly environments?: readonly string[];
  /** Where the ingress controllers run: peers of a NetworkPolicy. */
  readonly ingressControllers?: readonly Peer[];
  /** Where the monitoring agents run: peers of a NetworkPolicy. */
  readonly monitoring?: readonly Peer[];
  /** Where the DNS servers run: peers of a NetworkPolicy. */
  readonly dns?: readonly Peer[];
  /**
   * The ports on which DNS pods listen, UDP and TCP.
   * @default - 53
   */
  readonly dnsPorts?: readonly number[];
  /**
   * Namespaces that no tenant may have, besides default, kube-*, the operator's, Argo CD's, and
   * those of well-known controllers. Each must be the name of a namespace, with a '*' at one end
   * for any rest.
   */
  readonly protectedNamespaces?: readonly string[];
  /**
   * Namespaces that tenants may have although their names are well known, such as `*-system`, or
   * although they exist and are no tenant's. Each must be a DNS label: lower-case letters, digits
   * and '-', at most 63 characters.
   */
  readonly releasedNamespaces?: readonly string[];
  /**
   * Namespaces on the clusters that are not the platform's and not declared here, such as legacy
   * ones. Rules of tenants may name them; no tenant may have them. Each must be the name of a
   * namespace, with a '*' at one end for any rest.
   */
  readonly externalNamespaces?: readonly string[];
  /** Label keys of namespaces that something on the platform trusts; no tenant may set them. */
  readonly trustedLabels?: readonly string[];
  /** Who may declare what, and who reviews it. */
  readonly delegation?: DelegationSpec;
  /**
   * The annotation that each key of a tenant's `contact` becomes.
   * @default - `team`, `channel`, `source` and `owner` become `tenantry.dev/team` and so on
   */
  readonly metadataKeys?: Readonly<Record<string, string>>;
  /**
   * Who may change what the platform put into tenants' namespaces, besides Kubernetes itself, Argo
   * CD and the operator.
   */
  readonly identities?: Identities;
  /** Argo CD. */
  readonly argocd?: ArgoCDSettings;
  /** The Tenantry operator. */
  readonly operator?: OperatorSettings;
  /** Custom resources that `resources` may hold, so that their scope is known. */
  readonly kinds?: readonly CustomKind[];
  /**
   * Files or folders of CustomResourceDefinitions from which kinds, scopes and schemas are read,
   * relative to this file. Objects in `resources` are held to them.
   */
  readonly crdFiles?: readonly string[];
  /**
   * What becomes of an object in `resources` that does not fit the schema of its kind: that of
   * Kubernetes, as Tenantry knows it, or of `crdFiles`. `Warn` is for clusters whose schemas are
   * other ones.
   * @default - `Refuse`
   */
  readonly resourceSchemas?: 'Refuse' | 'Warn';
}

/** A cluster. */
export interface ClusterEntry {
  /**
   * Its name: the folder in the output. Must be a DNS label: lower-case letters, digits and '-', at
   * most 63 characters.
   */
  readonly name: string;
  /** The address of its API server, as Argo CD knows it. Must be an https address. */
  readonly server?: string;
  /**
   * Its Kubernetes minor. Must be a minor such as '1.36'.
   * @default - the minor whose kinds and fields Tenantry knows, 1.36
   */
  readonly kubernetesVersion?: string;
  /**
   * What Argo CD syncs to this cluster, where that is not what `argocd.source` says: so a branch
   * can reach one cluster before the others. Must be a branch, a tag or a commit.
   * @default - that of `argocd.source`
   */
  readonly targetRevision?: string;
  /** Where the ingress controllers run: peers of a NetworkPolicy. */
  readonly ingressControllers?: readonly Peer[];
  /** Where the monitoring agents run: peers of a NetworkPolicy. */
  readonly monitoring?: readonly Peer[];
  /** Where the DNS servers run: peers of a NetworkPolicy. */
  readonly dns?: readonly Peer[];
  /**
   * The ports on which DNS pods listen, UDP and TCP.
   * @default - 53
   */
  readonly dnsPorts?: readonly number[];
}

/** Who may declare what, and who reviews it. */
export interface DelegationSpec {
  /**
   * The folders. What none of them allows is refused.
   * @default - TenantClasses stand in `classes`, Tenants everywhere
   */
  readonly folders?: readonly DelegatedFolder[];
  /**
   * Folders whose files every declaration may include. Each must be a folder such as 'finance' or
   * 'teams/*', or '.' for all of them: names of letters, digits, '.', '_' and '-', a '*' for one
   * whole name, no '/' at the end.
   * @default - none: files include from their own folder of `folders`
   */
  readonly shared?: readonly string[];
  /**
   * The platform's: who reviews everything that no other owner has. Each must be '@user',
   * '@organization/team' or an email address.
   * @default - `tenantry tenant codeowners` asks for them
   */
  readonly owners?: readonly string[];
}

/** What the files of a folder, and of the folders in it, may declare. */
export interface DelegatedFolder {
  /**
   * It, below the folder of tenants. Of several, the deepest holds alone. Must be a folder such as
   * 'finance' or 'teams/*', or '.' for all of them: names of letters, digits, '.', '_' and '-', a
   * '*' for one whole name, no '/' at the end.
   */
  readonly folder: string;
  /**
   * The names that Tenants may have; a '*' at the end stands for any rest. Each must be a name,
   * with a '*' at the end for any rest.
   * @default - no Tenants
   */
  readonly tenants?: readonly string[];
  /**
   * The names that their namespaces may have; a '*' at the end stands for any rest. Each must be a
   * name, with a '*' at the end for any rest.
   * @default - any that no other tenant has
   */
  readonly namespaces?: readonly string[];
  /**
   * The names that TenantClasses may have; a '*' at the end stands for any rest. Each must be a
   * name, with a '*' at the end for any rest.
   * @default - no TenantClasses
   */
  readonly classes?: readonly string[];
  /**
   * Labels that its Tenants may carry although a class goes by them (`allowedTenants.selector`).
   * @default - none
   */
  readonly labels?: readonly DelegatedLabel[];
  /**
   * Who reviews changes of it. Each must be '@user', '@organization/team' or an email address.
   * @default - the owners of the platform
   */
  readonly owners?: readonly string[];
}

/** A label. */
export interface DelegatedLabel {
  /** Its key. */
  readonly key: string;
  /**
   * Its values. Each must be a label value: letters, digits, '-', '_' and '.', at most 63
   * characters.
   * @default - any value
   */
  readonly values?: readonly string[];
}

/**
 * Who may change what the platform put into tenants' namespaces, besides Kubernetes itself, Argo CD
 * and the operator.
 */
export interface Identities {
  /** Users. */
  readonly users?: readonly string[];
  /** Groups. */
  readonly groups?: readonly string[];
}

/** Argo CD. */
export interface ArgoCDSettings {
  /**
   * Where it runs. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly namespace?: string;
  /**
   * The service accounts there that apply what is in Git. Each must be a DNS subdomain: lower-case
   * letters, digits, '-' and '.', at most 253 characters.
   * @default - `argocd-application-controller`
   */
  readonly serviceAccounts?: readonly string[];
  /**
   * Where Argo CD finds the output. With it `argocd/` is rendered: projects, Applications and
   * ApplicationSets for all that is in `clusters/`.
   */
  readonly source?: ArgoCDSource;
  /**
   * What the API server puts before the names of a login's groups (`--oidc-groups-prefix`) and Argo
   * CD does not. Roles in Argo CD have the names without it, and groups of `access` that lack it
   * have none: no login has them. Must be visible characters without spaces, at most 128.
   * @default - both know groups by the same names
   */
  readonly groupsPrefix?: string;
  /**
   * Whether it syncs Applications of tenants as an account that has the rights of the tenant
   * (`application.sync.impersonation.enabled` in `argocd-cm`), or as itself, whom no admission
   * policy holds. There is no default: what is not switched on there holds nobody.
   * @default - no tenant may have Applications
   */
  readonly impersonation?: 'Enabled' | 'Disabled';
  /**
   * Whether it asks the API server what a sync of a tenant would change. `Enabled`: no default of a
   * kind without a definition is a difference, and one change that the API server refuses holds up
   * all changes of its tenant, revocations too. `Disabled`: what is refused fails alone, and an
   * object whose kind has defaults within lists stays OutOfSync, unless `crdFiles` have its
   * definition.
   * @default - `Disabled` where `crdFiles` have the definitions of all `kinds` in namespaces
   */
  readonly serverSideDiff?: 'Enabled' | 'Disabled';
}

/**
 * Where Argo CD finds the output. With it `argocd/` is rendered: projects, Applications and
 * ApplicationSets for all that is in `clusters/`.
 */
export interface ArgoCDSource {
  /**
   * The address of the Git repository, as Argo CD knows it. Must be the address of a Git
   * repository, such as 'https://git.example.com/platform/tenants.git'.
   */
  readonly repoURL: string;
  /**
   * The branch, tag or commit that is synced. Must be a branch, a tag or a commit.
   * @default - the default branch of the repository
   */
  readonly targetRevision?: string;
  /**
   * The folder of the output in the repository; '.' is the top of it. Must be a path of letters,
   * digits, '-', '_' and '.', relative to the top of the repository.
   * @default - `dist`
   */
  readonly path?: string;
}

/** The Tenantry operator. */
export interface OperatorSettings {
  /**
   * Where it runs. Must be a DNS label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly namespace?: string;
  /**
   * The most that the operator does about differences, whatever tenants say: it gets no more rights
   * than this needs.
   * @default - `Observe`
   */
  readonly driftPolicy?: DriftPolicy;
  /**
   * Its image, best by digest, as it was built and pushed (docs/operator-install.md). It runs where
   * this is said: nobody else can say whose image gets its rights. Must be an image with its
   * registry, such as 'registry.example.com/tenantry:0.1.0'.
   * @default - the operator does not run: only its namespace, account, roles and configuration are
   * there
   */
  readonly image?: string;
  /**
   * The memory that each replica of it may take. Must be an amount of memory such as '512Mi'.
   * @default - `512Mi`, which does for 10,000 tenants
   */
  readonly memory?: string;
  /**
   * The PriorityClass of its pods. Must be a DNS subdomain: lower-case letters, digits, '-' and
   * '.', at most 253 characters.
   * @default - that of the cluster for pods that name none
   */
  readonly priorityClass?: string;
  /**
   * Names of Secrets of type dockerconfigjson. Each must be a DNS subdomain: lower-case letters,
   * digits, '-' and '.', at most 253 characters.
   */
  readonly imagePullSecrets?: readonly string[];
  /**
   * Taints of nodes that its pods tolerate.
   * @default - none
   */
  readonly tolerations?: readonly OperatorToleration[];
  /**
   * Kinds of objects in `resources` that the operator compares too: it gets the right to read all
   * objects of each, in all namespaces.
   * @default - none: they are counted as not compared
   */
  readonly comparedKinds?: readonly ComparedKind[];
  /** What Prometheus and Grafana get of the operator. */
  readonly monitoring?: OperatorMonitoring;
  /**
   * Whom the operator calls when tenants come and go.
   * @default - nobody
   */
  readonly hooks?: readonly Hook[];
}

/** A taint, as a pod tolerates it. */
export interface OperatorToleration {
  /**
   * The key of the taint.
   * @default - every key
   */
  readonly key?: string;
  /**
   * How the value is compared.
   * @default - `Equal`
   */
  readonly operator?: 'Equal' | 'Exists';
  /**
   * The value of the taint. Must be a label value.
   * @default - the empty value
   */
  readonly value?: string;
  /**
   * The effect of the taint.
   * @default - every effect
   */
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  /**
   * How many seconds the pods stay on a node that gets the taint.
   * @default - for ever
   */
  readonly tolerationSeconds?: number;
}

/**
 * A kind that lies in namespaces: Kubernetes' own, or one of which `kinds` has plural and version,
 * or `crdFiles` the definition. Never `Secret`.
 */
export interface ComparedKind {
  /**
   * Its API group.
   * @default - the core group
   */
  readonly group?: string;
  /** Its kind. */
  readonly kind: string;
}

/** What Prometheus and Grafana get of the operator. */
export interface OperatorMonitoring {
  /**
   * Labels of the PrometheusRule and the ServiceMonitor, by which a Prometheus chooses them:
   * `release: kube-prometheus-stack`.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Whether there is a dashboard: a ConfigMap with the label `grafana_dashboard: "1"`, by which the
   * sidecar of Grafana finds it.
   * @default - false
   */
  readonly dashboard?: boolean;
  /**
   * Where its alerts link to: where docs/operator.md is read. Must be an http or https address
   * without '#'.
   * @default - they link to nothing
   */
  readonly runbook?: string;
  /**
   * Whether metrics name tenants: each that is not ready, and what it uses of its quotas. That is
   * two series for each resource of each quota, of the quotas that every namespace has where little
   * is left; without, alerts say how many tenants, and not which.
   * @default - true
   */
  readonly tenantSeries?: boolean;
}

/** A call when tenants come or go. */
export interface Hook {
  /**
   * Its name. Under another name it is another hook, and called again. Must be lower-case letters,
   * digits and '-', at most 40 characters.
   */
  readonly name: string;
  /**
   * What it is called for. Onboarded: a tenant is ready for the first time. Offboarding: a Tenant
   * is being deleted, which waits for it.
   */
  readonly events: readonly HookEvent[];
  /**
   * A POST of a CloudEvent, signed as Standard Webhooks says. The Secret has `signing-key`
   * (`whsec_...`), and may have `previous-signing-key`, while keys are changed, and `token`, which
   * is then sent as a Bearer token.
   */
  readonly webhook?: Webhook;
  /**
   * A build of a job in Jenkins. The Secret has `username` and `token`, an API token of that user,
   * who needs Overall/Read, and Job/Read and Job/Build on the job. With the user's password in its
   * place, a crumb is asked for.
   */
  readonly jenkins?: JenkinsHook;
  /**
   * A channel in Slack for each tenant: made when it comes, archived when it goes. The Secret has
   * `token`, of a bot (`xoxb-...`) with the scopes `channels:manage`, `channels:read`,
   * `channels:history` and `chat:write`, for private channels those of `groups` in their place, and
   * `users:read.email` to invite.
   */
  readonly slack?: SlackHook;
  /**
   * The Secret in the operator's namespace that has its credentials. Must be a DNS subdomain:
   * lower-case letters, digits, '-' and '.', at most 253 characters.
   */
  readonly secret: string;
  /**
   * The certificate authorities that it trusts, PEM, and no other. Must be certificates in PEM.
   * @default - those that Node trusts
   */
  readonly authorities?: string;
  /**
   * Whether its address may be one of http: what is sent, credentials too, can then be read and
   * changed on the way.
   * @default - false
   */
  readonly plainHttp?: boolean;
  /**
   * How long one attempt may take, all its requests together.
   * @default - `10`
   */
  readonly timeoutSeconds?: number;
  /**
   * After how many hours a Tenant that is being deleted no longer waits for it.
   * @default - `24`
   */
  readonly giveUpHours?: number;
  /**
   * The clusters whose operators call it. Each must be a DNS label: lower-case letters, digits and
   * '-', at most 63 characters.
   * @default - all: each for the tenants that it has
   */
  readonly clusters?: readonly string[];
  /**
   * The TenantClasses for whose tenants it is called. Each must be a DNS label: lower-case letters,
   * digits and '-', at most 63 characters.
   * @default - all
   */
  readonly classes?: readonly string[];
  /**
   * Only for Tenants that were made after this: a hook that is added to a fleet is else called for
   * all of it.
   */
  readonly since?: string;
}

/** Of what a hook is told. */
export type HookEvent = 'Onboarded' | 'Offboarding';

/**
 * A POST of a CloudEvent, signed as Standard Webhooks says. The Secret has `signing-key`
 * (`whsec_...`), and may have `previous-signing-key`, while keys are changed, and `token`, which is
 * then sent as a Bearer token.
 */
export interface Webhook {
  /** Where it is sent. Must be an https address. */
  readonly url: string;
}

/**
 * A build of a job in Jenkins. The Secret has `username` and `token`, an API token of that user,
 * who needs Overall/Read, and Job/Read and Job/Build on the job. With the user's password in its
 * place, a crumb is asked for.
 */
export interface JenkinsHook {
  /** The address of Jenkins, with its path. Must be an https address. */
  readonly url: string;
  /**
   * The job, behind the folders that it is in. Must be names with '/' between them, each beginning
   * with a letter, a digit or '_'.
   */
  readonly job: string;
  /**
   * What parameters of the job are set to. The job must have each of them: Jenkins drops those that
   * it does not know.
   * @default - none but `keyParameter`
   */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * The parameter that gets the key of the call, by which a build is found again. The job must have
   * it. Must be a name of letters, digits, '_', '-' and '.'.
   * @default - `TENANTRY_KEY`
   */
  readonly keyParameter?: string;
  /**
   * When the call counts as delivered. Queued: Jenkins has accepted it; it forgets its queue if it
   * is killed. Started: the build has begun. Succeeded: the build has ended well; one that ended
   * otherwise is not begun again, and may be rebuilt by hand.
   * @default - `Started`
   */
  readonly wait?: 'Queued' | 'Started' | 'Succeeded';
}

/**
 * A channel in Slack for each tenant: made when it comes, archived when it goes. The Secret has
 * `token`, of a bot (`xoxb-...`) with the scopes `channels:manage`, `channels:read`,
 * `channels:history` and `chat:write`, for private channels those of `groups` in their place, and
 * `users:read.email` to invite.
 */
export interface SlackHook {
  /**
   * The address of the Web API. Must be an https address.
   * @default - `https://slack.com/api`
   */
  readonly url?: string;
  /**
   * The name of the channel. What {tenant}, {cluster} and {class} stand for may be cut, and gets a
   * hash at its end then. Must be lower-case letters, digits, '-' and '_', and {tenant}, at most 80
   * characters, in which {cluster} and {class} may stand.
   */
  readonly channel: string;
  /**
   * Whether it is a private channel.
   * @default - false
   */
  readonly private?: boolean;
  /**
   * Its topic; what is longer than 250 characters is cut. Must be a text of at most 250 characters,
   * in which braces stand around one of key, event, at, tenant, uid, class, cluster, namespaces,
   * contact.KEY or label.KEY.
   * @default - none
   */
  readonly topic?: string;
  /**
   * Who is invited, by their e-mail addresses in Slack. Who is not known there is told, and not
   * invited. Each must be an e-mail address.
   * @default - nobody
   */
  readonly invite?: readonly string[];
  /**
   * The keys of a tenant's `contact` whose values are e-mail addresses of people to invite too.
   * @default - none
   */
  readonly inviteContacts?: readonly string[];
  /**
   * What is said in the channel when it is made, in mrkdwn. Must be a text of at most 3000
   * characters, in which braces stand around one of key, event, at, tenant, uid, class, cluster,
   * namespaces, contact.KEY or label.KEY.
   * @default - nothing
   */
  readonly onboarded?: string;
  /**
   * What is said in the channel before it is archived, in mrkdwn. Must be a text of at most 3000
   * characters, in which braces stand around one of key, event, at, tenant, uid, class, cluster,
   * namespaces, contact.KEY or label.KEY.
   * @default - nothing
   */
  readonly offboarding?: string;
  /**
   * Whether the channel is archived when the tenant goes.
   * @default - true
   */
  readonly archive?: boolean;
}

/** A kind. */
export interface CustomKind {
  /** Its API group. */
  readonly group: string;
  /** Its kind. */
  readonly kind: string;
  /** Its scope. */
  readonly scope: 'Namespaced' | 'Cluster';
  /**
   * Its name in paths: `certificates`. `operator.comparedKinds` needs it.
   * @default - nobody knows it
   */
  readonly plural?: string;
  /**
   * A version that clusters serve: `v1`. `operator.comparedKinds` needs it.
   * @default - nobody knows it
   */
  readonly version?: string;
}
