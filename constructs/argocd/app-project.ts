import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { appProject } from './api/app-project.ts';
import type { AppProjectSpec } from './api/types.ts';
import { PROJECT_FINALIZERS } from './deletion.ts';
import { addObjectValidation } from '../object-validation.ts';
import { buildArgoCdObject, type ArgoCdMetadata, type ArgoCdObject } from './object.ts';
import type { ProjectOpening } from './rules/opening.ts';
import { validateProject } from './rules/project.ts';

/** What an AppProject says. */
export interface AppProjectProps {
  readonly metadata: ArgoCdMetadata;
  readonly spec: AppProjectSpec & Required<Pick<AppProjectSpec, 'sourceRepos' | 'destinations'>>;
  /** What it lets in beyond lists that are written out. @default - nothing */
  readonly opens?: readonly ProjectOpening[];
  /**
   * What becomes of it when it is deleted while Applications name it: it waits for them, as they could not delete
   * their objects without it, or it goes.
   * @default 'AfterApplications'
   */
  readonly deletion?: 'AfterApplications' | 'AtOnce';
}

/**
 * What Applications may do: from which repositories, to where, which kinds, when, and who. All of it is a list of what is
 * let in, and what is wide is said in `opens`. Refused when the app is synthesized: what Argo CD would not use, and
 * what lets in more than somebody wrote down, such as a denied repository, which lets in all others.
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
    // It lets in nothing here, and all without it: what is rendered holds no empty lists.
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
