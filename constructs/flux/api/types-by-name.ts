// Written by `npm run gen` from the schemas of Flux' kinds.
import type * as types from './types.ts';

/** The types of ./types.ts by their names. */
export interface TypesByName {
  readonly GitRepositorySpec: types.GitRepositorySpec;
  readonly GitRepositoryRef: types.GitRepositoryRef;
  readonly FluxLocalReference: types.FluxLocalReference;
  readonly GitRepositoryVerification: types.GitRepositoryVerification;
  readonly GitRepositoryInclude: types.GitRepositoryInclude;
  readonly GitRepositoryStatus: types.GitRepositoryStatus;
  readonly Artifact: types.Artifact;
  readonly KustomizationSpec: types.KustomizationSpec;
  readonly KustomizationSource: types.KustomizationSource;
  readonly KustomizationDependency: types.KustomizationDependency;
  readonly KustomizationKubeConfig: types.KustomizationKubeConfig;
  readonly KustomizationKubeConfigSecret: types.KustomizationKubeConfigSecret;
  readonly KustomizationMetadata: types.KustomizationMetadata;
  readonly KustomizationPatch: types.KustomizationPatch;
  readonly KustomizationPatchTarget: types.KustomizationPatchTarget;
  readonly KustomizationImage: types.KustomizationImage;
  readonly KustomizationPostBuild: types.KustomizationPostBuild;
  readonly KustomizationSubstituteReference: types.KustomizationSubstituteReference;
  readonly KustomizationDecryption: types.KustomizationDecryption;
  readonly KustomizationHealthCheck: types.KustomizationHealthCheck;
  readonly KustomizationHealthCheckExpression: types.KustomizationHealthCheckExpression;
  readonly KustomizationStatus: types.KustomizationStatus;
  readonly KustomizationInventory: types.KustomizationInventory;
  readonly KustomizationInventoryEntry: types.KustomizationInventoryEntry;
  readonly KustomizationSnapshot: types.KustomizationSnapshot;
}
