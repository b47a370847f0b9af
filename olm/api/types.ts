// Written by `npm run gen` from the schemas of OLM's kinds.
import type {
  Affinity,
  EnvFromSource,
  EnvVar,
  Toleration,
  Volume,
  VolumeMount,
} from '../../kube/api/core.ts';
import type { Immutable } from '../../kube/immutable.ts';
import type { Condition, LabelSelector } from '../../schema/language.ts';

/** Where a catalog is, and how it is called. */
export interface CatalogSourceSpec {
  /** What serves it: a program, of an image or at an address; or a ConfigMap. */
  readonly sourceType: 'grpc' | 'configmap' | 'internal';
  /** The image of the catalog, for `grpc`. */
  readonly image?: string;
  /** Where a catalog is served already, for `grpc` without an image. */
  readonly address?: string;
  /** The ConfigMap with the catalog, for `configmap` and `internal`. */
  readonly configMap?: string;
  /** How it is called where people read. */
  readonly displayName?: string;
  /** What it is. */
  readonly description?: string;
  /** Who stands behind it. */
  readonly publisher?: string;
  /** A picture. */
  readonly icon?: CatalogSourceIcon;
  /**
   * Which catalog is taken where several have a package: the highest.
   * @default - 0
   */
  readonly priority?: number;
  /** Secrets of its namespace by which the images of its bundles are pulled. */
  readonly secrets?: readonly string[];
  /** When a new image of the catalog is looked for. */
  readonly updateStrategy?: CatalogUpdateStrategy;
  /** How the pod of a catalog runs; for `image` alone. */
  readonly grpcPodConfig?: GrpcPodConfig;
}

/** A picture. */
export interface CatalogSourceIcon {
  /** The picture, in base64. */
  readonly base64data: string;
  /** What picture it is. */
  readonly mediatype: string;
}

/** When a new image of the catalog is looked for. */
export interface CatalogUpdateStrategy {
  /** Looks for one from time to time; for an image by its tag. */
  readonly registryPoll?: RegistryPoll;
}

/** Looks for one from time to time; for an image by its tag. */
export interface RegistryPoll {
  /** How often. Must be a duration such as '1h30m' or '500ms'. */
  readonly interval?: string;
}

/** How the pod of a catalog runs; for `image` alone. */
export interface GrpcPodConfig {
  /** Labels of the nodes that it may run on. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Which taints of nodes pods bear, as a pod says it. Each must be a mapping. */
  readonly tolerations?: OlmTolerations;
  /** On which nodes pods run, as a pod says it. */
  readonly affinity?: OlmAffinity;
  /** Its PriorityClass. */
  readonly priorityClassName?: string;
  /** Whether the pod passes Pod Security `restricted`, or runs as old catalogs need it. */
  readonly securityContextConfig?: 'legacy' | 'restricted';
  /**
   * How much memory the pod asks for, and its program aims at. Must be a quantity such as '500m',
   * '2Gi' or 10.
   */
  readonly memoryTarget?: number | string;
  /** Serves the catalog of the image by OLM's own program in place of the image's. */
  readonly extractContent?: ExtractContent;
}

/** Which taints of nodes pods bear, as a pod says it. */
export type OlmTolerations = readonly Immutable<Toleration>[];

/** On which nodes pods run, as a pod says it. */
export type OlmAffinity = Immutable<Affinity>;

/** Serves the catalog of the image by OLM's own program in place of the image's. */
export interface ExtractContent {
  /** The folder of the image with the catalog. */
  readonly catalogDir: string;
  /**
   * The folder of the image with its cache.
   * @default - none
   */
  readonly cacheDir?: string;
}

/** How it is with a catalog. */
export interface CatalogSourceStatus {
  /** What is the case. */
  readonly conditions?: readonly Condition[];
  /** What is wrong, for people. */
  readonly message?: string;
  /** What is wrong, as one word for programs. */
  readonly reason?: string;
  /** When a new image was last looked for. */
  readonly latestImageRegistryPoll?: string;
  /** How OLM reaches what serves it. */
  readonly connectionState?: CatalogConnection;
  /** The Service in front of its pod. */
  readonly registryService?: CatalogService;
  /** The ConfigMap that was read. */
  readonly configMapReference?: CatalogConfigMap;
}

/** How OLM reaches what serves it. */
export interface CatalogConnection {
  /** Where. */
  readonly address?: string;
  /** When it last tried to. */
  readonly lastConnect?: string;
  /** How it was: `READY`, `TRANSIENT_FAILURE`. */
  readonly lastObservedState: string;
}

/** The Service in front of its pod. */
export interface CatalogService {
  /** Its name. */
  readonly serviceName?: string;
  /** Its namespace. */
  readonly serviceNamespace?: string;
  /** Its port. */
  readonly port?: string;
  /** What is spoken there. */
  readonly protocol?: string;
  /** When it was made. */
  readonly createdAt?: string;
}

/** The ConfigMap that was read. */
export interface CatalogConfigMap {
  /** Its name. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace: string;
  /** Its UID. */
  readonly uid?: string;
  /** As of when. */
  readonly resourceVersion?: string;
  /** When it was read. */
  readonly lastUpdateTime?: string;
}

/** Which operator is wanted, and from where. */
export interface SubscriptionSpec {
  /** The package. */
  readonly name: string;
  /**
   * The channel.
   * @default - the package's default
   */
  readonly channel?: string;
  /** The CatalogSource. */
  readonly source: string;
  /** The namespace of the CatalogSource. */
  readonly sourceNamespace: string;
  /**
   * Which version is installed first.
   * @default - the head of the channel
   */
  readonly startingCSV?: string;
  /**
   * Whether each InstallPlan waits for a person.
   * @default - `Automatic`
   */
  readonly installPlanApproval?: 'Automatic' | 'Manual';
  /** What OLM changes in the operator's Deployments. */
  readonly config?: SubscriptionConfig;
}

/** What OLM changes in the operator's Deployments. */
export interface SubscriptionConfig {
  /** The Deployments that are changed. */
  readonly selector?: LabelSelector;
  /** Labels of the nodes that its pods may run on. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Which taints of nodes pods bear, as a pod says it. Each must be a mapping. */
  readonly tolerations?: OlmTolerations;
  /** On which nodes pods run, as a pod says it. */
  readonly affinity?: OlmAffinity;
  /** What the operator's containers ask for, in place of what the bundle says. */
  readonly resources?: OperatorResourceRequirements;
  /** Variables of containers, as a pod says them. Each must be a mapping. */
  readonly env?: OlmVariables;
  /** ConfigMaps and Secrets of variables, as a pod says them. Each must be a mapping. */
  readonly envFrom?: OlmVariableSources;
  /** Volumes of pods, as a pod says them. Each must be a mapping. */
  readonly volumes?: OlmVolumes;
  /** Where containers have volumes, as a pod says it. Each must be a mapping. */
  readonly volumeMounts?: OlmVolumeMounts;
  /** Annotations of its Deployments and pods. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What the operator's containers ask for, in place of what the bundle says. */
export interface OperatorResourceRequirements {
  /** At most this. */
  readonly limits?: Readonly<Record<string, number | string>>;
  /** At least this. */
  readonly requests?: Readonly<Record<string, number | string>>;
  /** Claims of the pod that the containers use. */
  readonly claims?: readonly OperatorResourceClaim[];
}

/** A claim of the pod. */
export interface OperatorResourceClaim {
  /** Its name. */
  readonly name: string;
  /**
   * Which request of it.
   * @default - all
   */
  readonly request?: string;
}

/** Variables of containers, as a pod says them. */
export type OlmVariables = readonly Immutable<EnvVar>[];

/** ConfigMaps and Secrets of variables, as a pod says them. */
export type OlmVariableSources = readonly Immutable<EnvFromSource>[];

/** Volumes of pods, as a pod says them. */
export type OlmVolumes = readonly Immutable<Volume>[];

/** Where containers have volumes, as a pod says it. */
export type OlmVolumeMounts = readonly Immutable<VolumeMount>[];

/** What came of it. */
export interface SubscriptionStatus {
  /** `AtLatestKnown`, `UpgradePending`, `UpgradeAvailable`, `UpgradeFailed`. */
  readonly state?: string;
  /** Why, as one word. */
  readonly reason?: string;
  /** The ClusterServiceVersion that is to be there. */
  readonly currentCSV?: string;
  /** The ClusterServiceVersion that is there. */
  readonly installedCSV?: string;
  /** How many InstallPlans there were. */
  readonly installPlanGeneration?: number;
  /** The latest InstallPlan. */
  readonly installPlanRef?: OlmObjectReference;
  /** The latest InstallPlan, as old programs read it. */
  readonly installplan?: SubscriptionInstallPlan;
  /** How it is with the catalogs. */
  readonly catalogHealth?: readonly SubscriptionCatalogHealth[];
  /** What is the case. */
  readonly conditions?: readonly SubscriptionCondition[];
  /** When this was written. */
  readonly lastUpdated: string;
}

/** An object that OLM knows of. */
export interface OlmObjectReference {
  /** The version of its API. */
  readonly apiVersion?: string;
  /** Its kind. */
  readonly kind?: string;
  /** Its namespace. */
  readonly namespace?: string;
  /** Its name. */
  readonly name?: string;
  /** Its UID. */
  readonly uid?: string;
  /** As of when. */
  readonly resourceVersion?: string;
  /** Which part of it. */
  readonly fieldPath?: string;
}

/** The latest InstallPlan, as old programs read it. */
export interface SubscriptionInstallPlan {
  /** The version of its API. */
  readonly apiVersion: string;
  /** Its kind. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** Its UID. */
  readonly uuid: string;
}

/** How it is with a catalog. */
export interface SubscriptionCatalogHealth {
  /** The CatalogSource. */
  readonly catalogSourceRef: OlmObjectReference;
  /** Whether it can be asked. */
  readonly healthy: boolean;
  /** When that was found. */
  readonly lastUpdated: string;
}

/** What is the case, and since when. */
export interface SubscriptionCondition {
  /** What it is about: `CatalogSourcesUnhealthy`, `ResolutionFailed`. */
  readonly type: string;
  /** Whether it is the case: `True`, `False`, `Unknown`. */
  readonly status: string;
  /** Why, as one word for programs. */
  readonly reason?: string;
  /** Why, for people. */
  readonly message?: string;
  /** When it was last looked at. */
  readonly lastHeartbeatTime?: string;
  /** Since when the status is what it is. */
  readonly lastTransitionTime?: string;
}

/** Which namespaces the operators of a namespace watch. */
export interface OperatorGroupSpec {
  /**
   * The namespaces that they watch.
   * @default - those of `selector`; without one, all
   */
  readonly targetNamespaces?: readonly string[];
  /** Labels of the namespaces that they watch; not heeded beside `targetNamespaces`. */
  readonly selector?: LabelSelector;
  /**
   * A ServiceAccount of the namespace whose rights bound what OLM installs for them.
   * @default - OLM's own rights
   */
  readonly serviceAccountName?: string;
  /**
   * Whether the annotation with the kinds that they serve is left as it is.
   * @default - OLM writes it
   */
  readonly staticProvidedAPIs?: boolean;
  /** Whether an upgrade may go on past a version that failed. */
  readonly upgradeStrategy?: 'Default' | 'TechPreviewUnsafeFailForward';
}

/** What came of it. */
export interface OperatorGroupStatus {
  /** The namespaces that are watched; one empty text for all. */
  readonly namespaces?: readonly string[];
  /** The ServiceAccount whose rights bound. */
  readonly serviceAccountRef?: OlmObjectReference;
  /** What is the case. */
  readonly conditions?: readonly Condition[];
  /** When this was written. */
  readonly lastUpdated: string;
}

/** What is to be installed, and whether it may be. */
export interface InstallPlanSpec {
  /** The ClusterServiceVersions that it brings, those that they need among them. */
  readonly clusterServiceVersionNames: readonly string[];
  /** Whether it waits for a person: `Automatic`, `Manual`. */
  readonly approval: string;
  /** Whether it may be carried out. */
  readonly approved: boolean;
  /** The how manieth plan of its namespace it is. */
  readonly generation?: number;
  /** The CatalogSource. */
  readonly source?: string;
  /** The namespace of the CatalogSource. */
  readonly sourceNamespace?: string;
}

/** How far it is. */
export interface InstallPlanStatus {
  /** `Planning`, `RequiresApproval`, `Installing`, `Complete`, `Failed`, or none yet. */
  readonly phase: string;
  /** What is wrong, for people. */
  readonly message?: string;
  /** The CatalogSources that were asked. */
  readonly catalogSources: readonly string[];
  /** The objects that are made, in order. */
  readonly plan?: readonly InstallPlanStep[];
  /** The bundles that are unpacked for it. */
  readonly bundleLookups?: readonly BundleLookup[];
  /** The ServiceAccount whose rights bound it. */
  readonly attenuatedServiceAccountRef?: OlmObjectReference;
  /** When it was begun. */
  readonly startTime?: string;
  /** What is the case. */
  readonly conditions?: readonly InstallPlanCondition[];
}

/** An object that is made. */
export interface InstallPlanStep {
  /** The ClusterServiceVersion that it is made for. */
  readonly resolving: string;
  /** Which object, and what is in it. */
  readonly resource: InstallPlanStepResource;
  /** `Unknown`, `NotPresent`, `Present`, `Created`, `NotCreated`, and such. */
  readonly status: string;
  /**
   * Whether the cluster may know no such kind.
   * @default - `false`
   */
  readonly optional?: boolean;
}

/** Which object, and what is in it. */
export interface InstallPlanStepResource {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version of its kind. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** The CatalogSource that it comes from. */
  readonly sourceName: string;
  /** The namespace of the CatalogSource. */
  readonly sourceNamespace: string;
  /** It as JSON, or where that is to be found. */
  readonly manifest?: string;
}

/** A bundle that is unpacked for it. */
export interface BundleLookup {
  /** The ClusterServiceVersion in it. */
  readonly identifier: string;
  /** Its image. */
  readonly path: string;
  /** The ClusterServiceVersion whose place it takes. */
  readonly replaces: string;
  /** What the catalog says of it, as JSON. */
  readonly properties?: string;
  /** The CatalogSource that it comes from. */
  readonly catalogSourceRef: OlmObjectReference;
  /** How far it is. */
  readonly conditions?: readonly BundleLookupCondition[];
}

/** What is the case, and since when. */
export interface BundleLookupCondition {
  /** What it is about: `BundleLookupPending`, `BundleLookupFailed`. */
  readonly type: string;
  /** Whether it is the case: `True`, `False`, `Unknown`. */
  readonly status: string;
  /** Why, as one word for programs. */
  readonly reason?: string;
  /** Why, for people. */
  readonly message?: string;
  /** When it was last looked at. */
  readonly lastUpdateTime?: string;
  /** Since when the status is what it is. */
  readonly lastTransitionTime?: string;
}

/** What is the case, and since when. */
export interface InstallPlanCondition {
  /** What it is about: `Resolved`, `Installed`. */
  readonly type?: string;
  /** Whether it is the case: `True`, `False`, `Unknown`. */
  readonly status?: string;
  /** Why, as one word for programs. */
  readonly reason?: string;
  /** Why, for people. */
  readonly message?: string;
  /** When it was last looked at. */
  readonly lastUpdateTime?: string;
  /** Since when the status is what it is. */
  readonly lastTransitionTime?: string;
}

/** What an operator tells OLM, and what its admin says instead. */
export interface OperatorConditionSpec {
  /** What the operator says; `Upgradeable` is what OLM heeds. */
  readonly conditions?: readonly Condition[];
  /** What the cluster's admin says, and goes before it. */
  readonly overrides?: readonly OperatorConditionOverride[];
  /** The ServiceAccounts that may write it; OLM says which. */
  readonly serviceAccounts?: readonly string[];
  /** The Deployments whose pods know its name; OLM says which. */
  readonly deployments?: readonly string[];
}

/** What holds in place of what an operator says. */
export interface OperatorConditionOverride {
  /** What it is about, in CamelCase. */
  readonly type: string;
  /** Whether it is the case. */
  readonly status: 'True' | 'False' | 'Unknown';
  /** The generation of the object that it was found for. */
  readonly observedGeneration?: number;
  /** Since when the status is what it is. */
  readonly lastTransitionTime?: string;
  /** Why, as one word in CamelCase for programs. */
  readonly reason: string;
  /** Why, for people; may be empty. */
  readonly message: string;
}

/** What OLM saw. */
export interface OperatorConditionStatus {
  /** What holds. */
  readonly conditions?: readonly Condition[];
}

/** How far it is. */
export interface ClusterServiceVersionStatus {
  /**
   * `Pending`, `InstallReady`, `Installing`, `Succeeded`, `Failed`, `Replacing`, `Deleting`, or
   * none yet.
   */
  readonly phase?: string;
  /** Why, as one word for programs. */
  readonly reason?: string;
  /** Why, for people. */
  readonly message?: string;
  /** When it was last looked at. */
  readonly lastUpdateTime?: string;
  /** Since when it is so. */
  readonly lastTransitionTime?: string;
  /** How it came there. */
  readonly conditions?: readonly ClusterServiceVersionCondition[];
  /** What must be there before it is installed. */
  readonly requirementStatus?: readonly RequirementStatus[];
  /** When the certificates of its webhooks were made. */
  readonly certsLastUpdated?: string;
  /** When they are made anew. */
  readonly certsRotateAt?: string;
  /** What goes before the operator does. */
  readonly cleanup?: CleanupStatus;
}

/** How far it was, and when. */
export interface ClusterServiceVersionCondition {
  /**
   * `Pending`, `InstallReady`, `Installing`, `Succeeded`, `Failed`, `Replacing`, `Deleting`, or
   * none yet.
   */
  readonly phase?: string;
  /** Why, as one word for programs. */
  readonly reason?: string;
  /** Why, for people. */
  readonly message?: string;
  /** When it was last looked at. */
  readonly lastUpdateTime?: string;
  /** Since when it is so. */
  readonly lastTransitionTime?: string;
}

/** Something that must be there before the operator is installed. */
export interface RequirementStatus {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version of its kind. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** `Present`, `NotPresent`, `Satisfied`, `NotSatisfied`. */
  readonly status: string;
  /** Its UID. */
  readonly uuid?: string;
  /** Its name. */
  readonly name: string;
  /** What is wrong with it, for people. */
  readonly message: string;
  /** What it is made of: the rules of a ServiceAccount. */
  readonly dependents?: readonly RequirementPart[];
}

/** A part of it. */
export interface RequirementPart {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version of its kind. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** `Present`, `NotPresent`, `Satisfied`, `NotSatisfied`. */
  readonly status: string;
  /** Its UID. */
  readonly uuid?: string;
  /** What it is, for people. */
  readonly message?: string;
}

/** What goes before the operator does. */
export interface CleanupStatus {
  /** What is still there. */
  readonly pendingDeletion?: readonly PendingDeletion[];
}

/** Objects of a kind that are still there. */
export interface PendingDeletion {
  /** The group of the kind. */
  readonly group: string;
  /** The kind. */
  readonly kind: string;
  /** The objects. */
  readonly instances: readonly PendingInstance[];
}

/** An object. */
export interface PendingInstance {
  /** Its name. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace?: string;
}

/** Where a catalog is, and whether it is used. */
export interface ClusterCatalogSpec {
  /** Where a catalog is. */
  readonly source: ClusterCatalogSource;
  /** Which catalog is taken where several have a package: the highest. */
  readonly priority?: number;
  /** Whether it is used. */
  readonly availabilityMode?: 'Available' | 'Unavailable';
}

/** Where a catalog is. */
export interface ClusterCatalogSource {
  /** There is one. */
  readonly type: 'Image';
  /** The image of a catalog. */
  readonly image: ClusterCatalogImage;
}

/** The image of a catalog. */
export interface ClusterCatalogImage {
  /**
   * The image, with its host, and its tag or its digest. Must be an image with its host, and a tag
   * or a digest, such as 'quay.io/example/catalog:latest'.
   */
  readonly ref: string;
  /**
   * How often a new image of the tag is looked for.
   * @default - never
   */
  readonly pollIntervalMinutes?: number;
}

/** How it is with a catalog. */
export interface ClusterCatalogStatus {
  /** What is the case: `Serving`, `Progressing`. */
  readonly conditions?: readonly Condition[];
  /** What was read. */
  readonly resolvedSource?: ResolvedCatalogSource;
  /** Where it is served. */
  readonly urls?: ClusterCatalogUrls;
  /** When it was read. */
  readonly lastUnpacked?: string;
}

/** What was read. */
export interface ResolvedCatalogSource {
  /** There is one. */
  readonly type: 'Image';
  /** The image that was read. */
  readonly image: ResolvedCatalogImage;
}

/** The image that was read. */
export interface ResolvedCatalogImage {
  /** It, by its digest. Must be an image by its digest. */
  readonly ref: string;
}

/** Where it is served. */
export interface ClusterCatalogUrls {
  /** Within the cluster; paths follow. */
  readonly base: string;
}

/** What is installed, and where. */
export interface ClusterExtensionSpec {
  /**
   * The namespace of what lies in namespaces; it must be there, and never changes. Must be a DNS
   * label: lower-case letters, digits and '-', at most 63 characters.
   */
  readonly namespace: string;
  /** Who installs it; releases that do not know it any more pass over it. */
  readonly serviceAccount?: InstallerAccount;
  /** Where it comes from. */
  readonly source: ClusterExtensionSource;
  /** How it is installed. */
  readonly install?: ClusterExtensionInstall;
}

/** Who installs it; releases that do not know it any more pass over it. */
export interface InstallerAccount {
  /**
   * A ServiceAccount of the namespace. Must be a DNS subdomain: lower-case letters, digits, '-' and
   * '.', at most 253 characters.
   */
  readonly name: string;
}

/** Where it comes from. */
export interface ClusterExtensionSource {
  /** There is one. */
  readonly sourceType: 'Catalog';
  /** Which bundle of the catalogs of the cluster. */
  readonly catalog: CatalogFilter;
}

/** Which bundle of the catalogs of the cluster. */
export interface CatalogFilter {
  /**
   * The package; it never changes. Must be a DNS subdomain: lower-case letters, digits, '-' and
   * '.', at most 253 characters.
   */
  readonly packageName: string;
  /**
   * Which versions of it may be installed: the highest of them is. Must be versions such as
   * '1.2.3', '1.2.x' or '>=1.2.0, <2.0.0'.
   * @default - any
   */
  readonly version?: string;
  /**
   * The channels that it may be of. Each must be a DNS subdomain: lower-case letters, digits, '-'
   * and '.', at most 253 characters.
   * @default - any
   */
  readonly channels?: readonly string[];
  /** The ClusterCatalogs that are asked. Default: all. */
  readonly selector?: LabelSelector;
  /**
   * Whether only upgrades that the catalog provides for are made, or any, back to older versions
   * too.
   */
  readonly upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified';
}

/** How it is installed. */
export interface ClusterExtensionInstall {
  /** What is asked before. */
  readonly preflight: ClusterExtensionPreflight;
}

/** What is asked before. */
export interface ClusterExtensionPreflight {
  /** Whether new definitions keep what is stored readable. */
  readonly crdUpgradeSafety: CrdUpgradeSafety;
}

/** Whether new definitions keep what is stored readable. */
export interface CrdUpgradeSafety {
  /** Whether an unsafe upgrade is refused. */
  readonly enforcement: 'None' | 'Strict';
}

/** What came of it. */
export interface ClusterExtensionStatus {
  /** What is the case: `Installed`, `Progressing`, and what is deprecated. */
  readonly conditions?: readonly Condition[];
  /** What is installed. */
  readonly install?: ClusterExtensionInstalled;
}

/** What is installed. */
export interface ClusterExtensionInstalled {
  /** The bundle. */
  readonly bundle: InstalledBundle;
}

/** The bundle. */
export interface InstalledBundle {
  /** Its name in the catalog. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
}
