import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { applicationSet } from '../../model/argocd/api/definitions.ts';
import type {
  ApplicationSetSpec,
  ApplicationSetSyncPolicy,
  ApplicationSetTemplate,
  ApplicationSetTemplateMeta,
} from '../../model/argocd/api/types.ts';
import {
  listFinalizers,
  buildArgoCdObject,
  type ApplicationDeletion,
  type ArgoCdMetadata,
  type ArgoCdObject,
} from '../../model/argocd/object.ts';
import { addObjectValidation } from '@tenantry/crd/constructs/error-validation';
import { validateAgainstProjects } from './project-permissions.ts';
import { validateApplicationSet } from '../../model/argocd/rules/application-set.ts';

/** The spec of an ApplicationSet without the kind of its placeholders and without its deletion settings. */
export interface TemplatedApplications extends Omit<
  ApplicationSetSpec,
  'goTemplate' | 'goTemplateOptions' | 'template' | 'syncPolicy'
> {
  readonly template: Omit<ApplicationSetTemplate, 'metadata'> & {
    readonly metadata: Omit<ApplicationSetTemplateMeta, 'finalizers'>;
  };
  readonly syncPolicy?: Omit<ApplicationSetSyncPolicy, 'preserveResourcesOnDeletion'>;
}

/** The properties of an ApplicationSet. */
export interface ApplicationSetProps {
  readonly metadata: ArgoCdMetadata;
  /** The spec. Placeholders are Go templates; one without a value is an error, and then no Application is changed. */
  readonly spec: TemplatedApplications;
  /**
   * What happens to the objects of an Application that is removed, because no generator produces it any more or
   * together with the ApplicationSet. There is no default, because no answer is right for all.
   */
  readonly deletion: ApplicationDeletion;
}

/**
 * Applications from a template, one for each set of parameters: folders or files of a repository, clusters, a list, or
 * the product of two generators. The app's synthesis refuses placeholders that no generator provides (as far as that is
 * known), names that two Applications would share, and a project that a generator chooses. It also refuses what it
 * refuses for an Application.
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

/**
 * Builds the spec. Argo CD adds a finalizer to Applications without one, unless `preserveResourcesOnDeletion` is set.
 */
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
      metadata: { ...template.metadata, finalizers: listFinalizers(deletion) },
    },
    ...((syncPolicy || isKept) && {
      syncPolicy: { ...syncPolicy, preserveResourcesOnDeletion: isKept },
    }),
  };
}
