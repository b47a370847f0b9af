// Written by `npm run gen` from the schemas of Flux' kinds.
import type { Condition } from '../../../schema/language.ts';

/** What is fetched, how often, and as whom. */
export interface GitRepositorySpec {
  /** Its address. */
  readonly url: string;
  /** How often it is looked for something new. */
  readonly interval: string;
  /** What of it; of several the last one here counts. */
  readonly ref?: GitRepositoryRef;
  /** The Secret with which one comes in. */
  readonly secretRef?: FluxLocalReference;
  /**
   * Whose accounts it knows, where there is no Secret.
   * @default - `generic`
   */
  readonly provider?: 'generic' | 'azure' | 'github';
  /** A ServiceAccount of the same namespace, for Azure. */
  readonly serviceAccountName?: string;
  /** The Secret that says by which proxy. */
  readonly proxySecretRef?: FluxLocalReference;
  /** How long an operation of Git may take. */
  readonly timeout?: string;
  /** Which signatures are asked for. */
  readonly verify?: GitRepositoryVerification;
  /** What is left out, as `.gitignore` writes it. */
  readonly ignore?: string;
  /** Folders that are fetched alone. */
  readonly sparseCheckout?: readonly string[];
  /**
   * Whether submodules are fetched too.
   * @default - false
   */
  readonly recurseSubmodules?: boolean;
  /** Folders of other repositories that are put into it. */
  readonly include?: readonly GitRepositoryInclude[];
  /**
   * Whether it is left as it is.
   * @default - false
   */
  readonly suspend?: boolean;
}

/** What of it; of several the last one here counts. */
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

/** Which signatures are asked for. */
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

/** What came of it. */
export interface GitRepositoryStatus {
  /** What is the case: `Ready`, `Reconciling`. */
  readonly conditions?: readonly Condition[];
  /** What was fetched. */
  readonly artifact?: Artifact;
  /** What was put into it. */
  readonly includedArtifacts?: readonly Artifact[];
  /** The generation that this is about. */
  readonly observedGeneration?: number;
  /** What was left out. */
  readonly observedIgnore?: string;
  /** What was asked to be put into it. */
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
  /** What else is known of it. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What, from where, how often, and what goes. */
export interface KustomizationSpec {
  /** Where objects come from. */
  readonly sourceRef: KustomizationSource;
  /**
   * The folder in it.
   * @default - all
   */
  readonly path?: string;
  /** Whether what left Git is deleted. */
  readonly prune: boolean;
  /**
   * What becomes of the objects when the Kustomization is deleted.
   * @default - `MirrorPrune`: they are deleted where `prune` is said
   */
  readonly deletionPolicy?: 'MirrorPrune' | 'Delete' | 'WaitForTermination' | 'Orphan';
  /** How often objects are applied again. */
  readonly interval: string;
  /**
   * How soon it is tried again after a failure.
   * @default - `interval`
   */
  readonly retryInterval?: string;
  /**
   * How long an attempt may take.
   * @default - `interval`
   */
  readonly timeout?: string;
  /** What has to be ready before: Kustomizations. */
  readonly dependsOn?: readonly KustomizationDependency[];
  /**
   * A ServiceAccount of the same namespace, as whom it applies.
   * @default - Flux' own
   */
  readonly serviceAccountName?: string;
  /** Another cluster. */
  readonly kubeConfig?: KustomizationKubeConfig;
  /** The namespace of all objects. */
  readonly targetNamespace?: string;
  /** What all names begin with. */
  readonly namePrefix?: string;
  /** What all names end with. */
  readonly nameSuffix?: string;
  /** What all objects have. */
  readonly commonMetadata?: KustomizationMetadata;
  /** Components of Kustomize. */
  readonly components?: readonly string[];
  /**
   * Whether components may be missing.
   * @default - false
   */
  readonly ignoreMissingComponents?: boolean;
  /** What is changed in objects before they are applied. */
  readonly patches?: readonly KustomizationPatch[];
  /** Images that are taken in place of others. */
  readonly images?: readonly KustomizationImage[];
  /** Variables such as `${cluster}` that are filled in. */
  readonly postBuild?: KustomizationPostBuild;
  /** How Secrets are decrypted. */
  readonly decryption?: KustomizationDecryption;
  /** Objects that have to be healthy; not heeded beside `wait`. */
  readonly healthChecks?: readonly KustomizationHealthCheck[];
  /** When objects of a kind are healthy. */
  readonly healthCheckExprs?: readonly KustomizationHealthCheckExpression[];
  /**
   * Whether all objects have to be healthy.
   * @default - false
   */
  readonly wait?: boolean;
  /** Whether what cannot be changed is made anew. */
  readonly force?: boolean;
  /**
   * Whether all is left as it is.
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
   * When it is ready, in CEL, of `self` and `dep`.
   * @default - when it says so, of the same revision
   */
  readonly readyExpr?: string;
}

/** Another cluster. */
export interface KustomizationKubeConfig {
  /** The Secret with a kubeconfig. */
  readonly secretRef?: KustomizationKubeConfigSecret;
  /** The ConfigMap that says how one comes in without one. */
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

/** What all objects have. */
export interface KustomizationMetadata {
  /** Labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What is changed, in which objects. */
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
  /** What it is called in the objects. */
  readonly name: string;
  /** What it is called instead. */
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

/** What came of it. */
export interface KustomizationStatus {
  /** What is the case: `Ready`, `Reconciling`. */
  readonly conditions?: readonly Condition[];
  /** The revision that was applied last. */
  readonly lastAppliedRevision?: string;
  /** What that was made of. */
  readonly lastAppliedOriginRevision?: string;
  /** The revision that was tried last. */
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
  /** What came of it. */
  readonly lastReconciledStatus: string;
  /** How often it was. */
  readonly totalReconciliations: number;
  /** What else is known of it. */
  readonly metadata?: Readonly<Record<string, string>>;
}
