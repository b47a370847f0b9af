import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { OUTPUT_PATH } from '@tenantry/kube/output';
import { COMPARE_OPTIONS, QUIET } from '@tenantry/kube/argocd-directives';
import type {
  GitRepositorySpec,
  KustomizationDependency,
  KustomizationPatch,
  KustomizationPatchTarget,
  KustomizationSpec,
} from '../../model/flux/types.ts';
import { layout } from '../../model/layout.ts';
import { FLUX_NAMESPACE, GitRepository, Kustomization } from './objects.ts';

/** How a cluster applies its part of the output. */
export interface FluxClusterProps {
  /** Its name in the platform file. @default - the construct's id */
  readonly cluster?: string;
  /** The place of the output in Git. */
  readonly repository: Omit<GitRepositorySpec, 'interval'> & Partial<GitRepositorySpec>;
  /** The output folder, in the repository. @default 'dist' */
  readonly path?: string;
  /** The namespace of Flux. @default 'flux-system' */
  readonly namespace?: string;
  /**
   * Tenants that are applied separately, so that what an API server refuses of one does not block the others.
   * @default - all tenants are applied together, and new ones need no change here
   */
  readonly tenants?: readonly string[];
  /** Further settings of each Kustomization. @default - an interval of 10 minutes, and retries after one */
  readonly kustomizations?: Partial<
    Pick<
      KustomizationSpec,
      'interval' | 'retryInterval' | 'timeout' | 'kubeConfig' | 'serviceAccountName' | 'suspend'
    >
  >;
}

/**
 * The objects by which Flux applies the output to one cluster: a GitRepository, and Kustomizations of CRDs, policies,
 * classes, the operator and tenants, in `flux/<cluster>.yaml`. On an empty cluster tenants wait for CRDs and policies.
 * Later nothing waits, so that access is revoked with the next revision whatever else fails.
 *
 * What leaves Git is pruned, except CRDs, policies, the namespace of the operator, and objects that the output protects
 * from pruning by Argo CD (`Prune=false`). These are Namespaces of tenants, and all that is left in a Retired
 * namespace. People delete them.
 *
 * @example
 * ```ts
 * import { App, declareFleet } from 'tenantry';
 * import { FluxCluster } from 'tenantry/flux';
 *
 * const app = new App();
 * const { platform } = declareFleet(app);
 * for (const { name } of platform.clusters) {
 *   new FluxCluster(app, name, {
 *     repository: { url: 'https://git.example.com/platform/tenants', ref: { branch: 'main' } },
 *   });
 * }
 * app.synth(); // dist/flux/in-cluster.yaml
 * ```
 */
export class FluxCluster extends Construct {
  /** The content of the file. */
  readonly chart: Chart;

  constructor(scope: Construct, id: string, props: FluxClusterProps) {
    super(scope, id);
    const { cluster = id, namespace = FLUX_NAMESPACE, repository, path = 'dist' } = props;
    this.chart = new Chart(this, 'flux');
    this.chart.node.addMetadata(OUTPUT_PATH, `flux/${cluster}.yaml`);
    const source = `tenantry-${cluster}`;
    new GitRepository(this.chart, 'source', {
      metadata: { name: source, namespace },
      spec: { interval: '1m', ...repository },
    });
    const top = path === '.' ? '.' : `./${path}`;
    for (const part of buildParts(props)) {
      const { id: partId, name, path: of, spec, after = [] } = part;
      new Kustomization(this.chart, partId, {
        metadata: { name: `${source}${name}`, namespace },
        spec: {
          sourceRef: { kind: 'GitRepository', name: source },
          path: `${top}/${layout.folder(cluster, of)}`,
          prune: true,
          ...(after.length > 0 && { dependsOn: after.map((one) => dependOnApplied(source, one)) }),
          interval: '10m',
          retryInterval: '1m',
          ...props.kustomizations,
          ...spec,
        },
      });
    }
  }
}

interface KustomizationPart {
  readonly id: string;
  /** The suffix of the name. */
  readonly name: string;
  readonly path: string;
  readonly after?: readonly string[];
  readonly spec: Pick<KustomizationSpec, 'patches' | 'wait'> &
    Required<Pick<KustomizationSpec, 'deletionPolicy'>>;
}

function buildParts({ tenants }: FluxClusterProps): readonly KustomizationPart[] {
  const deletionPolicy = 'Orphan';
  const patches = [disablePrune({ annotationSelector: UNPRUNED })];
  const after = ['crds', 'policies'];
  const oneEach = (tenants ?? []).map((tenant) => ({
    id: `tenant-${tenant}`,
    // The names of clusters and parts contain no dot.
    name: `.${tenant}`,
    path: `tenants/${tenant}`,
    after,
    // The Kustomization of a tenant is removed with its folder, and access with it.
    spec: { deletionPolicy: 'MirrorPrune', patches } as const,
  }));
  const together = { id: 'tenants', name: '-tenants', path: 'tenants', after };
  return [
    {
      id: 'crds',
      name: '-crds',
      path: 'crds',
      spec: {
        deletionPolicy,
        wait: true,
        patches: [disablePrune({ kind: 'CustomResourceDefinition' })],
      },
    },
    {
      id: 'policies',
      name: '-policies',
      path: 'policies',
      spec: { deletionPolicy, patches: [disablePrune({ kind: 'ValidatingAdmissionPolicy.*' })] },
    },
    {
      id: 'tenantclasses',
      name: '-tenantclasses',
      path: 'tenantclasses',
      after: ['crds'],
      spec: { deletionPolicy },
    },
    {
      id: 'operator',
      name: '-operator',
      path: 'operator',
      after: ['crds'],
      spec: { deletionPolicy, patches: [disablePrune({ kind: 'Namespace' })] },
    },
    ...(tenants ? oneEach : [{ ...together, spec: { deletionPolicy, patches } as const }]),
  ];
}

/** The annotation of all objects that Argo CD must not prune, and of no others. */
const UNPRUNED = `${COMPARE_OPTIONS}=${QUIET}`;

/**
 * Builds a patch that disables pruning and deletion. The name and the kind in the patch are placeholders that Flux
 * ignores.
 */
function disablePrune(target: KustomizationPatchTarget): KustomizationPatch {
  const patch = [
    'apiVersion: v1',
    'kind: Any',
    'metadata:',
    '  name: any',
    '  annotations:',
    '    kustomize.toolkit.fluxcd.io/prune: disabled',
    '',
  ].join('\n');
  return { target, patch };
}

/** Waits until a part has been applied once, ever: later failures do not keep anybody's access. */
function dependOnApplied(source: string, part: string): KustomizationDependency {
  return { name: `${source}-${part}`, readyExpr: 'has(dep.status.lastAppliedRevision)' };
}
