import { define } from '@tenantry/crd';
import { integer, object, string } from '@tenantry/crd/schema';

/** A number of Redis servers, each in its own pod. */
export const redis = define({
  group: 'myapp.demo.kubebuilder.io',
  kind: 'Redis',
  plural: 'redises',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('Redis servers.', {
        metadata: {
          type: 'object',
          properties: {
            // A hostname has at most 63 characters, and the pods are named <name>-<i>.
            name: string('The name.', {
              maxLength: 60,
              pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
            }),
          },
        },
        spec: object(
          'What it should be.',
          {
            port: integer('The port on which each server listens.', {
              minimum: 6370,
              maximum: 6380,
              default: 6379,
            }),
            num: integer('How many servers.', { minimum: 0, maximum: 100, default: 1 }),
          },
          { default: {} },
        ),
        status: object('What is the case.', {
          replicas: integer('How many pods there are.'),
          ready: integer('How many of them are ready.'),
          selector: string('A label selector that selects them.'),
        }),
      }),
      subresources: {
        scale: {
          specReplicasPath: '.spec.num',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      additionalPrinterColumns: [
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.ready' },
        { name: 'Port', type: 'integer', jsonPath: '.spec.port' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});
