// Written by `npm run gen` from the schemas of Flux' kinds.
import type { Condition } from '../../../schema/language.ts';

/** What is fetched, how often, and with which credentials. */
export interface GitRepositorySpec {
  /** Its address. */
  readonly url: string;
  /** The polling interval. */
  readonly interval: string;
  /** The reference to fetch; of several the last field here counts. */
  readonly ref?: GitRepositoryRef;
  /** The Secret with credentials. */
  readonly secretRef?: FluxLocalReference;
  /**
   * The provider of credentials, if there is no Secret.
   * @default - `generic`
   */
  readonly provider?: 'generic' | 'azure' | 'github';
  /** A ServiceAccount of the same namespace, for Azure. */
  readonly serviceAccountName?: string;
  /** The Secret with the proxy. */
  readonly proxySecretRef?: FluxLocalReference;
  /** How long an operation of Git may take. */
  readonly timeout?: string;
  /** The required signatures. */
  readonly verify?: GitRepositoryVerification;
  /** The files that are left out, in the syntax of `.gitignore`. */
  readonly ignore?: string;
  /** The folders to fetch, if not all. */
  readonly sparseCheckout?: readonly string[];
  /**
   * Whether submodules are fetched too.
   * @default - false
   */
  readonly recurseSubmodules?: boolean;
  /** Folders of other repositories that are copied into it. */
  readonly include?: readonly GitRepositoryInclude[];
  /**
   * Whether it is suspended.
   * @default - false
   */
  readonly suspend?: boolean;
}

/** The reference to fetch; of several the last field here counts. */
export interface GitRepositoryRef {
  /**
   * A branch.
   * @default - `master`
   */
  readonly branch?: string;
  /** A tag. */
  readonly tag?: string;
  /** The newest tag of a range of versions. */
  readonly semver?: string;
  /** A reference of Git. */
  readonly name?: string;
  /** A commit. */
  readonly commit?: string;
}

/** An object of the same namespace. */
export interface FluxLocalReference {
  /** Its name. */
  readonly name: string;
}

/** The required signatures. */
export interface GitRepositoryVerification {
  /** Of what. */
  readonly mode?: 'head' | 'HEAD' | 'Tag' | 'TagAndHEAD';
  /** The Secret with public keys. */
  readonly secretRef: FluxLocalReference;
}

/** A folder of another one. */
export interface GitRepositoryInclude {
  /** The GitRepository. */
  readonly repository: FluxLocalReference;
  /**
   * The folder in it.
   * @default - all of it
   */
  readonly fromPath?: string;
  /**
   * Where it is put.
   * @default - a folder of the name of the repository
   */
  readonly toPath?: string;
}

/** The status. */
export interface GitRepositoryStatus {
  /** What is the case: `Ready`, `Reconciling`. */
  readonly conditions?: readonly Condition[];
  /** What was fetched. */
  readonly artifact?: Artifact;
  /** The folders that were copied into it. */
  readonly includedArtifacts?: readonly Artifact[];
  /** The generation that this is about. */
  readonly observedGeneration?: number;
  /** What was left out. */
  readonly observedIgnore?: string;
  /** The folders that were requested. */
  readonly observedInclude?: readonly GitRepositoryInclude[];
  /** Whether submodules were fetched. */
  readonly observedRecurseSubmodules?: boolean;
  /** Folders that were fetched alone. */
  readonly observedSparseCheckout?: readonly string[];
  /** What was verified. */
  readonly sourceVerificationMode?: string;
  /** The last `reconcile.fluxcd.io/requestedAt` that was acted on. */
  readonly lastHandledReconcileAt?: string;
}

/** What was fetched. */
export interface Artifact {
  /** Where it is. */
  readonly url: string;
  /** Its path there. */
  readonly path: string;
  /** The revision. */
  readonly revision: string;
  /** Its digest. */
  readonly digest: string;
  /** When it was made. */
  readonly lastUpdateTime: string;
  /** How many bytes it has. */
  readonly size?: number;
  /** Further metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What is applied, from where, how often, and what is pruned. */
export interface KustomizationSpec {
  /** Where objects come from. */
  readonly sourceRef: KustomizationSource;
  /**
   * The folder in it.
   * @default - all
   */
  readonly path?: string;
  /** Whether objects that left Git are deleted. */
  readonly prune: boolean;
  /**
   * What happens to the objects when the Kustomization is deleted.
   * @default - `MirrorPrune`: they are deleted if `prune` is set
   */
  readonly deletionPolicy?: 'MirrorPrune' | 'Delete' | 'WaitForTermination' | 'Orphan';
  /** How often objects are applied again. */
  readonly interval: string;
  /**
   * The delay before a retry.
   * @default - `interval`
   */
  readonly retryInterval?: string;
  /**
   * How long an attempt may take.
   * @default - `interval`
   */
  readonly timeout?: string;
  /** Kustomizations that must be ready first. */
  readonly dependsOn?: readonly KustomizationDependency[];
  /**
   * The ServiceAccount of the same namespace that applies objects.
   * @default - Flux' own
   */
  readonly serviceAccountName?: string;
  /** Another cluster. */
  readonly kubeConfig?: KustomizationKubeConfig;
  /** The namespace of all objects. */
  readonly targetNamespace?: string;
  /** The prefix of all names. */
  readonly namePrefix?: string;
  /** The suffix of all names. */
  readonly nameSuffix?: string;
  /** Metadata of all objects. */
  readonly commonMetadata?: KustomizationMetadata;
  /** Components of Kustomize. */
  readonly components?: readonly string[];
  /**
   * Whether components may be missing.
   * @default - false
   */
  readonly ignoreMissingComponents?: boolean;
  /** Patches of objects before they are applied. */
  readonly patches?: readonly KustomizationPatch[];
  /** Images that replace others. */
  readonly images?: readonly KustomizationImage[];
  /** Variables such as `${cluster}` that are filled in. */
  readonly postBuild?: KustomizationPostBuild;
  /** How Secrets are decrypted. */
  readonly decryption?: KustomizationDecryption;
  /** Objects that must be healthy; ignored if `wait` is set. */
  readonly healthChecks?: readonly KustomizationHealthCheck[];
  /** When objects of a kind are healthy. */
  readonly healthCheckExprs?: readonly KustomizationHealthCheckExpression[];
  /**
   * Whether all objects must be healthy.
   * @default - false
   */
  readonly wait?: boolean;
  /** Whether objects that cannot be changed are created again. */
  readonly force?: boolean;
  /**
   * Whether it is suspended.
   * @default - false
   */
  readonly suspend?: boolean;
}

/** Where objects come from. */
export interface KustomizationSource {
  /** Its apiVersion. */
  readonly apiVersion?: string;
  /** Its kind. */
  readonly kind: 'OCIRepository' | 'GitRepository' | 'Bucket' | 'ExternalArtifact';
  /** Its name. */
  readonly name: string;
  /**
   * Its namespace.
   * @default - the same
   */
  readonly namespace?: string;
}

/** A Kustomization. */
export interface KustomizationDependency {
  /** Its name. */
  readonly name: string;
  /**
   * Its namespace.
   * @default - the same
   */
  readonly namespace?: string;
  /**
   * When it is ready, as CEL over `self` and `dep`.
   * @default - when its status is ready, for the same revision
   */
  readonly readyExpr?: string;
}

/** Another cluster. */
export interface KustomizationKubeConfig {
  /** The Secret with a kubeconfig. */
  readonly secretRef?: KustomizationKubeConfigSecret;
  /** The ConfigMap with the access to the cluster, if there is no kubeconfig. */
  readonly configMapRef?: FluxLocalReference;
}

/** The Secret with a kubeconfig. */
export interface KustomizationKubeConfigSecret {
  /** Its name. */
  readonly name: string;
  /**
   * The key.
   * @default - `value`, or `value.yaml`
   */
  readonly key?: string;
}

/** Metadata of all objects. */
export interface KustomizationMetadata {
  /** Labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A patch, and the objects that it changes. */
export interface KustomizationPatch {
  /** A strategic merge patch, or a JSON patch, as YAML. */
  readonly patch: string;
  /** Which objects. */
  readonly target?: KustomizationPatchTarget;
}

/** Which objects. */
export interface KustomizationPatchTarget {
  /** Their API group, a regular expression. */
  readonly group?: string;
  /** The version of their API, a regular expression. */
  readonly version?: string;
  /** Their kind, a regular expression. */
  readonly kind?: string;
  /** Their name, a regular expression. */
  readonly name?: string;
  /** Their namespace, a regular expression. */
  readonly namespace?: string;
  /** Labels that they have. */
  readonly labelSelector?: string;
  /** Annotations that they have. */
  readonly annotationSelector?: string;
}

/** An image. */
export interface KustomizationImage {
  /** The name in the objects. */
  readonly name: string;
  /** The new name. */
  readonly newName?: string;
  /** Its tag. */
  readonly newTag?: string;
  /** Its digest, in place of a tag. */
  readonly digest?: string;
}

/** Variables such as `${cluster}` that are filled in. */
export interface KustomizationPostBuild {
  /** Their values. */
  readonly substitute?: Readonly<Record<string, string>>;
  /** Where their values are; those that come later win. */
  readonly substituteFrom?: readonly KustomizationSubstituteReference[];
}

/** Where values are. */
export interface KustomizationSubstituteReference {
  /** Its kind. */
  readonly kind: 'Secret' | 'ConfigMap';
  /** Its name. */
  readonly name: string;
  /** Whether it may be missing. */
  readonly optional?: boolean;
}

/** How Secrets are decrypted. */
export interface KustomizationDecryption {
  /** By what. */
  readonly provider: 'sops';
  /** The Secret with keys. */
  readonly secretRef?: FluxLocalReference;
  /** A ServiceAccount of the same namespace, for keys of a cloud. */
  readonly serviceAccountName?: string;
}

/** An object. */
export interface KustomizationHealthCheck {
  /** Its apiVersion. */
  readonly apiVersion?: string;
  /** Its kind. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace?: string;
}

/** When objects of a kind are healthy, in CEL. */
export interface KustomizationHealthCheckExpression {
  /** Their apiVersion. */
  readonly apiVersion: string;
  /** Their kind. */
  readonly kind: string;
  /** They are. */
  readonly current: string;
  /** They will be. */
  readonly inProgress?: string;
  /** They are not. */
  readonly failed?: string;
}

/** The status. */
export interface KustomizationStatus {
  /** What is the case: `Ready`, `Reconciling`. */
  readonly conditions?: readonly Condition[];
  /** The revision that was applied last. */
  readonly lastAppliedRevision?: string;
  /** The source revision of it. */
  readonly lastAppliedOriginRevision?: string;
  /** The revision that was attempted last. */
  readonly lastAttemptedRevision?: string;
  /** What was applied. */
  readonly inventory?: KustomizationInventory;
  /** What was applied before. */
  readonly history?: readonly KustomizationSnapshot[];
  /** The generation that this is about. */
  readonly observedGeneration?: number;
  /** The last `reconcile.fluxcd.io/requestedAt` that was acted on. */
  readonly lastHandledReconcileAt?: string;
}

/** What was applied. */
export interface KustomizationInventory {
  /** Objects. */
  readonly entries: readonly KustomizationInventoryEntry[];
}

/** An object. */
export interface KustomizationInventoryEntry {
  /** Which, as namespace_name_group_kind. */
  readonly id: string;
  /** The version of its API. */
  readonly v: string;
}

/** What was applied. */
export interface KustomizationSnapshot {
  /** Its digest. */
  readonly digest: string;
  /** When it was applied first. */
  readonly firstReconciled: string;
  /** When it was applied last. */
  readonly lastReconciled: string;
  /** How long that took. */
  readonly lastReconciledDuration: string;
  /** The status. */
  readonly lastReconciledStatus: string;
  /** The number of reconciliations. */
  readonly totalReconciliations: number;
  /** Further metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}
