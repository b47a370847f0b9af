import { define } from '../../runtime.ts';
import {
  boolean,
  conditions,
  integer,
  object,
  objectName,
  required,
  string,
} from '../../schema.ts';

/** A port that a node has open. */
export const portRule = define({
  group: 'firewalld.fedoraproject.org',
  kind: 'PortRule',
  plural: 'ports',
  shortNames: ['fp'],
  // Nodes lie in no namespace: who may write in one must not open their ports.
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A port that a node has open.', {
        spec: required(
          object('What it should be.', {
            name: required(
              string('What people call it.', {
                // A comment of iptables has 255 bytes, and a character up to four.
                maxLength: 60,
                pattern: '^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]+$',
                must: 'letters, digits, punctuation, symbols and spaces, at most 60 characters',
                example: 'Redis of the shop',
              }),
            ),
            port: required(integer('The TCP port.', { minimum: 1, maximum: 65_535 })),
            host: required(objectName('The name of the node.')),
            isPermanent: boolean('Whether it stays open when the node starts anew.', {
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
