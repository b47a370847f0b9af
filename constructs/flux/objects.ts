import { listVersions, type Definition } from '@tenantry/crd/definition';
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { findSameClusterObjects } from '@tenantry/crd/constructs/same-cluster';
import { addObjectValidation } from '@tenantry/crd/constructs/error-validation';
import { gitRepository, kustomization } from '../../model/flux/definitions.ts';
import type { GitRepositorySpec, KustomizationSpec } from '../../model/flux/types.ts';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show } from '@tenantry/kube/problem';

/** The default namespace of Flux. */
export const FLUX_NAMESPACE = 'flux-system';

/** The identity of an object of Flux. */
export interface FluxMetadata {
  readonly name: string;
  /** @default 'flux-system' */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object of Flux as it is in Git. */
export interface FluxObject<Spec> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: FluxMetadata & { readonly namespace: string };
  readonly spec: Spec;
}

/** Builds an object of one of Flux' kinds. */
function buildFluxObject<Spec>(
  definition: Definition,
  { namespace = FLUX_NAMESPACE, ...metadata }: FluxMetadata,
  spec: Spec,
): FluxObject<Spec> {
  const [version] = listVersions(definition);
  const { apiVersion } = version!;
  return { apiVersion, kind: definition.kind, metadata: { ...metadata, namespace }, spec };
}

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

/** The maximum length of a name: Flux writes the Kustomization of each object as the value of a label. */
const MAX_NAME = 63;

/** Validates what Flux would not apply of a Kustomization, and what it accepts but nobody intends. */
function validateKustomization(name: string, spec: KustomizationSpec): Finding[] {
  const findings: Finding[] = [];
  const add = (path: readonly string[], message: string): void => {
    findings.push(errorAt(path, message, 'kustomization'));
  };
  if (name.length > MAX_NAME) {
    add(
      ['metadata', 'name'],
      `must have at most ${MAX_NAME} characters, got ${name.length}: Flux writes it into a label of each object`,
    );
  }
  const { path, wait, healthChecks = [], prune, deletionPolicy } = spec;
  if (path !== undefined && (path.startsWith('/') || path.split('/').includes('..'))) {
    add(['spec', 'path'], `must be a folder of the source, got ${show(path)}`);
  }
  if (wait && healthChecks.length > 0) {
    add(['spec', 'healthChecks'], "must be left out beside 'wait', which waits for all objects");
  }
  if (!prune && deletionPolicy === 'MirrorPrune') {
    add(['spec', 'deletionPolicy'], "must be 'Orphan' where nothing is pruned, got 'MirrorPrune'");
  }
  return findings;
}

/** The parts of a Kustomization that determine its dependencies. */
interface DependentKustomization {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: KustomizationSpec;
}

/**
 * Finds Kustomizations that depend on themselves through others and so are never applied. Each of them gets a finding.
 * @param find returns another Kustomization by `namespace/name`
 */
function findDependencyCycles(
  one: DependentKustomization,
  find: (id: string) => DependentKustomization | undefined,
): Finding[] {
  const id = `${one.metadata.namespace}/${one.metadata.name}`;
  const before = ({ metadata, spec }: DependentKustomization): string[] =>
    (spec.dependsOn ?? []).map(
      ({ name, namespace = metadata.namespace }) => `${namespace}/${name}`,
    );
  return before(one).flatMap((first, i) => {
    const way = [first];
    const met = new Set(way);
    for (const at of way) {
      if (at === id) {
        const message = `must not depend on a Kustomization that depends on it, got ${show(one.spec.dependsOn![i]!.name)}`;
        return [errorAt(['spec', 'dependsOn', i], message, 'kustomization')];
      }
      const next = find(at);
      for (const each of next ? before(next) : []) {
        if (!met.has(each)) way.push(each);
        met.add(each);
      }
    }
    return [];
  });
}
