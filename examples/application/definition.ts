import { define, type apps } from '../../runtime.ts';
import { anyObject, conditions, integer, object, required } from '../../schema.ts';

/** A Deployment of the same name, and how it is. */
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
            // Kept as it is, so that it can say all that any version of Kubernetes knows. Who judges it
            // is the API server, when the Deployment is applied.
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
