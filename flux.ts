/** What `import ... from 'tenantry/flux'` gives: Flux' objects as code, and what it applies of the output. */
export { FluxCluster, type FluxClusterProps } from './constructs/flux/cluster.ts';
export {
  GitRepository,
  Kustomization,
  type FluxMetadata,
  type GitRepositoryProps,
  type KustomizationProps,
} from './constructs/flux/objects.ts';
export { gitRepository, kustomization } from './model/flux/definitions.ts';
export type * from './model/flux/types.ts';
