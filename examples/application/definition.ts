import { define } from '@tenantry/crd';
import { type apps } from '@tenantry/runtime';
import { anyObject, conditions, integer, object, required } from '@tenantry/crd/schema';

/** A Deployment of the same name, and its status. */
export const application = define({
  group: 'controller.daocloud.io',
  kind: 'Application',
  plural: 'applications',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A Deployment, and how it is.', {
        spec: required(
          object('What it should be.', {
            // The schema accepts any fields, so that it covers every version of Kubernetes. The API
            // server validates them when the Deployment is applied.
            deployment: required(anyObject<apps.DeploymentSpec>('The spec of the Deployment.')),
          }),
        ),
        status: object('What is the case.', {
          count: integer('How many pods of the Deployment are ready.'),
          conditions: conditions(),
        }),
      }),
      additionalPrinterColumns: [
        { name: 'Count', type: 'integer', jsonPath: '.status.count' },
        {
          name: 'Applied',
          type: 'string',
          jsonPath: ".status.conditions[?(@.type=='Applied')].status",
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});
