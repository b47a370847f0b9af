import { defineKind } from './declared-kind.ts';
import { listMap, environmentName } from './schema-builders.ts';
import { boolean, object, required, string, dnsLabel } from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { driftPolicy, lifecycle, namespaceLayerFields, tenantLayerFields } from './settings.ts';
import { tenantStatus } from './tenant-status.ts';

const namespaces = listMap(
  'The namespaces of the tenant.',
  'name',
  named(
    'NamespaceEntry',
    object('A namespace, and what is different in it.', {
      name: required(dnsLabel('Its name, after the prefix.', 'payments-prod')),
      environment: environmentName(
        'Its environment: the settings of the class for it apply.',
        'prod',
      ),
      lifecycle,
      ...namespaceLayerFields,
    }),
  ),
  { minItems: 1, absent: 'one namespace, named like the tenant' },
);

const spec = named(
  'TenantSpec',
  object('What the tenant should have.', {
    className: dnsLabel('The TenantClass.', 'standard'),
    description: string('For people.', { maxLength: 1024 }),
    lifecycle,
    driftPolicy: driftPolicy(
      'What the operator does where the cluster is not what is declared. Observe: it says so. Create: it makes what is missing, and says the rest. Heal: it makes and restores what is declared.',
      'what the class says',
    ),
    cordoned: boolean('Whether the operator leaves it alone: it neither reports nor heals.', {
      absent: 'false',
    }),
    environment: environmentName('The environment of namespaces that name none.', 'prod'),
    namespacePrefix: string('Stands before the name of every entry of `namespaces`.', {
      pattern: '^[a-z0-9][-a-z0-9]*$',
      maxLength: 40,
      must: "lower-case letters, digits and '-', at most 40 characters",
      absent: 'no prefix',
    }),
    namespaces,
    ...tenantLayerFields,
  }),
);

export const tenant = defineKind({
  kind: 'Tenant',
  plural: 'tenants',
  shortNames: ['tn'],
  categories: ['tenantry'],
  description: 'A team, its namespaces, and what it may do and use in them.',
  spec,
  status: tenantStatus,
  columns: [
    { name: 'Class', type: 'string', jsonPath: '.spec.className' },
    { name: 'Lifecycle', type: 'string', jsonPath: '.spec.lifecycle' },
    {
      name: 'Ready',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Ready')].status",
    },
    {
      name: 'Drifted',
      type: 'integer',
      jsonPath: '.status.counts.driftedFields',
      description: 'Fields that are not as declared.',
    },
    {
      name: 'Undeclared',
      type: 'integer',
      jsonPath: '.status.counts.undeclared',
      description: 'What nobody declared in its namespaces.',
    },
    {
      name: 'Reason',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Ready')].reason",
    },
    { name: 'Policy', type: 'string', priority: 1, jsonPath: '.status.driftPolicy' },
    {
      name: 'Message',
      type: 'string',
      priority: 1,
      jsonPath: ".status.conditions[?(@.type=='Ready')].message",
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});

export type { NamespaceEntry, TenantSpec } from './types.ts';
