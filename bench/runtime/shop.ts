import { define } from '@tenantry/crd';
import { conditions, integer, list, object, required, string } from '@tenantry/crd/schema';

const text = (description: string) => required(string(description, { maxLength: 200 }));

/**
 * The custom resource of the benchmark. With the fields that an API server adds, one takes 1.4 KB as
 * JSON.
 */
export const shop = define({
  group: 'bench.example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A shop.', {
        spec: required(
          object('The desired state.', {
            replicas: required(integer('How many servers.', { minimum: 0, maximum: 1_000_000 })),
            memory: text('Of each server.'),
            storage: text('Of all servers.'),
            owner: text('The contact person.'),
            namespaces: required(list('Where it runs.', text('A namespace.'), { maxItems: 9 })),
            network: required(
              object('Who reaches it.', {
                isolation: text('From whom it is kept apart.'),
                allowFrom: required(
                  list('Who does.', object('A tenant.', { tenant: text('Its name.') }), {
                    maxItems: 9,
                  }),
                ),
              }),
            ),
          }),
        ),
        status: object('What is the case.', {
          observedGeneration: integer('Of the spec.'),
          conditions: conditions(),
        }),
      }),
    },
  },
});
