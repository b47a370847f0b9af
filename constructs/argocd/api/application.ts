import { uncheckedDefinition } from '../../../crds/definition.ts';
import { object, required } from '../../../schema/language.ts';
import { applicationSpec } from './application-spec.ts';
import { applicationStatus } from './application-status.ts';
import { operation } from './operation.ts';

/**
 * Objects of a repository that Argo CD keeps in a cluster.
 * Source: https://argo-cd.readthedocs.io/en/release-3.5/user-guide/application-specification/
 */
export const application = uncheckedDefinition({
  group: 'argoproj.io',
  kind: 'Application',
  plural: 'applications',
  shortNames: ['app', 'apps'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('Objects of a repository that Argo CD keeps in a cluster.', {
        spec: required(applicationSpec('What, from where, to where, and how it is synced.')),
        operation: operation('A requested sync; Argo CD removes it when the sync begins.'),
        status: applicationStatus,
      }),
      // Argo CD writes the status together with the object.
      subresources: { status: false },
      additionalPrinterColumns: [
        { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
        { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
        { name: 'Revision', type: 'string', jsonPath: '.status.sync.revision', priority: 10 },
        { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
      ],
    },
  },
});
