import { uncheckedDefinition } from '@tenantry/crd/definition';
import { CustomResourceDefinition } from '../../kinds/apiextensions.ts';
import { kindOf, type Live, type Written } from '../../kinds/kind.ts';
import { boolean, integer, list, object, string } from '@tenantry/crd/schema/language';
import { ObservedCluster } from '../observed-cluster.ts';

export const box = uncheckedDefinition({
  group: 'example.com',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
  versions: {
    v1: { schema: object('A box.', { spec: object('', { width: integer('') }) }) },
    v2: { schema: object('A box.', { spec: object('', { width: integer('') }) }), storage: true },
  },
});

export const Box = kindOf(box, 'v2');

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** The parts of definitions that these tests need; the simulated server itself has none. */
const definitions = uncheckedDefinition({
  group: CustomResourceDefinition.group,
  kind: CustomResourceDefinition.kind,
  plural: CustomResourceDefinition.plural,
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A definition.', {
        spec: object('', {
          group: string(''),
          scope: string(''),
          names: object('', { kind: string(''), plural: string('') }),
          conversion: open,
          versions: list(
            '',
            object('', {
              name: string(''),
              served: boolean(''),
              storage: boolean(''),
              schema: open,
            }),
          ),
        }),
        status: object('', {
          storedVersions: list('', string('')),
          conditions: list('', object('', { type: string(''), status: string('') })),
        }),
      }),
    },
  },
});

export const name = 'boxes.example.com';

/** Returns a definition whose storage version is the last of these. */
export const defined = (
  storedVersions: readonly string[],
  versions: readonly string[] = ['v1', 'v2'],
  served: readonly string[] = versions,
) =>
  ({
    metadata: { name },
    spec: {
      group: box.group,
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      versions: versions.map((one) => ({
        name: one,
        served: served.includes(one),
        storage: one === versions.at(-1),
      })),
    },
    status: { storedVersions, conditions: [{ type: 'Established', status: 'True' }] },
  }) as unknown as Written<typeof CustomResourceDefinition>;

/** Creates a cluster with boxes `box-0`, `box-1`, ... of which any may still be stored in v1. */
export function warehouse(boxes: number, definition = defined(['v1', 'v2'])): ObservedCluster {
  const cluster = new ObservedCluster({ definitions: [box, definitions], namespaces: ['store'] });
  cluster.put(CustomResourceDefinition, definition);
  for (let i = 0; i < boxes; i += 1) {
    cluster.put(Box, { metadata: { name: `box-${i}`, namespace: 'store' }, spec: { width: i } });
  }
  return cluster;
}

export const storedIn = (cluster: ObservedCluster): readonly string[] | undefined =>
  definitionIn(cluster)?.status?.storedVersions;

export const definitionIn = (
  cluster: ObservedCluster,
): Live<typeof CustomResourceDefinition> | undefined =>
  cluster.peek(CustomResourceDefinition, { name });
