import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { applicationSet } from './api/application-set.ts';
import type {
  ApplicationSetSpec,
  ApplicationSetSyncPolicy,
  ApplicationSetTemplate,
  ApplicationSetTemplateMeta,
} from './api/types.ts';
import { finalizersOf, type ApplicationDeletion } from './deletion.ts';
import { addObjectValidation } from '../object-validation.ts';
import { buildArgoCdObject, type ArgoCdMetadata, type ArgoCdObject } from './object.ts';
import { validateAgainstProjects } from './projects.ts';
import { validateApplicationSet } from './rules/application-set.ts';

/** The spec of an ApplicationSet but for what its placeholders are, and what becomes of what goes. */
export interface TemplatedApplications extends Omit<
  ApplicationSetSpec,
  'goTemplate' | 'goTemplateOptions' | 'template' | 'syncPolicy'
> {
  readonly template: Omit<ApplicationSetTemplate, 'metadata'> & {
    readonly metadata: Omit<ApplicationSetTemplateMeta, 'finalizers'>;
  };
  readonly syncPolicy?: Omit<ApplicationSetSyncPolicy, 'preserveResourcesOnDeletion'>;
}

/** What an ApplicationSet says. */
export interface ApplicationSetProps {
  readonly metadata: ArgoCdMetadata;
  /** Placeholders are Go templates; one that stands for nothing is an error, and no Application is changed. */
  readonly spec: TemplatedApplications;
  /**
   * What becomes of the objects of an Application that goes, because no generator gives it any more, or with the
   * ApplicationSet; there is no answer that is right for all.
   */
  readonly deletion: ApplicationDeletion;
}

/**
 * Applications by a template, one for each set of parameters: folders or files of a repository, clusters, a list, each
 * of one with each of another. Refused when the app is synthesized: placeholders that no generator gives, as far as
 * that is known, names that two Applications would have, a project that a generator chooses, and what is refused
 * of an Application.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App } from 'tenantry';
 * import { ApplicationSet } from 'tenantry/argocd';
 *
 * const app = new App();
 * const repository = { repoURL: 'https://git.example.com/shop/deploy', revision: 'main' };
 * const shops = new ApplicationSet(new Chart(app, 'applications'), 'shops', {
 *   metadata: { name: 'shops' },
 *   deletion: 'Cascade',
 *   spec: {
 *     generators: [{ git: { ...repository, directories: [{ path: 'shops/*' }] } }],
 *     template: {
 *       metadata: { name: 'shop-{{.path.basename}}' },
 *       spec: {
 *         project: 'shop',
 *         source: { repoURL: repository.repoURL, targetRevision: 'main', path: '{{.path.path}}' },
 *         destination: { server: 'https://kubernetes.default.svc', namespace: 'shop-prod' },
 *       },
 *     },
 *   },
 * });
 * app.synth();
 * console.log(shops.name); // shops
 * ```
 */
export class ApplicationSet extends ApiObject {
  constructor(scope: Construct, id: string, { metadata, spec, deletion }: ApplicationSetProps) {
    super(scope, id, buildArgoCdObject(applicationSet, metadata, buildSpec(spec, deletion)));
    addObjectValidation(this, new.target, applicationSet, (made) => {
      const { metadata: where, spec: builtSpec } = made as ArgoCdObject<ApplicationSetSpec>;
      const path = ['spec', 'template', 'spec'];
      return [
        ...validateApplicationSet(builtSpec),
        ...validateAgainstProjects(this, where.namespace, builtSpec.template.spec, path),
      ];
    });
  }
}

/** Argo CD itself gives Applications that have no finalizer one, unless `preserveResourcesOnDeletion` is said. */
function buildSpec(
  { template, syncPolicy, ...spec }: TemplatedApplications,
  deletion: ApplicationDeletion,
): ApplicationSetSpec {
  const isKept = deletion === 'Orphan';
  return {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    ...spec,
    template: {
      ...template,
      metadata: { ...template.metadata, finalizers: finalizersOf(deletion) },
    },
    ...((syncPolicy || isKept) && {
      syncPolicy: { ...syncPolicy, preserveResourcesOnDeletion: isKept },
    }),
  };
}
