import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { prefixFinding } from '@tenantry/kube/finding';
import { application } from '../../model/argocd/api/definitions.ts';
import type { ApplicationSpec, SyncPolicy } from '../../model/argocd/api/types.ts';
import {
  listFinalizers,
  buildArgoCdObject,
  ARGO_CD_NAMESPACE,
  type ApplicationDeletion,
  type ArgoCdMetadata,
  type ArgoCdObject,
} from '../../model/argocd/object.ts';
import { addObjectValidation } from '@tenantry/crd/constructs/error-validation';
import { validateAgainstProjects } from './project-permissions.ts';
import { validateApplication } from '../../model/argocd/rules/application.ts';
import { OUTPUT_PATH } from '@tenantry/kube/construct-metadata';
import { SYNC_WAVE } from '@tenantry/kube/argocd-directives';
import { IN_CLUSTER } from '../../model/argocd/patterns/allow-lists.ts';

/** The properties of an Application. */
export interface ApplicationProps {
  readonly metadata: ArgoCdMetadata;
  readonly spec: ApplicationSpec;
  /** What happens to its objects when it is deleted. There is no default, because no answer is right for all. */
  readonly deletion: ApplicationDeletion;
}

/**
 * Objects of a repository that Argo CD keeps in a cluster. The app's synthesis refuses what Argo CD would not sync,
 * options that it would ignore, and the project `default`. If the project is in the same app, it also refuses what the
 * project does not allow. Zeros and empty fields are left out, because Argo CD leaves them out too.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { Application } from 'tenantry/argocd';
 *
 * const app = new App();
 * const web = new Application(new Chart(app, 'applications'), 'web', {
 *   metadata: { name: 'shop-web' },
 *   deletion: 'Cascade',
 *   spec: {
 *     project: 'shop',
 *     source: { repoURL: 'https://git.example.com/shop/web', targetRevision: 'main', path: 'deploy' },
 *     destination: { server: 'https://kubernetes.default.svc', namespace: 'shop-prod' },
 *     syncPolicy: { automated: { prune: true, selfHeal: true } },
 *   },
 * });
 * app.synth();
 * console.log(web.name); // shop-web
 * ```
 */
export class Application extends ApiObject {
  constructor(scope: Construct, id: string, { metadata, spec, deletion }: ApplicationProps) {
    super(scope, id, buildArgoCdObject(application, metadata, spec, listFinalizers(deletion)));
    addObjectValidation(this, new.target, application, (made) => {
      const { metadata: where, spec: builtSpec } = made as ArgoCdObject<ApplicationSpec>;
      const findings = validateApplication(builtSpec).map((one) => prefixFinding(['spec'], one));
      return [...findings, ...validateAgainstProjects(this, where.namespace, builtSpec, ['spec'])];
    });
  }
}

/** The place of the app's output in Git, and the settings of the Application that keeps it. */
export interface AppOfAppsProps {
  /** The metadata of the Application that keeps the others. */
  readonly metadata: ArgoCdMetadata;
  /** The project. It must allow Applications in the namespace of Argo CD. */
  readonly project: string;
  readonly repoURL: string;
  /** Branch, tag or commit. @default - the default branch */
  readonly targetRevision?: string;
  /** The output folder, in the repository. @default 'dist' */
  readonly path?: string;
  /** The folder in the output, used by this construct only. @default - `argocd/`, and the name */
  readonly folder?: string;
  /** What happens to the objects in it when the Application that keeps them is deleted. */
  readonly deletion: ApplicationDeletion;
  /** How it is synced. @default - automated, with prune and selfHeal */
  readonly syncPolicy?: SyncPolicy;
}

/**
 * An Application that keeps others, on the cluster of Argo CD. The content of `objects` is rendered to a file in a
 * folder of its own. The Application of that folder is rendered to a file beside the folder, which a person applies
 * once.
 *
 * Objects that are added as waves are created one wave after the other. Argo CD waits until a wave is healthy. For
 * Applications it needs a health check for `argoproj.io/Application` in `argocd-cm`.
 *
 * @example
 * ```ts
 * import { App } from 'tenantry';
 * import { Application, AppOfApps } from 'tenantry/argocd';
 *
 * const repoURL = 'https://git.example.com/platform/deploy';
 * const app = new App();
 * const all = new AppOfApps(app, 'platform', {
 *   metadata: { name: 'platform' },
 *   project: 'argocd',
 *   repoURL,
 *   deletion: 'Orphan',
 * });
 * const part = (name: string) =>
 *   new Application(all.objects, name, {
 *     metadata: { name },
 *     deletion: 'Cascade',
 *     spec: {
 *       project: 'platform',
 *       source: { repoURL, path: name },
 *       destination: { server: 'https://kubernetes.default.svc', namespace: name },
 *     },
 *   });
 * all.addWave(part('cert-manager'));
 * all.addWave(part('ingress'), part('monitoring'));
 * app.synth();
 * console.log(all.root.name); // platform
 * ```
 */
export class AppOfApps extends Construct {
  /** The scope of the objects that it keeps. */
  readonly objects: Chart;
  /** The Application that keeps them. */
  readonly root: Application;
  #waves = 0;

  constructor(scope: Construct, id: string, props: AppOfAppsProps) {
    super(scope, id);
    const { metadata, project, repoURL, targetRevision, path = 'dist', deletion } = props;
    const { folder = `argocd/${metadata.name}`, syncPolicy = AUTOMATED } = props;
    const { namespace = ARGO_CD_NAMESPACE } = metadata;
    this.objects = createChart(this, 'objects', `${folder}/applications.yaml`);
    this.root = new Application(createChart(this, 'root', `${folder}.yaml`), 'application', {
      metadata,
      deletion,
      spec: {
        project,
        source: {
          repoURL,
          ...(targetRevision !== undefined && { targetRevision }),
          path: path === '.' || path === '' ? folder : `${path}/${folder}`,
        },
        destination: { server: IN_CLUSTER.server, namespace },
        syncPolicy,
      },
    });
  }

  /** Creates objects after those of all earlier waves are healthy. */
  addWave(...objects: readonly ApiObject[]): void {
    // Objects without an annotation are in wave 0.
    if (this.#waves > 0) {
      for (const one of objects) one.metadata.addAnnotation(SYNC_WAVE, String(this.#waves));
    }
    this.#waves += 1;
  }
}

const AUTOMATED: SyncPolicy = { automated: { prune: true, selfHeal: true } };

function createChart(scope: Construct, id: string, path: string): Chart {
  const chart = new Chart(scope, id);
  chart.node.addMetadata(OUTPUT_PATH, path);
  return chart;
}
