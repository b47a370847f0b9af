import { define } from '@tenantry/crd';
import {
  boolean,
  conditions,
  integer,
  object,
  objectName,
  required,
  string,
} from '@tenantry/crd/schema';

/** An open port of a node. */
export const portRule = define({
  group: 'firewalld.fedoraproject.org',
  kind: 'PortRule',
  plural: 'ports',
  shortNames: ['fp'],
  // Nodes are cluster-scoped: users who can write in one namespace must not open ports of nodes.
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A port that a node has open.', {
        spec: required(
          object('What it should be.', {
            name: required(
              string('What people call it.', {
                // A comment of iptables is limited to 255 bytes, and a character can take four.
                maxLength: 60,
                pattern: '^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]+$',
                must: 'letters, digits, punctuation, symbols and spaces, at most 60 characters',
                example: 'Redis of the shop',
              }),
            ),
            port: required(integer('The TCP port.', { minimum: 1, maximum: 65_535 })),
            host: required(objectName('The name of the node.')),
            isPermanent: boolean('Whether the port is open again after a restart of the node.', {
              default: false,
            }),
          }),
        ),
        status: object('What is the case.', {
          configMap: string('The ConfigMap that has it, as namespace/name.', {
            maxLength: 317,
            absent: 'none has it',
          }),
          conditions: conditions(),
        }),
      }),
      additionalPrinterColumns: [
        { name: 'Host', type: 'string', jsonPath: '.spec.host' },
        { name: 'Port', type: 'integer', jsonPath: '.spec.port' },
        { name: 'Permanent', type: 'boolean', jsonPath: '.spec.isPermanent' },
        {
          name: 'Applied',
          type: 'string',
          jsonPath: ".status.conditions[?(@.type=='Applied')].status",
        },
        {
          name: 'Reason',
          type: 'string',
          jsonPath: ".status.conditions[?(@.type=='Applied')].reason",
          priority: 1,
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});
