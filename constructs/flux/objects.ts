import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { findSameClusterObjects } from '../beside.ts';
import { addObjectValidation } from '../object-validation.ts';
import { gitRepository } from './api/git-repository.ts';
import { kustomization } from './api/kustomization.ts';
import type { GitRepositorySpec, KustomizationSpec } from './api/types.ts';
import { buildFluxObject, type FluxMetadata, type FluxObject } from './object.ts';
import { findDependencyCycles, validateKustomization } from './rules/kustomization.ts';

/** The properties of a GitRepository. */
export interface GitRepositoryProps {
  readonly metadata: FluxMetadata;
  readonly spec: GitRepositorySpec;
}

/** The properties of a Kustomization. */
export interface KustomizationProps {
  readonly metadata: FluxMetadata;
  /** The spec. `deletionPolicy` is required, because no answer is right for all. */
  readonly spec: KustomizationSpec & Required<Pick<KustomizationSpec, 'deletionPolicy'>>;
}

/**
 * A repository that Flux fetches, validated as by an API server when the app is synthesized.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { GitRepository } from 'tenantry/flux';
 *
 * const app = new App();
 * new GitRepository(new Chart(app, 'sources'), 'shop', {
 *   metadata: { name: 'shop' },
 *   spec: { url: 'https://git.example.com/shop/deploy', ref: { branch: 'main' }, interval: '5m' },
 * });
 * app.synth();
 * ```
 */
export class GitRepository extends ApiObject {
  constructor(scope: Construct, id: string, { metadata, spec }: GitRepositoryProps) {
    super(scope, id, buildFluxObject(gitRepository, metadata, spec));
    addObjectValidation(this, new.target, gitRepository, () => []);
  }
}

/**
 * Objects of a source that Flux keeps in a cluster. The app's synthesis refuses what an API server would refuse, a name
 * that Flux cannot write into labels, and a Kustomization that depends on itself.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { Kustomization } from 'tenantry/flux';
 *
 * const app = new App();
 * new Kustomization(new Chart(app, 'kustomizations'), 'web', {
 *   metadata: { name: 'shop-web' },
 *   spec: {
 *     sourceRef: { kind: 'GitRepository', name: 'shop' },
 *     path: './web',
 *     interval: '10m',
 *     prune: true,
 *     deletionPolicy: 'Orphan',
 *   },
 * });
 * app.synth();
 * ```
 */
export class Kustomization extends ApiObject {
  constructor(scope: Construct, id: string, { metadata, spec }: KustomizationProps) {
    super(scope, id, buildFluxObject(kustomization, metadata, spec));
    addObjectValidation(this, new.target, kustomization, (manifest) => {
      const made = manifest as FluxObject<KustomizationSpec>;
      return [
        ...validateKustomization(made.metadata.name, made.spec),
        ...findDependencyCycles(made, this.#beside()),
      ];
    });
  }

  /**
   * Builds a function that finds another Kustomization of the app for the same cluster. The index is built on demand,
   * because there may be very many.
   */
  #beside(): (id: string) => FluxObject<KustomizationSpec> | undefined {
    const all = findSameClusterObjects(this, kustomization);
    const byId = new Map(all.map((one) => [`${one.metadata.namespace}/${one.name}`, one]));
    return (id) => byId.get(id)?.toJson() as FluxObject<KustomizationSpec> | undefined;
  }
}
