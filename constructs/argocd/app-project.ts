import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { appProject } from '../../model/argocd/api/definitions.ts';
import type { AppProjectSpec } from '../../model/argocd/api/types.ts';
import {
  PROJECT_FINALIZERS,
  buildArgoCdObject,
  type ArgoCdMetadata,
  type ArgoCdObject,
} from '../../model/argocd/object.ts';
import { addObjectValidation } from '@tenantry/crd/constructs/error-validation';
import { validateProject, type ProjectOpening } from '../../model/argocd/rules/project.ts';

/** The properties of an AppProject. */
export interface AppProjectProps {
  readonly metadata: ArgoCdMetadata;
  readonly spec: AppProjectSpec & Required<Pick<AppProjectSpec, 'sourceRepos' | 'destinations'>>;
  /** What it allows beyond literal lists. @default - nothing */
  readonly opens?: readonly ProjectOpening[];
  /**
   * What happens when it is deleted while Applications name it. `AfterApplications`: it waits for them, because without
   * it they could not delete their objects. `AtOnce`: it is deleted.
   * @default 'AfterApplications'
   */
  readonly deletion?: 'AfterApplications' | 'AtOnce';
}

/**
 * What Applications may do: their sources, destinations, kinds, sync times and users. Its lists contain what is
 * allowed, and `opens` declares what is wide. The app's synthesis refuses what Argo CD would not use. It also refuses
 * what allows more than the lists show, such as a denied repository, which allows all others.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { AppProject } from 'tenantry/argocd';
 *
 * const app = new App();
 * const shop = new AppProject(new Chart(app, 'projects'), 'shop', {
 *   metadata: { name: 'shop' },
 *   spec: {
 *     sourceRepos: ['https://git.example.com/shop/**'],
 *     destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'shop-*' }],
 *     namespaceResourceWhitelist: [
 *       { group: 'apps', kind: 'Deployment' },
 *       { group: '', kind: 'Service' },
 *     ],
 *     orphanedResources: { warn: true },
 *   },
 * });
 * app.synth();
 * console.log(shop.name); // shop
 * ```
 */
export class AppProject extends ApiObject {
  constructor(scope: Construct, id: string, props: AppProjectProps) {
    super(scope, id, buildProject(props));
    const opens = new Set(props.opens);
    // An empty list allows nothing here, and an absent one allows all. Rendering would remove the empty list.
    const { namespaceResourceWhitelist: list } = props.spec;
    addObjectValidation(this, new.target, appProject, (manifest) => {
      const made = manifest as ArgoCdObject<AppProjectSpec>;
      const isEmpty = list?.length === 0 && !made.spec.namespaceResourceWhitelist;
      const builtSpec = isEmpty ? { ...made.spec, namespaceResourceWhitelist: [] } : made.spec;
      return validateProject({ ...made, spec: builtSpec }, opens);
    });
  }
}

function buildProject({ metadata, spec, deletion }: AppProjectProps): ArgoCdObject<AppProjectSpec> {
  const finalizers = deletion === 'AtOnce' ? [] : PROJECT_FINALIZERS;
  return buildArgoCdObject(appProject, metadata, spec, finalizers);
}
