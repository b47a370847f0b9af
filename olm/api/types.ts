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

/** The location of a catalog, and its description. */
export interface CatalogSourceSpec {
  /**
   * The source of the catalog: a program that runs from an image or at an address, or a ConfigMap.
   */
  readonly sourceType: 'grpc' | 'configmap' | 'internal';
  /** The image of the catalog, for `grpc`. */
  readonly image?: string;
  /** The address of a running catalog, for `grpc` without an image. */
  readonly address?: string;
  /** The ConfigMap with the catalog, for `configmap` and `internal`. */
  readonly configMap?: string;
  /** The name for people. */
  readonly displayName?: string;
  /** The description of the catalog. */
  readonly description?: string;
  /** The publisher of the catalog. */
  readonly publisher?: string;
  /** The icon of the catalog. */
  readonly icon?: CatalogSourceIcon;
  /**
   * The priority among catalogs with the same package: the highest wins.
   * @default - 0
   */
  readonly priority?: number;
  /** Secrets of its namespace with which the images of its bundles are pulled. */
  readonly secrets?: readonly string[];
  /** When OLM looks for a new image of the catalog. */
  readonly updateStrategy?: CatalogUpdateStrategy;
  /** The settings of the pod that serves a catalog, for `image` only. */
  readonly grpcPodConfig?: GrpcPodConfig;
}

/** The icon of the catalog. */
export interface CatalogSourceIcon {
  /** The image in base64. */
  readonly base64data: string;
  /** The media type of the image. */
  readonly mediatype: string;
}

/** When OLM looks for a new image of the catalog. */
export interface CatalogUpdateStrategy {
  /** Polls for a new image; for an image with a tag. */
  readonly registryPoll?: RegistryPoll;
}

/** Polls for a new image; for an image with a tag. */
export interface RegistryPoll {
  /** The polling interval. Must be a duration such as '1h30m' or '500ms'. */
  readonly interval?: string;
}

/** The settings of the pod that serves a catalog, for `image` only. */
export interface GrpcPodConfig {
  /** Labels of the nodes on which it may run. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The tolerations of pods, as in the spec of a pod. Each must be a mapping. */
  readonly tolerations?: OlmTolerations;
  /** The affinity of pods, as in the spec of a pod. */
  readonly affinity?: OlmAffinity;
  /** Its PriorityClass. */
  readonly priorityClassName?: string;
  /** Whether the pod satisfies Pod Security `restricted`, or runs as old catalogs require. */
  readonly securityContextConfig?: 'legacy' | 'restricted';
  /**
   * The memory request of the pod, and the memory target of its program. Must be a quantity such as
   * '500m', '2Gi' or 10.
   */
  readonly memoryTarget?: number | string;
  /** Serves the catalog of the image with OLM's own program instead of the program of the image. */
  readonly extractContent?: ExtractContent;
}

/** The tolerations of pods, as in the spec of a pod. */
export type OlmTolerations = readonly Immutable<Toleration>[];

/** The affinity of pods, as in the spec of a pod. */
export type OlmAffinity = Immutable<Affinity>;

/** Serves the catalog of the image with OLM's own program instead of the program of the image. */
export interface ExtractContent {
  /** The folder of the image with the catalog. */
  readonly catalogDir: string;
  /**
   * The folder of the image with its cache.
   * @default - none
   */
  readonly cacheDir?: string;
}

/** The status of a catalog. */
export interface CatalogSourceStatus {
  /** What is the case. */
  readonly conditions?: readonly Condition[];
  /** The error as a text for people. */
  readonly message?: string;
  /** The error as one word for programs. */
  readonly reason?: string;
  /** When OLM last looked for a new image. */
  readonly latestImageRegistryPoll?: string;
  /** The connection of OLM to the catalog. */
  readonly connectionState?: CatalogConnection;
  /** The Service in front of its pod. */
  readonly registryService?: CatalogService;
  /** The ConfigMap that was read. */
  readonly configMapReference?: CatalogConfigMap;
}

/** The connection of OLM to the catalog. */
export interface CatalogConnection {
  /** The address. */
  readonly address?: string;
  /** When OLM last tried to connect. */
  readonly lastConnect?: string;
  /** The last state: `READY`, `TRANSIENT_FAILURE`. */
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
  /** Its protocol. */
  readonly protocol?: string;
  /** When it was created. */
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
  /** Its resourceVersion when it was read. */
  readonly resourceVersion?: string;
  /** When it was read. */
  readonly lastUpdateTime?: string;
}

/** The operator to install, and its catalog. */
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
   * The version that is installed first.
   * @default - the head of the channel
   */
  readonly startingCSV?: string;
  /**
   * Whether each InstallPlan requires a manual approval.
   * @default - `Automatic`
   */
  readonly installPlanApproval?: 'Automatic' | 'Manual';
  /** The settings that OLM overrides in the operator's Deployments. */
  readonly config?: SubscriptionConfig;
}

/** The settings that OLM overrides in the operator's Deployments. */
export interface SubscriptionConfig {
  /** The Deployments to change. */
  readonly selector?: LabelSelector;
  /** Labels of the nodes on which its pods may run. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The tolerations of pods, as in the spec of a pod. Each must be a mapping. */
  readonly tolerations?: OlmTolerations;
  /** The affinity of pods, as in the spec of a pod. */
  readonly affinity?: OlmAffinity;
  /** The resources of the operator's containers, which override those of the bundle. */
  readonly resources?: OperatorResourceRequirements;
  /** The environment variables of containers, as in the spec of a pod. Each must be a mapping. */
  readonly env?: OlmVariables;
  /**
   * The ConfigMaps and Secrets of environment variables, as in the spec of a pod. Each must be a
   * mapping.
   */
  readonly envFrom?: OlmVariableSources;
  /** The volumes of pods, as in the spec of a pod. Each must be a mapping. */
  readonly volumes?: OlmVolumes;
  /** The volume mounts of containers, as in the spec of a pod. Each must be a mapping. */
  readonly volumeMounts?: OlmVolumeMounts;
  /** Annotations of its Deployments and pods. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The resources of the operator's containers, which override those of the bundle. */
export interface OperatorResourceRequirements {
  /** The limits. */
  readonly limits?: Readonly<Record<string, number | string>>;
  /** The requests. */
  readonly requests?: Readonly<Record<string, number | string>>;
  /** Claims of the pod that the containers use. */
  readonly claims?: readonly OperatorResourceClaim[];
}

/** A claim of the pod. */
export interface OperatorResourceClaim {
  /** Its name. */
  readonly name: string;
  /**
   * The request within the claim.
   * @default - all
   */
  readonly request?: string;
}

/** The environment variables of containers, as in the spec of a pod. */
export type OlmVariables = readonly Immutable<EnvVar>[];

/** The ConfigMaps and Secrets of environment variables, as in the spec of a pod. */
export type OlmVariableSources = readonly Immutable<EnvFromSource>[];

/** The volumes of pods, as in the spec of a pod. */
export type OlmVolumes = readonly Immutable<Volume>[];

/** The volume mounts of containers, as in the spec of a pod. */
export type OlmVolumeMounts = readonly Immutable<VolumeMount>[];

/** The observed status. */
export interface SubscriptionStatus {
  /** The state: `AtLatestKnown`, `UpgradePending`, `UpgradeAvailable`, `UpgradeFailed`. */
  readonly state?: string;
  /** The reason as one word. */
  readonly reason?: string;
  /** The ClusterServiceVersion to be installed. */
  readonly currentCSV?: string;
  /** The installed ClusterServiceVersion. */
  readonly installedCSV?: string;
  /** The number of InstallPlans so far. */
  readonly installPlanGeneration?: number;
  /** The latest InstallPlan. */
  readonly installPlanRef?: OlmObjectReference;
  /** The latest InstallPlan, in the form for old programs. */
  readonly installplan?: SubscriptionInstallPlan;
  /** The health of the catalogs. */
  readonly catalogHealth?: readonly SubscriptionCatalogHealth[];
  /** The conditions. */
  readonly conditions?: readonly SubscriptionCondition[];
  /** When the status was last updated. */
  readonly lastUpdated: string;
}

/** A reference to an object. */
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
  /** Its resourceVersion when it was read. */
  readonly resourceVersion?: string;
  /** A field within it. */
  readonly fieldPath?: string;
}

/** The latest InstallPlan, in the form for old programs. */
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

/** The status of a catalog. */
export interface SubscriptionCatalogHealth {
  /** The CatalogSource. */
  readonly catalogSourceRef: OlmObjectReference;
  /** Whether the catalog can be queried. */
  readonly healthy: boolean;
  /** When the health was last checked. */
  readonly lastUpdated: string;
}

/** A condition, and when it last changed. */
export interface SubscriptionCondition {
  /** The type: `CatalogSourcesUnhealthy`, `ResolutionFailed`. */
  readonly type: string;
  /** The status of the condition: `True`, `False`, `Unknown`. */
  readonly status: string;
  /** The reason as one word for programs. */
  readonly reason?: string;
  /** The reason as a text for people. */
  readonly message?: string;
  /** When it was last checked. */
  readonly lastHeartbeatTime?: string;
  /** When the status last changed. */
  readonly lastTransitionTime?: string;
}

/** The namespaces that the operators of a namespace watch. */
export interface OperatorGroupSpec {
  /**
   * The namespaces that they watch.
   * @default - those of `selector`; without one, all
   */
  readonly targetNamespaces?: readonly string[];
  /** Labels of the namespaces that they watch; ignored with `targetNamespaces`. */
  readonly selector?: LabelSelector;
  /**
   * A ServiceAccount of the namespace whose rights limit what OLM installs for them.
   * @default - OLM's own rights
   */
  readonly serviceAccountName?: string;
  /**
   * Whether OLM leaves the annotation with their kinds unchanged.
   * @default - OLM writes it
   */
  readonly staticProvidedAPIs?: boolean;
  /** Whether an upgrade may continue past a failed version. */
  readonly upgradeStrategy?: 'Default' | 'TechPreviewUnsafeFailForward';
}

/** The observed status. */
export interface OperatorGroupStatus {
  /** The watched namespaces; a single empty string for all. */
  readonly namespaces?: readonly string[];
  /** The ServiceAccount whose rights are the limit. */
  readonly serviceAccountRef?: OlmObjectReference;
  /** The conditions. */
  readonly conditions?: readonly Condition[];
  /** When the status was last updated. */
  readonly lastUpdated: string;
}

/** The ClusterServiceVersions to install, and their approval. */
export interface InstallPlanSpec {
  /** The ClusterServiceVersions to install, including dependencies. */
  readonly clusterServiceVersionNames: readonly string[];
  /** Whether it requires a manual approval: `Automatic`, `Manual`. */
  readonly approval: string;
  /** Whether it is approved. */
  readonly approved: boolean;
  /** The number of the plan within its namespace. */
  readonly generation?: number;
  /** The CatalogSource. */
  readonly source?: string;
  /** The namespace of the CatalogSource. */
  readonly sourceNamespace?: string;
}

/** The progress. */
export interface InstallPlanStatus {
  /**
   * The phase: `Planning`, `RequiresApproval`, `Installing`, `Complete`, `Failed`, or empty at
   * first.
   */
  readonly phase: string;
  /** The error as a text for people. */
  readonly message?: string;
  /** The CatalogSources that were queried. */
  readonly catalogSources: readonly string[];
  /** The objects to create, in order. */
  readonly plan?: readonly InstallPlanStep[];
  /** The bundles that are unpacked for the plan. */
  readonly bundleLookups?: readonly BundleLookup[];
  /** The ServiceAccount whose rights limit the installation. */
  readonly attenuatedServiceAccountRef?: OlmObjectReference;
  /** When the installation started. */
  readonly startTime?: string;
  /** The conditions. */
  readonly conditions?: readonly InstallPlanCondition[];
}

/** An object to create. */
export interface InstallPlanStep {
  /** The ClusterServiceVersion that needs the object. */
  readonly resolving: string;
  /** The object and its content. */
  readonly resource: InstallPlanStepResource;
  /** The state, such as `Unknown`, `NotPresent`, `Present`, `Created`, `NotCreated`. */
  readonly status: string;
  /**
   * Whether the step is skipped if the cluster does not have the kind.
   * @default - `false`
   */
  readonly optional?: boolean;
}

/** The object and its content. */
export interface InstallPlanStepResource {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version of its kind. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** The CatalogSource of the object. */
  readonly sourceName: string;
  /** The namespace of the CatalogSource. */
  readonly sourceNamespace: string;
  /** The object as JSON, or a reference to it. */
  readonly manifest?: string;
}

/** A bundle that is unpacked for the plan. */
export interface BundleLookup {
  /** The ClusterServiceVersion in it. */
  readonly identifier: string;
  /** Its image. */
  readonly path: string;
  /** The ClusterServiceVersion that it replaces. */
  readonly replaces: string;
  /** Its properties from the catalog, as JSON. */
  readonly properties?: string;
  /** The CatalogSource of the bundle. */
  readonly catalogSourceRef: OlmObjectReference;
  /** The progress. */
  readonly conditions?: readonly BundleLookupCondition[];
}

/** A condition, and when it last changed. */
export interface BundleLookupCondition {
  /** The type: `BundleLookupPending`, `BundleLookupFailed`. */
  readonly type: string;
  /** The status of the condition: `True`, `False`, `Unknown`. */
  readonly status: string;
  /** The reason as one word for programs. */
  readonly reason?: string;
  /** The reason as a text for people. */
  readonly message?: string;
  /** When it was last checked. */
  readonly lastUpdateTime?: string;
  /** When the status last changed. */
  readonly lastTransitionTime?: string;
}

/** A condition, and when it last changed. */
export interface InstallPlanCondition {
  /** The type: `Resolved`, `Installed`. */
  readonly type?: string;
  /** The status of the condition: `True`, `False`, `Unknown`. */
  readonly status?: string;
  /** The reason as one word for programs. */
  readonly reason?: string;
  /** The reason as a text for people. */
  readonly message?: string;
  /** When it was last checked. */
  readonly lastUpdateTime?: string;
  /** When the status last changed. */
  readonly lastTransitionTime?: string;
}

/** The conditions of an operator for OLM, and their overrides. */
export interface OperatorConditionSpec {
  /** The conditions that the operator reports; OLM acts on `Upgradeable`. */
  readonly conditions?: readonly Condition[];
  /** The conditions of the cluster's administrator, which take precedence. */
  readonly overrides?: readonly OperatorConditionOverride[];
  /** The ServiceAccounts that may write it; set by OLM. */
  readonly serviceAccounts?: readonly string[];
  /** The Deployments whose pods get its name; set by OLM. */
  readonly deployments?: readonly string[];
}

/** A condition that overrides an operator's own. */
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

/** The conditions that OLM observed. */
export interface OperatorConditionStatus {
  /** The conditions. */
  readonly conditions?: readonly Condition[];
}

/** The progress of the installation. */
export interface ClusterServiceVersionStatus {
  /**
   * The phase: `Pending`, `InstallReady`, `Installing`, `Succeeded`, `Failed`, `Replacing`,
   * `Deleting`, or empty at first.
   */
  readonly phase?: string;
  /** The reason as one word for programs. */
  readonly reason?: string;
  /** The reason as a text for people. */
  readonly message?: string;
  /** When it was last checked. */
  readonly lastUpdateTime?: string;
  /** When the phase last changed. */
  readonly lastTransitionTime?: string;
  /** The previous conditions. */
  readonly conditions?: readonly ClusterServiceVersionCondition[];
  /** The requirements of the installation. */
  readonly requirementStatus?: readonly RequirementStatus[];
  /** When the certificates of its webhooks were issued. */
  readonly certsLastUpdated?: string;
  /** When the certificates are rotated. */
  readonly certsRotateAt?: string;
  /** The objects to delete before the operator is deleted. */
  readonly cleanup?: CleanupStatus;
}

/** A phase of the installation, and its time. */
export interface ClusterServiceVersionCondition {
  /**
   * The phase: `Pending`, `InstallReady`, `Installing`, `Succeeded`, `Failed`, `Replacing`,
   * `Deleting`, or empty at first.
   */
  readonly phase?: string;
  /** The reason as one word for programs. */
  readonly reason?: string;
  /** The reason as a text for people. */
  readonly message?: string;
  /** When it was last checked. */
  readonly lastUpdateTime?: string;
  /** When the phase last changed. */
  readonly lastTransitionTime?: string;
}

/** A requirement of the installation. */
export interface RequirementStatus {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version of its kind. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** The state: `Present`, `NotPresent`, `Satisfied`, `NotSatisfied`. */
  readonly status: string;
  /** Its UID. */
  readonly uuid?: string;
  /** Its name. */
  readonly name: string;
  /** The error as a text for people. */
  readonly message: string;
  /** The parts of the requirement: the rules of a ServiceAccount. */
  readonly dependents?: readonly RequirementPart[];
}

/** A part of a requirement. */
export interface RequirementPart {
  /** Its group; empty for the core group. */
  readonly group: string;
  /** The version of its kind. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** The state: `Present`, `NotPresent`, `Satisfied`, `NotSatisfied`. */
  readonly status: string;
  /** Its UID. */
  readonly uuid?: string;
  /** The description as a text for people. */
  readonly message?: string;
}

/** The objects to delete before the operator is deleted. */
export interface CleanupStatus {
  /** The objects that still exist. */
  readonly pendingDeletion?: readonly PendingDeletion[];
}

/** Objects of a kind that still exist. */
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

/** The location of a catalog, and whether it is used. */
export interface ClusterCatalogSpec {
  /** The location of a catalog. */
  readonly source: ClusterCatalogSource;
  /** The priority among catalogs with the same package: the highest wins. */
  readonly priority?: number;
  /** Whether the catalog is used. */
  readonly availabilityMode?: 'Available' | 'Unavailable';
}

/** The location of a catalog. */
export interface ClusterCatalogSource {
  /** The only type. */
  readonly type: 'Image';
  /** The image of a catalog. */
  readonly image: ClusterCatalogImage;
}

/** The image of a catalog. */
export interface ClusterCatalogImage {
  /**
   * The image with its host, and with a tag or a digest. Must be an image with its host, and a tag
   * or a digest, such as 'quay.io/example/catalog:latest'.
   */
  readonly ref: string;
  /**
   * How often OLM looks for a new image of the tag, in minutes.
   * @default - never
   */
  readonly pollIntervalMinutes?: number;
}

/** The status of a catalog. */
export interface ClusterCatalogStatus {
  /** The conditions: `Serving`, `Progressing`. */
  readonly conditions?: readonly Condition[];
  /** The catalog that was read. */
  readonly resolvedSource?: ResolvedCatalogSource;
  /** The URLs of the served catalog. */
  readonly urls?: ClusterCatalogUrls;
  /** When the catalog was last unpacked. */
  readonly lastUnpacked?: string;
}

/** The catalog that was read. */
export interface ResolvedCatalogSource {
  /** The only type. */
  readonly type: 'Image';
  /** The image that was read. */
  readonly image: ResolvedCatalogImage;
}

/** The image that was read. */
export interface ResolvedCatalogImage {
  /** The image with its digest. Must be an image by its digest. */
  readonly ref: string;
}

/** The URLs of the served catalog. */
export interface ClusterCatalogUrls {
  /** The base URL within the cluster; paths are appended to it. */
  readonly base: string;
}

/** The extension to install, and its namespace. */
export interface ClusterExtensionSpec {
  /**
   * The namespace of the namespaced objects; it must exist and is immutable. Must be a DNS label:
   * lower-case letters, digits and '-', at most 63 characters.
   */
  readonly namespace: string;
  /** The ServiceAccount that installs it; newer releases of OLM ignore it. */
  readonly serviceAccount?: InstallerAccount;
  /** The source of the extension. */
  readonly source: ClusterExtensionSource;
  /** The settings of the installation. */
  readonly install?: ClusterExtensionInstall;
}

/** The ServiceAccount that installs it; newer releases of OLM ignore it. */
export interface InstallerAccount {
  /**
   * A ServiceAccount of the namespace. Must be a DNS subdomain: lower-case letters, digits, '-' and
   * '.', at most 253 characters.
   */
  readonly name: string;
}

/** The source of the extension. */
export interface ClusterExtensionSource {
  /** The only type. */
  readonly sourceType: 'Catalog';
  /** The selection of a bundle from the catalogs of the cluster. */
  readonly catalog: CatalogFilter;
}

/** The selection of a bundle from the catalogs of the cluster. */
export interface CatalogFilter {
  /**
   * The package; immutable. Must be a DNS subdomain: lower-case letters, digits, '-' and '.', at
   * most 253 characters.
   */
  readonly packageName: string;
  /**
   * The versions that may be installed; the highest one is. Must be versions such as '1.2.3',
   * '1.2.x' or '>=1.2.0, <2.0.0'.
   * @default - any
   */
  readonly version?: string;
  /**
   * The channels from which it may be installed. Each must be a DNS subdomain: lower-case letters,
   * digits, '-' and '.', at most 253 characters.
   * @default - any
   */
  readonly channels?: readonly string[];
  /** The ClusterCatalogs to install from. Default: all. */
  readonly selector?: LabelSelector;
  /** Whether only upgrades in the catalog are allowed, or any, including downgrades. */
  readonly upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified';
}

/** The settings of the installation. */
export interface ClusterExtensionInstall {
  /** The checks before an installation or an upgrade. */
  readonly preflight: ClusterExtensionPreflight;
}

/** The checks before an installation or an upgrade. */
export interface ClusterExtensionPreflight {
  /** The check that new definitions keep stored objects readable. */
  readonly crdUpgradeSafety: CrdUpgradeSafety;
}

/** The check that new definitions keep stored objects readable. */
export interface CrdUpgradeSafety {
  /** Whether an unsafe upgrade is refused. */
  readonly enforcement: 'None' | 'Strict';
}

/** The observed status. */
export interface ClusterExtensionStatus {
  /** The conditions: `Installed`, `Progressing`, and deprecations. */
  readonly conditions?: readonly Condition[];
  /** The installed bundle. */
  readonly install?: ClusterExtensionInstalled;
}

/** The installed bundle. */
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
