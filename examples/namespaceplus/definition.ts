import { define } from '@tenantry/crd';
import { conditions, object, string } from '@tenantry/crd/schema';

/** A namespace of the same name, in which no pod can run until somebody raises its quota. */
export const namespacePlus = define({
  group: 'mygroup.my.domain',
  kind: 'NamespacePlus',
  plural: 'namespacepluses',
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A namespace with a quota.', {
        spec: object('What it should be.', {
          foo: string('A note, which nothing comes of.', { maxLength: 100, absent: 'no note' }),
        }),
        status: object('What is the case.', { conditions: conditions() }),
      }),
      additionalPrinterColumns: [
        {
          name: 'Ready',
          type: 'string',
          jsonPath: ".status.conditions[?(@.type=='Ready')].status",
        },
      ],
    },
  },
});
