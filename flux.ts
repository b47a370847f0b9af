/** What `import ... from 'tenantry/flux'` gives: Flux' objects as code, and what it applies of the output. */
export { FluxCluster, type FluxClusterProps } from './constructs/flux/cluster.ts';
export {
  GitRepository,
  Kustomization,
  type FluxMetadata,
  type GitRepositoryProps,
  type KustomizationProps,
} from './constructs/flux/objects.ts';
export { gitRepository, kustomization } from './constructs/flux/api/definitions.ts';
export type * from './constructs/flux/api/types.ts';
