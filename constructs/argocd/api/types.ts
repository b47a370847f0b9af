// Written by `npm run gen` from the schemas of Argo CD's kinds.
import type { LabelSelector } from '../../../schema/language.ts';

/** What Applications of the project may do. */
export interface AppProjectSpec {
  /** What it is for. */
  readonly description?: string;
  /**
   * Repositories that objects may come from, as patterns. A pattern with `!` denies what it matches
   * and allows all else.
   */
  readonly sourceRepos?: readonly string[];
  /** Namespaces that its Applications may be in, besides Argo CD's own. */
  readonly sourceNamespaces?: readonly string[];
  /** Clusters and namespaces that objects may go to. */
  readonly destinations?: readonly ApplicationDestination[];
  /** Whether only clusters of the project are allowed. */
  readonly permitOnlyProjectScopedClusters?: boolean;
  /** The service accounts that apply objects. */
  readonly destinationServiceAccounts?: readonly ApplicationDestinationServiceAccount[];
  /** Kinds outside of namespaces that may be synced. */
  readonly clusterResourceWhitelist?: readonly ClusterResourceRestrictionItem[];
  /** Kinds outside of namespaces that may not. */
  readonly clusterResourceBlacklist?: readonly ClusterResourceRestrictionItem[];
  /** Kinds in namespaces that may be synced. */
  readonly namespaceResourceWhitelist?: readonly GroupKind[];
  /** Kinds in namespaces that may not. */
  readonly namespaceResourceBlacklist?: readonly GroupKind[];
  /** Roles that allow actions on its Applications. */
  readonly roles?: readonly ProjectRole[];
  /** When its Applications may be synced. */
  readonly syncWindows?: readonly SyncWindow[];
  /** Reports objects in its namespaces that belong to no Application. */
  readonly orphanedResources?: OrphanedResourcesMonitorSettings;
  /** Requirements for commits. */
  readonly sourceIntegrity?: SourceIntegrity;
  /** Keys by which commits are signed. Deprecated: use `sourceIntegrity`. */
  readonly signatureKeys?: readonly SignatureKey[];
}

/** The destination of objects. */
export interface ApplicationDestination {
  /** The address of the cluster's API server. */
  readonly server?: string;
  /** The name of the cluster, in place of its address. */
  readonly name?: string;
  /** The namespace of objects that name none. */
  readonly namespace?: string;
}

/** The service account that applies objects to a cluster and namespace. The first match counts. */
export interface ApplicationDestinationServiceAccount {
  /** Clusters, a pattern. */
  readonly server: string;
  /** Namespaces, a pattern. */
  readonly namespace?: string;
  /** The ServiceAccount, as `name` or `namespace:name`. */
  readonly defaultServiceAccount: string;
}

/** A kind, or objects of it. */
export interface ClusterResourceRestrictionItem {
  /** Its API group; the core group is ''. */
  readonly group: string;
  /** The kind. */
  readonly kind: string;
  /**
   * Names, a pattern.
   * @default - all
   */
  readonly name?: string;
}

/** A kind. */
export interface GroupKind {
  /** Its API group; the core group is ''. */
  readonly group: string;
  /** The kind. */
  readonly kind: string;
}

/** A role that allows actions on Applications of the project. */
export interface ProjectRole {
  /** Its name. */
  readonly name: string;
  /** What it is for. */
  readonly description?: string;
  /** The actions that it allows, as Casbin policies. */
  readonly policies?: readonly string[];
  /** Groups of users that have it. */
  readonly groups?: readonly string[];
  /** Tokens that have it. */
  readonly jwtTokens?: readonly JWTToken[];
}

/** A token that was issued. */
export interface JWTToken {
  /** Its name. */
  readonly id?: string;
  /** When, in seconds since 1970. */
  readonly iat: number;
  /**
   * Until when, in seconds since 1970.
   * @default - for ever
   */
  readonly exp?: number;
}

/** A time in which Applications may be synced, or may not. */
export interface SyncWindow {
  /** Whether syncs are allowed or denied. */
  readonly kind?: 'allow' | 'deny';
  /** What it is for. */
  readonly description?: string;
  /** The start, as a cron expression. */
  readonly schedule?: string;
  /** The duration. */
  readonly duration?: string;
  /**
   * The time zone.
   * @default - UTC
   */
  readonly timeZone?: string;
  /** Applications by their names, patterns. */
  readonly applications?: readonly string[];
  /** Namespaces of destinations, patterns. */
  readonly namespaces?: readonly string[];
  /** Clusters by their addresses or names, patterns. */
  readonly clusters?: readonly string[];
  /** Whether Applications must match all of these, not one. */
  readonly andOperator?: boolean;
  /** Whether a person may sync at any time. */
  readonly manualSync?: boolean;
  /** Whether a sync that has begun continues. */
  readonly syncOverrun?: boolean;
}

/** Reports objects in its namespaces that belong to no Application. */
export interface OrphanedResourcesMonitorSettings {
  /** Whether Applications warn about them. */
  readonly warn?: boolean;
  /** Objects that are ignored. */
  readonly ignore?: readonly OrphanedResourceKey[];
}

/** Objects. */
export interface OrphanedResourceKey {
  /** Their API group, a pattern. */
  readonly group?: string;
  /** Their kind, a pattern. */
  readonly kind?: string;
  /** Their name, a pattern. */
  readonly name?: string;
}

/** Requirements for commits. */
export interface SourceIntegrity {
  /** Requirements for commits in Git. */
  readonly git: SourceIntegrityGit;
}

/** Requirements for commits in Git. */
export interface SourceIntegrityGit {
  /** Requirements by repository. */
  readonly policies: readonly SourceIntegrityGitPolicy[];
}

/** Requirements for commits of some repositories. */
export interface SourceIntegrityGitPolicy {
  /** Which repositories. */
  readonly repos: readonly SourceIntegrityGitPolicyRepo[];
  /** Signatures by GnuPG. */
  readonly gpg: SourceIntegrityGitPolicyGPG;
}

/** Repositories. */
export interface SourceIntegrityGitPolicyRepo {
  /** Addresses, a pattern. */
  readonly url: string;
}

/** Signatures by GnuPG. */
export interface SourceIntegrityGitPolicyGPG {
  /** Which commits must be signed: none, the synced one, or all before it too. */
  readonly mode: 'none' | 'head' | 'strict';
  /** The accepted keys. */
  readonly keys: readonly string[];
}

/** A key. */
export interface SignatureKey {
  /** Its id, of GnuPG. */
  readonly keyID: string;
}

/** The status that Argo CD writes. */
export interface AppProjectStatus {
  /** Tokens by the role that has them. */
  readonly jwtTokensByRole?: Readonly<Record<string, JWTTokens>>;
}

/** Tokens of a role. */
export interface JWTTokens {
  /** Tokens. */
  readonly items?: readonly JWTToken[];
}

/** What, from where, to where, and how it is synced. */
export interface ApplicationSpec {
  /** The AppProject that bounds it. */
  readonly project: string;
  /** Where objects come from. */
  readonly source?: ApplicationSource;
  /** Several sources; they take precedence over `source`. */
  readonly sources?: readonly ApplicationSource[];
  /** A source that Argo CD renders to Git, in place of `source`. */
  readonly sourceHydrator?: SourceHydrator;
  /** The destination of objects. */
  readonly destination: ApplicationDestination;
  /** When and how objects are synced. */
  readonly syncPolicy?: SyncPolicy;
  /** Fields that may differ from Git. */
  readonly ignoreDifferences?: readonly ResourceIgnoreDifferences[];
  /**
   * How many syncs are remembered, for rollbacks.
   * @default - 10
   */
  readonly revisionHistoryLimit?: number;
  /** For people: addresses, contacts. */
  readonly info?: readonly Info[];
}

/** A repository and the part of it that is synced. */
export interface ApplicationSource {
  /** The repository, of Git, Helm or OCI. */
  readonly repoURL: string;
  /**
   * A branch, tag or commit of Git; a version of a chart.
   * @default - `HEAD`; the newest version
   */
  readonly targetRevision?: string;
  /** The prefix of the tags among which a range in `targetRevision` chooses. */
  readonly tagPrefix?: string;
  /** The folder in the repository. */
  readonly path?: string;
  /** The chart, of a repository of Helm. */
  readonly chart?: string;
  /** The name by which files of values of other sources find this one. */
  readonly ref?: string;
  /** How it is shown, where there are several. */
  readonly name?: string;
  /** How plain files are read. */
  readonly directory?: ApplicationSourceDirectory;
  /** How Helm renders it. */
  readonly helm?: ApplicationSourceHelm;
  /** How Kustomize renders it. */
  readonly kustomize?: ApplicationSourceKustomize;
  /** The plugin that renders it. */
  readonly plugin?: ApplicationSourcePlugin;
}

/** How plain files of a source are read. */
export interface ApplicationSourceDirectory {
  /** Whether folders within it are read, too. */
  readonly recurse?: boolean;
  /**
   * Which files are read, as a pattern.
   * @default - all
   */
  readonly include?: string;
  /**
   * Which files are left out, as a pattern.
   * @default - none
   */
  readonly exclude?: string;
  /** How files of Jsonnet are evaluated. */
  readonly jsonnet?: ApplicationSourceJsonnet;
}

/** How files of Jsonnet are evaluated. */
export interface ApplicationSourceJsonnet {
  /** External variables. */
  readonly extVars?: readonly JsonnetVar[];
  /** Top-level arguments. */
  readonly tlas?: readonly JsonnetVar[];
  /** Folders of libraries. */
  readonly libs?: readonly string[];
}

/** A variable of Jsonnet. */
export interface JsonnetVar {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
  /** Whether the value is code instead of text. */
  readonly code?: boolean;
}

/** How Helm renders a source. */
export interface ApplicationSourceHelm {
  /**
   * The name of the release.
   * @default - the Application's
   */
  readonly releaseName?: string;
  /** Files of values, in the folder of the source or as `$ref/path`. */
  readonly valueFiles?: readonly string[];
  /** Whether files of values that are missing are left out. */
  readonly ignoreMissingValueFiles?: boolean;
  /** Values, as YAML in a text. */
  readonly values?: string;
  /** Values; they take precedence over `values`. */
  readonly valuesObject?: Readonly<Record<string, unknown>>;
  /** Single values, as with `--set`. */
  readonly parameters?: readonly HelmParameter[];
  /** Single values from files, as with `--set-file`. */
  readonly fileParameters?: readonly HelmFileParameter[];
  /** The version of Helm: `v3`. Argo CD ignores it and uses the only version that it has. */
  readonly version?: string;
  /**
   * The namespace that templates see.
   * @default - the destination's
   */
  readonly namespace?: string;
  /**
   * The version of Kubernetes that files are rendered for.
   * @default - the cluster's
   */
  readonly kubeVersion?: string;
  /**
   * The kinds that files are rendered for, as `[group/]version/kind`.
   * @default - the cluster's
   */
  readonly apiVersions?: readonly string[];
  /** Whether credentials go to all hosts, not to the repository alone. */
  readonly passCredentials?: boolean;
  /** Whether definitions in `crds/` of the chart are left out. */
  readonly skipCrds?: boolean;
  /** Whether tests of the chart are left out. */
  readonly skipTests?: boolean;
  /** Whether values are not validated against the schema of the chart. */
  readonly skipSchemaValidation?: boolean;
}

/** A single value. */
export interface HelmParameter {
  /** Its path. */
  readonly name?: string;
  /** The value. */
  readonly value?: string;
  /** Whether the value is always a text. */
  readonly forceString?: boolean;
}

/** A single value from a file. */
export interface HelmFileParameter {
  /** Its path. */
  readonly name?: string;
  /** The file with the value. */
  readonly path?: string;
}

/** How Kustomize renders a source. */
export interface ApplicationSourceKustomize {
  /** Which Kustomize, of those that Argo CD is configured to have. */
  readonly version?: string;
  /** The prefix of names. */
  readonly namePrefix?: string;
  /** The suffix of names. */
  readonly nameSuffix?: string;
  /** The namespace of all objects. */
  readonly namespace?: string;
  /** Images in place of others. */
  readonly images?: readonly string[];
  /** How many replicas workloads have. */
  readonly replicas?: readonly KustomizeReplica[];
  /** Patches. */
  readonly patches?: readonly KustomizePatch[];
  /** Components that are added. */
  readonly components?: readonly string[];
  /** Whether components that are missing are left out. */
  readonly ignoreMissingComponents?: boolean;
  /** Labels of all objects. */
  readonly commonLabels?: Readonly<Record<string, string>>;
  /** Whether labels replace those of the same name. */
  readonly forceCommonLabels?: boolean;
  /** Whether labels stay out of selectors. */
  readonly labelWithoutSelector?: boolean;
  /** Whether labels go into templates of pods, where they stay out of selectors. */
  readonly labelIncludeTemplates?: boolean;
  /** Annotations of all objects. */
  readonly commonAnnotations?: Readonly<Record<string, string>>;
  /** Whether annotations replace those of the same name. */
  readonly forceCommonAnnotations?: boolean;
  /** Whether variables such as `$ARGOCD_APP_NAME` in annotations are filled in. */
  readonly commonAnnotationsEnvsubst?: boolean;
  /**
   * The version of Kubernetes that files are rendered for.
   * @default - the cluster's
   */
  readonly kubeVersion?: string;
  /**
   * The kinds that files are rendered for, as `[group/]version/kind`.
   * @default - the cluster's
   */
  readonly apiVersions?: readonly string[];
}

/** How many replicas a workload has. */
export interface KustomizeReplica {
  /** The workload. */
  readonly name: string;
  /** How many. */
  readonly count: number | string;
}

/** A patch. */
export interface KustomizePatch {
  /** The file with it. */
  readonly path?: string;
  /** The patch itself. */
  readonly patch?: string;
  /** Which objects are patched. */
  readonly target?: KustomizeSelector;
  /** `allowNameChange`, `allowKindChange`. */
  readonly options?: Readonly<Record<string, boolean>>;
}

/** Which objects are patched. */
export interface KustomizeSelector {
  /** Their API group. */
  readonly group?: string;
  /** The version of their API. */
  readonly version?: string;
  /** Their kind. */
  readonly kind?: string;
  /** Their name, a regular expression. */
  readonly name?: string;
  /** Their namespace, a regular expression. */
  readonly namespace?: string;
  /** Their labels. */
  readonly labelSelector?: string;
  /** Their annotations. */
  readonly annotationSelector?: string;
}

/** The plugin that renders a source. */
export interface ApplicationSourcePlugin {
  /**
   * Its name.
   * @default - the first that knows the source
   */
  readonly name?: string;
  /** Variables of its environment. */
  readonly env?: readonly EnvEntry[];
  /** The parameters that it gets. */
  readonly parameters?: readonly ApplicationSourcePluginParameter[];
}

/** A variable. */
export interface EnvEntry {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
}

/** A parameter: a text, a map or a list. */
export interface ApplicationSourcePluginParameter {
  /** Its name. */
  readonly name?: string;
  /** Its text. */
  readonly string?: string;
  /** Its map. */
  readonly map?: Readonly<Record<string, string>>;
  /** Its list. */
  readonly array?: readonly string[];
}

/** A source that Argo CD renders to a branch of Git, which is then synced. */
export interface SourceHydrator {
  /** What is rendered. */
  readonly drySource: DrySource;
  /** The branch from which the rendered files are synced. */
  readonly syncSource: SyncSource;
  /** The branch in which the rendered files wait for a merge. */
  readonly hydrateTo?: HydrateTo;
}

/** What is rendered. */
export interface DrySource {
  /** The repository. */
  readonly repoURL: string;
  /** The branch, tag or commit. */
  readonly targetRevision: string;
  /** The folder. */
  readonly path: string;
  /** How plain files are read. */
  readonly directory?: ApplicationSourceDirectory;
  /** How Helm renders it. */
  readonly helm?: ApplicationSourceHelm;
  /** How Kustomize renders it. */
  readonly kustomize?: ApplicationSourceKustomize;
  /** The plugin that renders it. */
  readonly plugin?: ApplicationSourcePlugin;
}

/** The branch from which the rendered files are synced. */
export interface SyncSource {
  /**
   * The repository.
   * @default - that of `drySource`
   */
  readonly repoURL?: string;
  /** The branch. */
  readonly targetBranch: string;
  /** The folder, which is not the root. Must be a folder below the root. */
  readonly path: string;
}

/** The branch in which the rendered files wait for a merge. */
export interface HydrateTo {
  /** The branch. */
  readonly targetBranch: string;
}

/** When and how objects are synced. */
export interface SyncPolicy {
  /** Automated syncs. `{}` enables them without prune. */
  readonly automated?: SyncPolicyAutomated;
  /** Options of each sync. */
  readonly syncOptions?: readonly SyncOption[];
  /**
   * How often a failed sync is retried.
   * @default - 5 times, where it was automated; else never
   */
  readonly retry?: RetryStrategy;
  /** Labels and annotations of the destination's namespace, which `CreateNamespace=true` makes. */
  readonly managedNamespaceMetadata?: ManagedNamespaceMetadata;
}

/** Automated syncs. `{}` enables them without prune. */
export interface SyncPolicyAutomated {
  /**
   * Whether it is enabled.
   * @default - true
   */
  readonly enabled?: boolean;
  /**
   * Whether objects that left Git are deleted.
   * @default - false
   */
  readonly prune?: boolean;
  /**
   * Whether changes in the cluster are reverted.
   * @default - false
   */
  readonly selfHeal?: boolean;
  /**
   * Whether all objects may be deleted when Git contains none.
   * @default - false
   */
  readonly allowEmpty?: boolean;
}

/** An option of a sync: one of those that Argo CD knows, or any other. */
export type SyncOption =
  | 'ApplyOutOfSyncOnly=true'
  | 'ClientSideApplyMigration=false'
  | 'CreateNamespace=true'
  | 'Delete=false'
  | 'Delete=confirm'
  | 'FailOnSharedResource=true'
  | 'Force=true'
  | 'Prune=false'
  | 'Prune=confirm'
  | 'PruneLast=true'
  | 'PrunePropagationPolicy=background'
  | 'PrunePropagationPolicy=foreground'
  | 'PrunePropagationPolicy=orphan'
  | 'Replace=true'
  | 'RespectIgnoreDifferences=true'
  | 'ServerSideApply=true'
  | 'SkipDryRunOnMissingResource=true'
  | 'Validate=false'
  | (string & {});

/** How often a failed sync is retried. */
export interface RetryStrategy {
  /**
   * The number of retries: 0 is none, a negative number is unlimited.
   * @default - 0
   */
  readonly limit?: number;
  /** The delay between retries. */
  readonly backoff?: Backoff;
  /** Whether a retry uses a new revision instead of the old one. */
  readonly refresh?: boolean;
}

/** The delay between retries. */
export interface Backoff {
  /**
   * The first delay.
   * @default - 5s
   */
  readonly duration?: string;
  /**
   * The factor by which the delay grows.
   * @default - 2
   */
  readonly factor?: number;
  /**
   * The maximum delay.
   * @default - 3m
   */
  readonly maxDuration?: string;
}

/** Metadata of a namespace that Argo CD creates. */
export interface ManagedNamespaceMetadata {
  /** Labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Fields of objects that may differ. */
export interface ResourceIgnoreDifferences {
  /**
   * Their API group.
   * @default - the core group, which is called ''
   */
  readonly group?: string;
  /** Their kind. */
  readonly kind: string;
  /**
   * Their namespace.
   * @default - all
   */
  readonly namespace?: string;
  /**
   * Their name.
   * @default - all
   */
  readonly name?: string;
  /** Fields, as JSON pointers (RFC 6901). */
  readonly jsonPointers?: readonly string[];
  /** Fields, as jq expressions. */
  readonly jqPathExpressions?: readonly string[];
  /** Field managers whose fields may differ. */
  readonly managedFieldsManagers?: readonly string[];
}

/** Information for people. */
export interface Info {
  /** The title. */
  readonly name: string;
  /** The text. */
  readonly value: string;
}

/** A requested sync. */
export interface Operation {
  /** What is synced, and how. */
  readonly sync?: SyncOperation;
  /** The initiator of the sync. */
  readonly initiatedBy?: OperationInitiator;
  /** How often it is retried. */
  readonly retry?: RetryStrategy;
  /** For people. */
  readonly info?: readonly Info[];
}

/** What is synced, and how. */
export interface SyncOperation {
  /**
   * Which revision.
   * @default - the Application's
   */
  readonly revision?: string;
  /** Which revision of each source. */
  readonly revisions?: readonly string[];
  /** In place of the Application's source. */
  readonly source?: ApplicationSource;
  /** In place of the Application's sources. */
  readonly sources?: readonly ApplicationSource[];
  /** Objects in place of those of Git. */
  readonly manifests?: readonly string[];
  /** The objects to sync, if not all. */
  readonly resources?: readonly SyncOperationResource[];
  /** Whether objects that left Git are deleted. */
  readonly prune?: boolean;
  /** Whether it is a dry run. */
  readonly dryRun?: boolean;
  /** Options. */
  readonly syncOptions?: readonly SyncOption[];
  /** How objects are written. */
  readonly syncStrategy?: SyncStrategy;
  /** The number of attempts to heal this revision. */
  readonly autoHealAttemptsCount?: number;
}

/** An object. */
export interface SyncOperationResource {
  /** Its API group. */
  readonly group?: string;
  /** Its kind. */
  readonly kind: string;
  /** Its namespace. */
  readonly namespace?: string;
  /** Its name. */
  readonly name: string;
}

/** How objects are written. */
export interface SyncStrategy {
  /** They are applied, without hooks. */
  readonly apply?: SyncStrategyApply;
  /** They are applied, with hooks. */
  readonly hook?: SyncStrategyHook;
}

/** They are applied, without hooks. */
export interface SyncStrategyApply {
  /** Whether objects that cannot be changed are deleted and created again. */
  readonly force?: boolean;
}

/** They are applied, with hooks. */
export interface SyncStrategyHook {
  /** Whether objects that cannot be changed are deleted and created again. */
  readonly force?: boolean;
}

/** The initiator of the sync. */
export interface OperationInitiator {
  /** The user. */
  readonly username?: string;
  /** Whether it was Argo CD itself. */
  readonly automated?: boolean;
}

/** The status that Argo CD writes. */
export interface ApplicationStatus {
  /** Whether the cluster matches Git. */
  readonly sync?: SyncStatus;
  /** The health of the whole. */
  readonly health?: HealthStatus;
  /** The latest sync. */
  readonly operationState?: OperationState;
  /** Each object. */
  readonly resources?: readonly ResourceStatus[];
  /** Errors, warnings and notes. */
  readonly conditions?: readonly ApplicationCondition[];
  /** Successful syncs, the oldest first. */
  readonly history?: readonly RevisionHistory[];
  /** A summary. */
  readonly summary?: ApplicationSummary;
  /** When it was last compared. */
  readonly reconciledAt?: string;
  /** Written by old versions. */
  readonly observedAt?: string;
  /** `Helm`, `Kustomize`, `Directory`, `Plugin`. */
  readonly sourceType?: string;
  /** The same of each source. */
  readonly sourceTypes?: readonly string[];
  /** The status of rendering to Git. */
  readonly sourceHydrator?: SourceHydratorStatus;
  /** The namespace of the Argo CD that has it. */
  readonly controllerNamespace?: string;
  /** Where the health of objects is: `appTree`, or here. */
  readonly resourceHealthSource?: string;
}

/** Whether the cluster matches Git. */
export interface SyncStatus {
  /** `Synced`, `OutOfSync`, `Unknown`. */
  readonly status: string;
  /** Compared with which revision. */
  readonly revision?: string;
  /** Compared with which revision of each source. */
  readonly revisions?: readonly string[];
  /** What was compared. */
  readonly comparedTo?: ComparedTo;
}

/** What was compared. */
export interface ComparedTo {
  /** The source. */
  readonly source?: ApplicationSource;
  /** The sources. */
  readonly sources?: readonly ApplicationSource[];
  /** The cluster. */
  readonly destination: ApplicationDestination;
  /** Fields that may differ. */
  readonly ignoreDifferences?: readonly ResourceIgnoreDifferences[];
}

/** The health of an object. */
export interface HealthStatus {
  /** `Healthy`, `Progressing`, `Degraded`, `Suspended`, `Missing`, `Unknown`. */
  readonly status?: string;
  /** Why. */
  readonly message?: string;
  /** Since when. */
  readonly lastTransitionTime?: string;
}

/** The latest sync. */
export interface OperationState {
  /** The requested operation. */
  readonly operation: Operation;
  /** `Running`, `Terminating`, `Succeeded`, `Failed`, `Error`. */
  readonly phase: string;
  /** Why. */
  readonly message?: string;
  /** What a sync did. */
  readonly syncResult?: SyncOperationResult;
  /** When it began. */
  readonly startedAt: string;
  /** When it ended. */
  readonly finishedAt?: string;
  /** How often it was tried again. */
  readonly retryCount?: number;
}

/** What a sync did. */
export interface SyncOperationResult {
  /** Which revision. */
  readonly revision: string;
  /** Which revision of each source. */
  readonly revisions?: readonly string[];
  /** The source. */
  readonly source?: ApplicationSource;
  /** The sources. */
  readonly sources?: readonly ApplicationSource[];
  /** What was put on the namespace. */
  readonly managedNamespaceMetadata?: ManagedNamespaceMetadata;
  /** The result for each object. */
  readonly resources?: readonly ResourceResult[];
}

/** The result for an object. */
export interface ResourceResult {
  /** Its API group. */
  readonly group: string;
  /** The version of its API. */
  readonly version: string;
  /** Its kind. */
  readonly kind: string;
  /** Its namespace. */
  readonly namespace: string;
  /** Its name. */
  readonly name: string;
  /** `Synced`, `SyncFailed`, `Pruned`, `PruneSkipped`. */
  readonly status?: string;
  /** Why. */
  readonly message?: string;
  /** Which hook it is. */
  readonly hookType?: string;
  /** The phase of the hook, or of the object. */
  readonly hookPhase?: string;
  /** `PreSync`, `Sync`, `PostSync`. */
  readonly syncPhase?: string;
  /** Images that it has. */
  readonly images?: readonly string[];
}

/** An object and its status. */
export interface ResourceStatus {
  /** Its API group. */
  readonly group?: string;
  /** The version of its API. */
  readonly version?: string;
  /** Its kind. */
  readonly kind?: string;
  /** Its namespace. */
  readonly namespace?: string;
  /** Its name. */
  readonly name?: string;
  /** `Synced`, `OutOfSync`, `Unknown`. */
  readonly status?: string;
  /** Its health. */
  readonly health?: HealthStatus;
  /** Whether it is a hook. */
  readonly hook?: boolean;
  /** The wave in which it is synced. */
  readonly syncWave?: number;
  /** Whether it is no longer in Git. */
  readonly requiresPruning?: boolean;
  /** Whether its deletion waits for a person. */
  readonly requiresDeletionConfirmation?: boolean;
}

/** An error, a warning or a note. */
export interface ApplicationCondition {
  /** What it is; errors end with `Error`, warnings with `Warning`. */
  readonly type: string;
  /** The message. */
  readonly message: string;
  /** Since when. */
  readonly lastTransitionTime?: string;
}

/** A successful sync. */
export interface RevisionHistory {
  /** Its number. */
  readonly id: number;
  /** Which revision. */
  readonly revision?: string;
  /** Which revision of each source. */
  readonly revisions?: readonly string[];
  /** The source. */
  readonly source?: ApplicationSource;
  /** The sources. */
  readonly sources?: readonly ApplicationSource[];
  /** When it began. */
  readonly deployStartedAt?: string;
  /** When it ended. */
  readonly deployedAt: string;
  /** The initiator of the sync. */
  readonly initiatedBy?: OperationInitiator;
}

/** A summary. */
export interface ApplicationSummary {
  /** Addresses at which it is served. */
  readonly externalURLs?: readonly string[];
  /** Images that it runs. */
  readonly images?: readonly string[];
  /** Whether it holds Applications. */
  readonly isAppOfApps?: boolean;
}

/** The status of rendering to Git. */
export interface SourceHydratorStatus {
  /** The newest commit that was looked at. */
  readonly lastComparedDryRevision?: string;
  /** The latest successful operation. */
  readonly lastSuccessfulOperation?: SuccessfulHydrateOperation;
  /** The latest. */
  readonly currentOperation?: HydrateOperation;
}

/** The latest successful operation. */
export interface SuccessfulHydrateOperation {
  /** The commit that was rendered. */
  readonly drySHA?: string;
  /** The commit that it became. */
  readonly hydratedSHA?: string;
  /** The requested operation. */
  readonly sourceHydrator?: SourceHydrator;
}

/** The latest. */
export interface HydrateOperation {
  /** The commit that was rendered. */
  readonly drySHA?: string;
  /** The commit that it became. */
  readonly hydratedSHA?: string;
  /** The requested operation. */
  readonly sourceHydrator?: SourceHydrator;
  /** The phase. */
  readonly phase: 'Hydrating' | 'Failed' | 'Hydrated';
  /** Why. */
  readonly message: string;
  /** When it began. */
  readonly startedAt?: string;
  /** When it ended. */
  readonly finishedAt?: string;
}

/** Generators of parameter sets, and the template of the Applications. */
export interface ApplicationSetSpec {
  /**
   * Whether placeholders are Go templates, `{{.path.basename}}`.
   * @default - false: `{{path.basename}}`
   */
  readonly goTemplate?: boolean;
  /** Options of Go templates. */
  readonly goTemplateOptions?: readonly string[];
  /** The generators of parameter sets. */
  readonly generators: readonly ApplicationSetGenerator[];
  /** The template of the Application for each parameter set. */
  readonly template: ApplicationSetTemplate;
  /** A patch of the template, as YAML with placeholders. */
  readonly templatePatch?: string;
  /** How Applications are synced and deleted. */
  readonly syncPolicy?: ApplicationSetSyncPolicy;
  /** The order in which Applications are changed. */
  readonly strategy?: ApplicationSetStrategy;
  /** Metadata of Applications that others may write. */
  readonly preservedFields?: ApplicationPreservedFields;
  /** Fields of Applications that others may write. */
  readonly ignoreApplicationDifferences?: readonly ApplicationSetResourceIgnoreDifferences[];
  /** Ignored: selectors of nested generators always apply. */
  readonly applyNestedSelectors?: boolean;
}

/** A generator of parameter sets: one of these. */
export interface ApplicationSetGenerator {
  /** The parameter sets that are listed here. */
  readonly list?: ListGenerator;
  /** One for each cluster that Argo CD knows. */
  readonly clusters?: ClusterGenerator;
  /** One for each folder, or for each file, of a repository. */
  readonly git?: GitGenerator;
  /** One for each repository of an organization. */
  readonly scmProvider?: SCMProviderGenerator;
  /** One for each open pull request of a repository. */
  readonly pullRequest?: PullRequestGenerator;
  /** One for each cluster that the status of an object names. */
  readonly clusterDecisionResource?: DuckTypeGenerator;
  /** The sets of parameters that a service returns. */
  readonly plugin?: PluginGenerator;
  /** Selects parameter sets by their values. */
  readonly selector?: LabelSelector;
  /** The product of two generators: each set of one with each set of the other. */
  readonly matrix?: MatrixGenerator;
  /** Merges the matching sets of several generators. */
  readonly merge?: MergeGenerator;
}

/** The parameter sets that are listed here. */
export interface ListGenerator {
  /** Each a mapping of parameters. */
  readonly elements?: readonly unknown[];
  /** The list as YAML in a text, from parameters of another generator. */
  readonly elementsYaml?: string;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
}

/** An Application with placeholders. */
export interface ApplicationSetTemplate {
  /** The metadata of the Application. */
  readonly metadata: ApplicationSetTemplateMeta;
  /** What, from where, to where, and how it is synced. */
  readonly spec: ApplicationSpec;
}

/** The metadata of the Application. */
export interface ApplicationSetTemplateMeta {
  /** Its name. */
  readonly name?: string;
  /**
   * Its namespace.
   * @default - the ApplicationSet's
   */
  readonly namespace?: string;
  /** Its labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Its annotations. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Its finalizers. */
  readonly finalizers?: readonly string[];
}

/** One for each cluster that Argo CD knows. */
export interface ClusterGenerator {
  /** Labels of the clusters' Secrets. Without one, all, and Argo CD's own. */
  readonly selector?: LabelSelector;
  /** Whether there is one set for all, with a list `clusters`. */
  readonly flatList?: boolean;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
  /** Further parameters, under `values`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** One for each folder, or for each file, of a repository. */
export interface GitGenerator {
  /** The repository. */
  readonly repoURL: string;
  /** The branch, tag or commit. */
  readonly revision: string;
  /** Which folders. */
  readonly directories?: readonly GitDirectoryGeneratorItem[];
  /** Which files: their content is parameters. */
  readonly files?: readonly GitFileGeneratorItem[];
  /** The prefix of the parameter `path`. */
  readonly pathParamPrefix?: string;
  /**
   * The polling interval, in seconds.
   * @default - 180
   */
  readonly requeueAfterSeconds?: number;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
  /** Further parameters, under `values`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A path in the repository. */
export interface GitDirectoryGeneratorItem {
  /** The path, a pattern. */
  readonly path: string;
  /** Whether matching paths are left out, also if another pattern matches them. */
  readonly exclude?: boolean;
}

/** A path in the repository. */
export interface GitFileGeneratorItem {
  /** The path, a pattern. */
  readonly path: string;
  /** Whether matching paths are left out, also if another pattern matches them. */
  readonly exclude?: boolean;
}

/** One for each repository of an organization. */
export interface SCMProviderGenerator {
  /** GitHub. */
  readonly github?: SCMProviderGeneratorGithub;
  /** GitLab. */
  readonly gitlab?: SCMProviderGeneratorGitlab;
  /** Gitea. */
  readonly gitea?: SCMProviderGeneratorGitea;
  /** Bitbucket Cloud. */
  readonly bitbucket?: SCMProviderGeneratorBitbucket;
  /** Bitbucket Server. */
  readonly bitbucketServer?: SCMProviderGeneratorBitbucketServer;
  /** Azure DevOps. */
  readonly azureDevOps?: SCMProviderGeneratorAzureDevOps;
  /** AWS CodeCommit. */
  readonly awsCodeCommit?: SCMProviderGeneratorAWSCodeCommit;
  /** Which repositories are found: those that match one of these. */
  readonly filters?: readonly SCMProviderGeneratorFilter[];
  /**
   * How repositories are addressed: `ssh`, `https`.
   * @default - `ssh` where there is one
   */
  readonly cloneProtocol?: string;
  /**
   * The polling interval, in seconds.
   * @default - 1800
   */
  readonly requeueAfterSeconds?: number;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
  /** Further parameters, under `values`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** GitHub. */
export interface SCMProviderGeneratorGithub {
  /** The organization. */
  readonly organization: string;
  /**
   * The address of its API.
   * @default - https://api.github.com/
   */
  readonly api?: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** The Secret of a GitHub App, in place of a token. */
  readonly appSecretName?: string;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
  /** Whether archived repositories are left out. */
  readonly excludeArchivedRepos?: boolean;
}

/** A value of a Secret of the same namespace. */
export interface SecretRef {
  /** The Secret. */
  readonly secretName: string;
  /** The key in it. */
  readonly key: string;
}

/** GitLab. */
export interface SCMProviderGeneratorGitlab {
  /** The group, by its number or its path. */
  readonly group: string;
  /** Whether groups within it count. */
  readonly includeSubgroups?: boolean;
  /**
   * Whether projects count that are shared with groups in it.
   * @default - true
   */
  readonly includeSharedProjects?: boolean;
  /** Whether archived repositories count. */
  readonly includeArchivedRepos?: boolean;
  /**
   * Which topic repositories have.
   * @default - any
   */
  readonly topic?: string;
  /**
   * The address of its API.
   * @default - https://gitlab.com/
   */
  readonly api?: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
  /** Certificates of authorities that are trusted, of a ConfigMap of the same namespace. */
  readonly caRef?: ConfigMapKeyRef;
}

/** Certificates of authorities that are trusted, of a ConfigMap of the same namespace. */
export interface ConfigMapKeyRef {
  /** The ConfigMap. */
  readonly configMapName: string;
  /** The key in it. */
  readonly key: string;
}

/** Gitea. */
export interface SCMProviderGeneratorGitea {
  /** The organization or user. */
  readonly owner: string;
  /** The address of its API. */
  readonly api: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
  /** Whether archived repositories are left out. */
  readonly excludeArchivedRepos?: boolean;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
}

/** Bitbucket Cloud. */
export interface SCMProviderGeneratorBitbucket {
  /** The workspace. */
  readonly owner: string;
  /** The user of the requests. */
  readonly user: string;
  /** The user's password for apps. */
  readonly appPasswordRef: SecretRef;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
}

/** Bitbucket Server. */
export interface SCMProviderGeneratorBitbucketServer {
  /** The project. */
  readonly project: string;
  /** The address of its API. */
  readonly api: string;
  /** Authenticates by name and password. */
  readonly basicAuth?: BasicAuthBitbucketServer;
  /** Authenticates by a token. */
  readonly bearerToken?: BearerTokenBitbucket;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
  /** Certificates of authorities that are trusted, of a ConfigMap of the same namespace. */
  readonly caRef?: ConfigMapKeyRef;
}

/** Authenticates by name and password. */
export interface BasicAuthBitbucketServer {
  /** The user. */
  readonly username: string;
  /** The password, or a token. */
  readonly passwordRef: SecretRef;
}

/** Authenticates by a token. */
export interface BearerTokenBitbucket {
  /** The token. */
  readonly tokenRef: SecretRef;
}

/** Azure DevOps. */
export interface SCMProviderGeneratorAzureDevOps {
  /** The organization. */
  readonly organization: string;
  /** The project. */
  readonly teamProject: string;
  /**
   * Its address.
   * @default - https://dev.azure.com
   */
  readonly api?: string;
  /** A token. */
  readonly accessTokenRef: SecretRef;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
}

/** AWS CodeCommit. */
export interface SCMProviderGeneratorAWSCodeCommit {
  /** Tags that repositories have. */
  readonly tagFilters?: readonly TagFilter[];
  /**
   * The role to assume.
   * @default - the controller's own
   */
  readonly role?: string;
  /**
   * The region.
   * @default - the controller's own
   */
  readonly region?: string;
  /** Whether all branches are found, not the default branch alone. */
  readonly allBranches?: boolean;
}

/** A tag. */
export interface TagFilter {
  /** Its key. */
  readonly key: string;
  /**
   * Its value.
   * @default - any
   */
  readonly value?: string;
}

/** All of these conditions. */
export interface SCMProviderGeneratorFilter {
  /** Its name matches this regular expression. */
  readonly repositoryMatch?: string;
  /** The branch matches this regular expression. */
  readonly branchMatch?: string;
  /** One of its labels matches this regular expression. */
  readonly labelMatch?: string;
  /** These paths are in it. */
  readonly pathsExist?: readonly string[];
  /** These paths are not in it. */
  readonly pathsDoNotExist?: readonly string[];
}

/** One for each open pull request of a repository. */
export interface PullRequestGenerator {
  /** GitHub. */
  readonly github?: PullRequestGeneratorGithub;
  /** GitLab. */
  readonly gitlab?: PullRequestGeneratorGitLab;
  /** Gitea. */
  readonly gitea?: PullRequestGeneratorGitea;
  /** Bitbucket Cloud. */
  readonly bitbucket?: PullRequestGeneratorBitbucket;
  /** Bitbucket Server. */
  readonly bitbucketServer?: PullRequestGeneratorBitbucketServer;
  /** Azure DevOps. */
  readonly azuredevops?: PullRequestGeneratorAzureDevOps;
  /** Which requests are found: those that match one of these. */
  readonly filters?: readonly PullRequestGeneratorFilter[];
  /** Whether a repository that is missing has no requests. */
  readonly continueOnRepoNotFoundError?: boolean;
  /**
   * The polling interval, in seconds.
   * @default - 1800
   */
  readonly requeueAfterSeconds?: number;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
  /** Further parameters, under `values`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** GitHub. */
export interface PullRequestGeneratorGithub {
  /** The organization or user. */
  readonly owner: string;
  /** The repository. */
  readonly repo: string;
  /**
   * The address of its API.
   * @default - https://api.github.com/
   */
  readonly api?: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** The Secret of a GitHub App, in place of a token. */
  readonly appSecretName?: string;
  /** Labels that requests have, all of them. */
  readonly labels?: readonly string[];
}

/** GitLab. */
export interface PullRequestGeneratorGitLab {
  /** The project. */
  readonly project: string;
  /**
   * The address of its API.
   * @default - https://gitlab.com/
   */
  readonly api?: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** Labels that requests have, all of them. */
  readonly labels?: readonly string[];
  /**
   * `opened`, `closed`, `merged`, `locked`.
   * @default - all
   */
  readonly pullRequestState?: string;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
  /** Certificates of authorities that are trusted, of a ConfigMap of the same namespace. */
  readonly caRef?: ConfigMapKeyRef;
}

/** Gitea. */
export interface PullRequestGeneratorGitea {
  /** The organization or user. */
  readonly owner: string;
  /** The repository. */
  readonly repo: string;
  /** The address of its API. */
  readonly api: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** Labels that requests have, all of them. */
  readonly labels?: readonly string[];
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
}

/** Bitbucket Cloud. */
export interface PullRequestGeneratorBitbucket {
  /** The workspace. */
  readonly owner: string;
  /** The repository. */
  readonly repo: string;
  /**
   * The address of its API.
   * @default - https://api.bitbucket.org/2.0
   */
  readonly api?: string;
  /** Authenticates by name and password. */
  readonly basicAuth?: BasicAuthBitbucketServer;
  /** Authenticates by a token. */
  readonly bearerToken?: BearerTokenBitbucket;
}

/** Bitbucket Server. */
export interface PullRequestGeneratorBitbucketServer {
  /** The project. */
  readonly project: string;
  /** The repository. */
  readonly repo: string;
  /** The address of its API. */
  readonly api: string;
  /** Authenticates by name and password. */
  readonly basicAuth?: BasicAuthBitbucketServer;
  /** Authenticates by a token. */
  readonly bearerToken?: BearerTokenBitbucket;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
  /** Certificates of authorities that are trusted, of a ConfigMap of the same namespace. */
  readonly caRef?: ConfigMapKeyRef;
}

/** Azure DevOps. */
export interface PullRequestGeneratorAzureDevOps {
  /** The organization. */
  readonly organization: string;
  /** The project. */
  readonly project: string;
  /** The repository. */
  readonly repo: string;
  /**
   * Its address.
   * @default - https://dev.azure.com/
   */
  readonly api?: string;
  /** A token. */
  readonly tokenRef?: SecretRef;
  /** Labels that requests have, all of them. */
  readonly labels?: readonly string[];
}

/** All of these conditions. */
export interface PullRequestGeneratorFilter {
  /** Its branch matches this regular expression. */
  readonly branchMatch?: string;
  /** The branch that it goes to matches this regular expression. */
  readonly targetBranchMatch?: string;
  /** Its title matches this regular expression. */
  readonly titleMatch?: string;
}

/** One for each cluster that the status of an object names. */
export interface DuckTypeGenerator {
  /** The ConfigMap with the field in which the kind names clusters. */
  readonly configMapRef: string;
  /** The object. */
  readonly name?: string;
  /** Labels of objects, in place of a name. */
  readonly labelSelector?: LabelSelector;
  /**
   * The polling interval, in seconds.
   * @default - 180
   */
  readonly requeueAfterSeconds?: number;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
  /** Further parameters, under `values`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The sets of parameters that a service returns. */
export interface PluginGenerator {
  /** The ConfigMap with the address of the service. */
  readonly configMapRef: PluginConfigMapRef;
  /** The input of the service. */
  readonly input?: PluginInput;
  /**
   * The polling interval, in seconds.
   * @default - 1800
   */
  readonly requeueAfterSeconds?: number;
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
  /** Further parameters, under `values`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The ConfigMap with the address of the service. */
export interface PluginConfigMapRef {
  /** The ConfigMap. */
  readonly name: string;
}

/** The input of the service. */
export interface PluginInput {
  /** Its parameters. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The product of two generators: each set of one with each set of the other. */
export interface MatrixGenerator {
  /** The two. */
  readonly generators: readonly ApplicationSetNestedGenerator[];
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
}

/** A generator within another: one of these. */
export interface ApplicationSetNestedGenerator {
  /** The parameter sets that are listed here. */
  readonly list?: ListGenerator;
  /** One for each cluster that Argo CD knows. */
  readonly clusters?: ClusterGenerator;
  /** One for each folder, or for each file, of a repository. */
  readonly git?: GitGenerator;
  /** One for each repository of an organization. */
  readonly scmProvider?: SCMProviderGenerator;
  /** One for each open pull request of a repository. */
  readonly pullRequest?: PullRequestGenerator;
  /** One for each cluster that the status of an object names. */
  readonly clusterDecisionResource?: DuckTypeGenerator;
  /** The sets of parameters that a service returns. */
  readonly plugin?: PluginGenerator;
  /** Selects parameter sets by their values. */
  readonly selector?: LabelSelector;
  /** The product of two generators: each set of one with each set of the other. */
  readonly matrix?: NestedMatrixGenerator;
  /** Merges the matching sets of several generators. */
  readonly merge?: NestedMergeGenerator;
}

/** Each set of one generator with each of another. */
export type NestedMatrixGenerator = {
  readonly generators: readonly ApplicationSetTerminalGenerator[];
};

/** Sets of several generators that agree, made one. */
export type NestedMergeGenerator = {
  readonly generators: readonly ApplicationSetTerminalGenerator[];
  readonly mergeKeys: readonly string[];
};

/** Merges the matching sets of several generators. */
export interface MergeGenerator {
  /** Which: the first gives sets, those behind it change values. */
  readonly generators: readonly ApplicationSetNestedGenerator[];
  /** The parameters in which they agree. */
  readonly mergeKeys: readonly string[];
  /** Overrides the template of the ApplicationSet for this generator. */
  readonly template?: ApplicationSetTemplate;
}

/** How Applications are synced and deleted. */
export interface ApplicationSetSyncPolicy {
  /**
   * Which changes are made to Applications: create, update, delete.
   * @default - `sync`
   */
  readonly applicationsSync?: 'create-only' | 'create-update' | 'create-delete' | 'sync';
  /**
   * Whether Applications get no finalizer, so that deleted ones leave all their objects.
   * @default - false
   */
  readonly preserveResourcesOnDeletion?: boolean;
}

/** The order in which Applications are changed. */
export interface ApplicationSetStrategy {
  /**
   * Whether there is one.
   * @default - `AllAtOnce`
   */
  readonly type?: 'AllAtOnce' | 'RollingSync';
  /**
   * The order in which they are deleted.
   * @default - `AllAtOnce`
   */
  readonly deletionOrder?: 'AllAtOnce' | 'Reverse';
  /** Changes Applications step by step; automated syncs are then off. */
  readonly rollingSync?: ApplicationSetRolloutStrategy;
}

/** Changes Applications step by step; automated syncs are then off. */
export interface ApplicationSetRolloutStrategy {
  /** Each waits until the Applications of that before it are healthy. */
  readonly steps?: readonly ApplicationSetRolloutStep[];
}

/** Some Applications. */
export interface ApplicationSetRolloutStep {
  /** Labels that they have. */
  readonly matchExpressions?: readonly ApplicationMatchExpression[];
  /**
   * How many at a time, or a percentage. 0 waits for a person.
   * @default - all
   */
  readonly maxUpdate?: number | string;
}

/** A requirement for a label. */
export interface ApplicationMatchExpression {
  /** The label. */
  readonly key?: string;
  /** `In`, `NotIn`. */
  readonly operator?: string;
  /** The values. */
  readonly values?: readonly string[];
}

/** Metadata of Applications that others may write. */
export interface ApplicationPreservedFields {
  /** Labels. */
  readonly labels?: readonly string[];
  /** Annotations. */
  readonly annotations?: readonly string[];
}

/** Which fields of which Applications. */
export interface ApplicationSetResourceIgnoreDifferences {
  /**
   * The Application.
   * @default - all
   */
  readonly name?: string;
  /** Fields, as JSON pointers (RFC 6901). */
  readonly jsonPointers?: readonly string[];
  /** Fields, as jq expressions. */
  readonly jqPathExpressions?: readonly string[];
}

/** The status. */
export interface ApplicationSetStatus {
  /** The conditions. */
  readonly conditions?: readonly ApplicationSetCondition[];
  /** The progress of Applications that are changed step by step. */
  readonly applicationStatus?: readonly ApplicationSetApplicationStatus[];
  /** Applications that it made. */
  readonly resources?: readonly ResourceStatus[];
  /** How many it made. */
  readonly resourcesCount?: number;
  /** The health of the whole. */
  readonly health?: HealthStatus;
}

/** A condition. */
export interface ApplicationSetCondition {
  /** `ErrorOccurred`, `ParametersGenerated`, `ResourcesUpToDate`, `RolloutProgressing`. */
  readonly type: string;
  /** The status of the condition: `True`, `False`, `Unknown`. */
  readonly status: string;
  /** The reason, as one word for programs. */
  readonly reason: string;
  /** The reason, for people. */
  readonly message: string;
  /** Since when the status is what it is. */
  readonly lastTransitionTime?: string;
}

/** The progress of an Application. */
export interface ApplicationSetApplicationStatus {
  /** Its name. */
  readonly application: string;
  /** `Waiting`, `Pending`, `Progressing`, `Healthy`. */
  readonly status: string;
  /** Why. */
  readonly message: string;
  /** Its step. */
  readonly step: string;
  /** The revisions that it is changed to. */
  readonly targetRevisions: readonly string[];
  /** Since when. */
  readonly lastTransitionTime?: string;
}

/** A generator without nested generators. */
export interface ApplicationSetTerminalGenerator {
  /** The parameter sets that are listed here. */
  readonly list?: ListGenerator;
  /** One for each cluster that Argo CD knows. */
  readonly clusters?: ClusterGenerator;
  /** One for each folder, or for each file, of a repository. */
  readonly git?: GitGenerator;
  /** One for each repository of an organization. */
  readonly scmProvider?: SCMProviderGenerator;
  /** One for each open pull request of a repository. */
  readonly pullRequest?: PullRequestGenerator;
  /** One for each cluster that the status of an object names. */
  readonly clusterDecisionResource?: DuckTypeGenerator;
  /** The sets of parameters that a service returns. */
  readonly plugin?: PluginGenerator;
  /** Selects parameter sets by their values. */
  readonly selector?: LabelSelector;
}
