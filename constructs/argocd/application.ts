import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { prefixFinding } from '../../kube/finding.ts';
import { application } from './api/application.ts';
import type { ApplicationSpec } from './api/types.ts';
import {
  finalizersOf,
  buildArgoCdObject,
  type ApplicationDeletion,
  type ArgoCdMetadata,
  type ArgoCdObject,
} from './object.ts';
import { addObjectValidation } from '../error-validation.ts';
import { validateAgainstProjects } from './rules/project-permissions.ts';
import { validateApplication } from './rules/application.ts';

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
    super(scope, id, buildArgoCdObject(application, metadata, spec, finalizersOf(deletion)));
    addObjectValidation(this, new.target, application, (made) => {
      const { metadata: where, spec: builtSpec } = made as ArgoCdObject<ApplicationSpec>;
      const findings = validateApplication(builtSpec).map((one) => prefixFinding(['spec'], one));
      return [...findings, ...validateAgainstProjects(this, where.namespace, builtSpec, ['spec'])];
    });
  }
}
